/**
 * A unit at run time, as plain values that a machine's image keeps, and systemd's words for how processes end.
 */
import type { ExitStatus } from '../kernel/index.js';
import { signalName } from '../kernel/index.js';

/** How a process of a unit ended. */
export interface EndedProcess {
  readonly pid: number;
  /** `ExecStart`, `ExecStartPre`, … */
  readonly key: string;
  readonly line: string;
  readonly how: 'exited' | 'killed';
  /** Exit status, or number of the signal. */
  readonly status: number;
}

/** What somebody asked for and waits for. */
export interface UnitJob {
  readonly id: number;
  readonly kind: 'start' | 'stop' | 'restart' | 'reload';
  readonly result: 'done' | 'failed' | null;
}

/** A unit; fields are replaced, what they hold is never changed. */
export interface Unit {
  readonly name: string;
  active: 'active' | 'inactive' | 'failed' | 'activating' | 'deactivating' | 'reloading';
  sub: string;
  /** `success`, `exit-code`, `signal`, `timeout`, `protocol`, `start-limit-hit`, `resources`. */
  result: string;
  /** Since when the state is what it is; 0 for always. */
  sinceUs: number;
  /** When it was last begun to start. */
  beganUs: number;
  /** When it last became active; 0 for never. */
  activeUs: number;
  /** How long it was active the last time. */
  durationUs: number;
  mainPid: number;
  controlPid: number;
  /** Key and line of the control process. */
  control: readonly [key: string, line: string, mayFail: boolean] | null;
  /** How many commands before the start were run. */
  preAt: number;
  main: EndedProcess | null;
  controls: readonly EndedProcess[];
  restarts: number;
  /** When it is started again, on the clock that is never set; 0 for never. */
  restartAtUs: number;
  /** When a stop has taken too long, on the same clock; 0 for never. */
  stopByUs: number;
  starts: readonly number[];
  job: UnitJob | null;
  /** The unit file as it was read, and from where; null where there is none. */
  text: string | null;
  path: string;
}

/** A unit that was never started. */
export function newUnit(name: string): Unit {
  return {
    name,
    active: 'inactive',
    sub: 'dead',
    result: 'success',
    sinceUs: 0,
    beganUs: 0,
    activeUs: 0,
    durationUs: 0,
    mainPid: 0,
    controlPid: 0,
    control: null,
    preAt: 0,
    main: null,
    controls: [],
    restarts: 0,
    restartAtUs: 0,
    stopByUs: 0,
    starts: [],
    job: null,
    text: null,
    path: '',
  };
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  0: 'SUCCESS',
  1: 'FAILURE',
  2: 'INVALIDARGUMENT',
  3: 'NOTIMPLEMENTED',
  4: 'NOPERMISSION',
  5: 'NOTINSTALLED',
  6: 'NOTCONFIGURED',
  7: 'NOTRUNNING',
  200: 'CHDIR',
  203: 'EXEC',
  217: 'USER',
  255: 'EXCEPTION',
};
/** Signals that end a service without a failure. */
const CLEAN_SIGNALS = [1, 2, 13, 15];

/** How a process ended. */
export function endOf(
  status: ExitStatus,
  ran: { readonly pid: number; readonly key: string; readonly line: string },
): EndedProcess {
  const { code, signal } = status;
  return { ...ran, how: code === undefined ? 'killed' : 'exited', status: code ?? signal ?? 0 };
}

/** True where the end is no failure. */
export function isClean({ how, status }: EndedProcess): boolean {
  return how === 'exited' ? status === 0 : CLEAN_SIGNALS.includes(status);
}

/** `code=exited, status=1/FAILURE`. */
export function endWords({ how, status }: EndedProcess): string {
  const word = how === 'exited' ? (STATUS_WORDS[status] ?? 'n/a') : signalName(status);
  return `code=${how}, status=${status}/${word}`;
}

/** What a failure is called. */
export function resultOf(ended: EndedProcess): string {
  if (isClean(ended)) return 'success';
  return ended.how === 'exited' ? 'exit-code' : 'signal';
}

/** The name of a unit with its ending. */
export function unitName(word: string): string {
  return /\.(service|socket|target|timer|mount|path|slice|scope|device|swap|automount)$/.test(word)
    ? word
    : `${word}.service`;
}
