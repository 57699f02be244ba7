/**
 * What `time` prints, by `TIMEFORMAT`.
 */
import type { Shell } from '../shell.js';

/** Used time. */
interface Used {
  readonly realUs: number;
  readonly usedUs: number;
  readonly posix: boolean;
}

function seconds(us: number, digits: number): string {
  return (Math.floor(us / 1000) / 1000).toFixed(digits);
}

function long(us: number, digits: number): string {
  const minutes = Math.floor(us / 60e6);
  return `${minutes}m${seconds(us - minutes * 60e6, digits)}s`;
}

/** The report of `time`, with its newline. */
export function timeReport(shell: Shell, used: Used): string {
  const format = shell.variables.find('TIMEFORMAT')?.value;
  const pattern = used.posix
    ? 'real %2R\nuser %2U\nsys %2S'
    : (format ?? '\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS');
  if (pattern === '') return '';
  const text = pattern.replace(
    /%(?:(%)|([0-9])?(l)?([RUSP]))/g,
    (_whole, percent, digits, isLong, letter) => {
      if (percent !== undefined) return '%';
      const count = Math.min(3, Number(digits ?? 3));
      if (letter === 'P') return (used.realUs === 0 ? 0 : (used.usedUs / used.realUs) * 100).toFixed(2);
      const us = letter === 'R' ? used.realUs : letter === 'U' ? used.usedUs : 0;
      return isLong === undefined ? seconds(us, count) : long(us, count);
    },
  );
  return `${text}\n`;
}
