/**
 * Numbers with size suffixes as GNU programs read and print them: `10K`, `2MB`, `1GiB`; `--block-size`, `-h`, `--si`.
 *
 * Source: "Block size" in the manual of coreutils. Numbers beyond 2^53 lose their last digits.
 */

/** A number read from an argument; `overflow` where it is too large for 64 bits. */
export type ReadNumber = number | 'invalid' | 'overflow';

const MAX = 2 ** 64;
const POWERS = 'KMGTPEZY';

/** The factor of a suffix, or undefined where it is none. `letters` are those the program takes; `0` allows `B` and `iB`. */
function suffixFactor(suffix: string, letters: string): number | undefined {
  if (suffix === '') return 1;
  const first = suffix[0] ?? '';
  if (!letters.includes(first)) return undefined;
  const power = POWERS.indexOf(first.toUpperCase()) + 1;
  const rest = suffix.slice(1);
  if (power > 0) {
    if (rest === '') return 1024 ** power;
    if (!letters.includes('0')) return undefined;
    if (rest === 'iB') return 1024 ** power;
    return rest === 'B' || rest === 'D' ? 1000 ** power : undefined;
  }
  if (rest !== '') return undefined;
  return { b: 512, B: 1024, c: 1, w: 2 }[first];
}

/** Reads an unsigned number with a suffix, as `xstrtoumax`. A suffix alone counts as 1 of it. */
export function readSize(text: string, letters: string): ReadNumber {
  const match = /^\s*\+?(\d*)(.*)$/su.exec(text);
  const digits = match?.[1] ?? '';
  const suffix = match?.[2] ?? '';
  if (digits === '' && (suffix === '' || !letters.includes(suffix[0] ?? ''))) return 'invalid';
  const factor = suffixFactor(suffix, letters);
  if (factor === undefined) return 'invalid';
  const value = (digits === '' ? 1 : Number(digits)) * factor;
  return value >= MAX ? 'overflow' : value;
}

/** How sizes are shown: divided by a number, or with letters and the given base. */
export type BlockSize =
  | { readonly kind: 'blocks'; readonly bytes: number; readonly suffix: string }
  | { readonly kind: 'human'; readonly base: 1000 | 1024 };

/** Reads `--block-size=SIZE`; a suffix without number is shown after every size. */
export function readBlockSize(text: string): BlockSize | 'invalid' | 'overflow' {
  const word = text.replace(/^'/, '');
  if (word === 'human-readable') return { kind: 'human', base: 1024 };
  if (word === 'si') return { kind: 'human', base: 1000 };
  const bytes = readSize(word, 'eEgGkKmMpPtTyYzZ0');
  if (typeof bytes !== 'number') return bytes;
  if (bytes === 0) return 'invalid';
  let suffix = '';
  if (!/^\d/.test(word)) {
    suffix = word;
    if (suffix.length === 1) suffix = suffix === 'k' ? 'K' : suffix.toUpperCase();
    else if (/^KB$/i.test(suffix)) suffix = 'kB';
  }
  return { kind: 'blocks', bytes, suffix };
}

/** A size in bytes as the block size asks for; rounds up. */
export function showSize(bytes: number, block: BlockSize): string {
  if (block.kind === 'human') return humanSize(bytes, block.base);
  return String(Math.ceil(bytes / block.bytes)) + block.suffix;
}

/** A size with a letter: `1.1K`, `12M`; rounds up. */
function humanSize(bytes: number, base: 1000 | 1024): string {
  if (bytes < base) return String(bytes);
  const letters = base === 1000 ? 'kMGTPEZY' : POWERS;
  let power = 0;
  let value = bytes;
  while (value >= base && power < letters.length) {
    value /= base;
    power += 1;
  }
  const tenths = Math.ceil(value * 10 - 1e-9);
  if (tenths < 100) return `${(tenths / 10).toFixed(1)}${letters[power - 1]}`;
  const whole = Math.ceil(value - 1e-9);
  if (whole >= base && power < letters.length) return `1.0${letters[power]}`;
  return `${whole}${letters[power - 1]}`;
}
