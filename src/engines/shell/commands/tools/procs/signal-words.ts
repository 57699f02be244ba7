/**
 * Names of signals as procps and psmisc read them.
 */
const NAMES =
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH POLL PWR SYS'.split(
    ' ',
  );

/** What `killall -l` prints. */
export const SIGNAL_LIST = `${NAMES.slice(0, 16).join(' ')}\n${NAMES.slice(16).join(' ')}\n`;

/** The number of a name (`TERM`, `SIGTERM`) or number; undefined for none. */
export function signalNumber(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word) <= 64 ? Number(word) : undefined;
  const at = NAMES.indexOf(word.toUpperCase().replace(/^SIG/, ''));
  return at < 0 ? undefined : at + 1;
}
