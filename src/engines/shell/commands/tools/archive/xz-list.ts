/**
 * What `xz --list` prints of files.
 *
 * Source: xz(1).
 */

/** A file that is listed; sizes in bytes. */
export interface XzListed {
  readonly name: string;
  readonly packed: number;
  readonly plain: number;
  readonly streams: number;
  readonly blocks: number;
  readonly check: string;
}

/** A size with its unit: bytes up to 9,999. */
export function xzSize(bytes: number): string {
  if (bytes < 10_000) return `${bytes} B`;
  const inKib = bytes / 1024;
  return inKib < 10_000 ? `${inKib.toFixed(1)} KiB` : `${(inKib / 1024).toFixed(1)} MiB`;
}

function ratio(packed: number, plain: number): string {
  const value = packed / plain;
  return plain === 0 || value > 9.999 ? '---' : value.toFixed(3);
}

function row(one: XzListed): string {
  const counts = `${String(one.streams).padStart(5)} ${String(one.blocks).padStart(7)}`;
  const sizes = `${xzSize(one.packed).padStart(11)} ${xzSize(one.plain).padStart(12)}`;
  return `${counts}  ${sizes}  ${ratio(one.packed, one.plain).padStart(5)}  ${one.check.padEnd(7)} ${one.name}\n`;
}

function robotRow(kind: string, one: XzListed): string {
  return [
    kind,
    one.streams,
    one.blocks,
    one.packed,
    one.plain,
    ratio(one.packed, one.plain),
    one.check,
    0,
  ].join('\t');
}

/** The line of one file, with the heading before the first. */
export function listText(
  one: XzListed,
  how: { readonly isFirst: boolean; readonly isRobot: boolean },
): string {
  if (how.isRobot) return `name\t${one.name}\n${robotRow('file', one)}\n`;
  const heading = 'Strms  Blocks   Compressed Uncompressed  Ratio  Check   Filename\n';
  return (how.isFirst ? heading : '') + row(one);
}

/** The sums under more than one file; for scripts always. */
export function listTotals(all: readonly XzListed[], isRobot: boolean): string {
  const sum = (of: (one: XzListed) => number): number => all.reduce((total, one) => total + of(one), 0);
  const whole: XzListed = {
    name: `${all.length} files`,
    packed: sum((one) => one.packed),
    plain: sum((one) => one.plain),
    streams: sum((one) => one.streams),
    blocks: sum((one) => one.blocks),
    check: [...new Set(all.map((one) => one.check))].join(','),
  };
  if (isRobot) return all.length === 0 ? '' : `${robotRow('totals', whole)}\t${all.length}\n`;
  return all.length < 2 ? '' : `${'-'.repeat(79)}\n${row(whole)}`;
}
