/**
 * Signals of Linux on x86-64: numbers, names, what they do by default and how bash words a job they ended.
 *
 * Not covered: real-time signals are numbers 34 to 64 that end a process; queued values do not exist.
 */

/** What an untouched signal does to a process. */
export type DefaultAction = 'end' | 'core' | 'ignore' | 'stop' | 'continue';

const ROWS: readonly (readonly [number, string, DefaultAction, string])[] = [
  [1, 'HUP', 'end', 'Hangup'],
  [2, 'INT', 'end', 'Interrupt'],
  [3, 'QUIT', 'core', 'Quit'],
  [4, 'ILL', 'core', 'Illegal instruction'],
  [5, 'TRAP', 'core', 'Trace/breakpoint trap'],
  [6, 'ABRT', 'core', 'Aborted'],
  [7, 'BUS', 'core', 'Bus error'],
  [8, 'FPE', 'core', 'Floating point exception'],
  [9, 'KILL', 'end', 'Killed'],
  [10, 'USR1', 'end', 'User defined signal 1'],
  [11, 'SEGV', 'core', 'Segmentation fault'],
  [12, 'USR2', 'end', 'User defined signal 2'],
  [13, 'PIPE', 'end', 'Broken pipe'],
  [14, 'ALRM', 'end', 'Alarm clock'],
  [15, 'TERM', 'end', 'Terminated'],
  [16, 'STKFLT', 'end', 'Stack fault'],
  [17, 'CHLD', 'ignore', 'Child exited'],
  [18, 'CONT', 'continue', 'Continued'],
  [19, 'STOP', 'stop', 'Stopped (signal)'],
  [20, 'TSTP', 'stop', 'Stopped'],
  [21, 'TTIN', 'stop', 'Stopped (tty input)'],
  [22, 'TTOU', 'stop', 'Stopped (tty output)'],
  [23, 'URG', 'ignore', 'Urgent I/O condition'],
  [24, 'XCPU', 'core', 'CPU time limit exceeded'],
  [25, 'XFSZ', 'core', 'File size limit exceeded'],
  [26, 'VTALRM', 'end', 'Virtual timer expired'],
  [27, 'PROF', 'end', 'Profiling timer expired'],
  [28, 'WINCH', 'ignore', 'Window changed'],
  [29, 'IO', 'end', 'I/O possible'],
  [30, 'PWR', 'end', 'Power failure'],
  [31, 'SYS', 'core', 'Bad system call'],
];

/** Numbers by name without `SIG`. */
export const SIGNALS: Readonly<Record<string, number>> = Object.fromEntries(
  ROWS.map(([number, name]) => [name, number]),
);

/** Numbers of the signals that the kernel itself sends. */
export const SIG = {
  HUP: 1,
  INT: 2,
  QUIT: 3,
  ABRT: 6,
  KILL: 9,
  SEGV: 11,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  CHLD: 17,
  CONT: 18,
  STOP: 19,
  TSTP: 20,
  TTIN: 21,
  TTOU: 22,
  XFSZ: 25,
  WINCH: 28,
} as const;

const byNumber = new Map(ROWS.map((row) => [row[0], row]));

/** The name without `SIG` (`TERM`), `RTMIN+3` for real-time signals, or undefined. */
export function signalName(number: number): string | undefined {
  const name = byNumber.get(number)?.[1];
  if (name !== undefined || number < 34 || number > 64) return name;
  if (number === 34) return 'RTMIN';
  if (number === 64) return 'RTMAX';
  return number < 50 ? `RTMIN+${number - 34}` : `RTMAX-${64 - number}`;
}

/** What a signal does by default. */
export function defaultAction(number: number): DefaultAction {
  return byNumber.get(number)?.[2] ?? 'end';
}

/** The sentence for a process that the signal ended, as `strsignal` gives it (`Terminated`). */
export function signalText(number: number): string {
  return byNumber.get(number)?.[3] ?? `Real-time signal ${number - 34}`;
}
