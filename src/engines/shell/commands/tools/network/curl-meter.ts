/**
 * The progress meter of curl. Source: `lib/progress.c` of curl 7.88.1.
 */

/** Its title. */
export const METER_TITLE =
  '  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current\n                                 Dload  Upload   Total   Spent    Left  Speed\n';
/** Its line before anything came. */
export const METER_NOTHING =
  '\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0';

/** Sizes in five columns. */
function fiveColumns(bytes: number): string {
  if (bytes < 100_000) return String(bytes).padStart(5);
  const kilo = 1024;
  if (bytes < 10_000 * kilo) return `${String(Math.floor(bytes / kilo)).padStart(4)}k`;
  const mega = kilo * kilo;
  if (bytes < 100 * mega)
    return `${String(Math.floor(bytes / mega)).padStart(2)}.${Math.floor((bytes % mega) / (mega / 10))}M`;
  return `${String(Math.floor(bytes / mega)).padStart(4)}M`;
}

function clock(seconds: number): string {
  if (seconds <= 0) return '--:--:--';
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(Math.floor(seconds / 3600)).padStart(2)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The line of a transfer that is over. */
export function meterLine(done: { readonly down: number; readonly up: number; readonly us: number }): string {
  const { down, up, us } = done;
  if (down === 0 && up === 0) return METER_NOTHING;
  const seconds = Math.max(us, 1000) / 1e6;
  const speed = (bytes: number): string => fiveColumns(Math.floor(bytes / seconds));
  const whole = Math.floor(us / 1e6);
  const columns = [
    `${'100'} ${fiveColumns(down + up)}`,
    ` ${down > 0 ? '100' : '  0'} ${fiveColumns(down)}`,
    ` ${up > 0 ? '100' : '  0'} ${fiveColumns(up)}`,
    ` ${speed(down)} ${speed(up).padStart(6)}`,
  ];
  return `\r${columns.join(' ')} ${clock(whole)} ${clock(whole)} --:--:-- ${speed(down + up)}`;
}
