/**
 * Numbers with unit letters, as `numfmt` reads and writes them.
 *
 * Source: numfmt(1), messages of coreutils 9.1.
 */

/** How numbers are scaled. */
export type Scale = 'none' | 'auto' | 'si' | 'iec' | 'iec-i';

const LETTERS = 'KMGTPEZY';

/** Reads a number; `precision` is how many digits stood behind the point. */
export function readScaled(
  text: string,
  scale: Scale,
  quote: (text: string) => string,
): { value: number; precision: number } | { error: string } {
  const match = /^[ \t]*(-?)(\d*)(?:\.(\d*))?(.*)$/s.exec(text);
  const whole = match?.[2] ?? '';
  const fraction = match?.[3];
  const rest = match?.[4] ?? '';
  if (match === null || (whole === '' && (fraction === undefined || fraction === '')))
    return { error: `invalid number: ${quote(text)}` };
  const number = Number(`${whole || '0'}.${fraction || '0'}`);
  const sign = match[1] === '-' ? -1 : 1;
  const precision = fraction?.length ?? 0;
  if (rest === '') {
    if (scale === 'iec-i') return { value: sign * number, precision };
    return { value: sign * number, precision };
  }
  const power = LETTERS.indexOf(rest[0] ?? '') + 1;
  if (power === 0) {
    if (/^[KMGTPEZY]/.test(rest.trimStart())) return { error: `invalid suffix in input: ${quote(text)}` };
    return {
      error:
        /^[a-zA-Z]/.test(rest) || rest.startsWith(' ') || scale !== 'none'
          ? `invalid suffix in input: ${quote(text)}`
          : `invalid number: ${quote(text)}`,
    };
  }
  if (scale === 'none') return { error: `rejecting suffix in input: ${quote(text)} (consider using --from)` };
  let base = scale === 'si' || scale === 'auto' ? 1000 : 1024;
  let after = rest.slice(1);
  if (after.startsWith('i') && (scale === 'auto' || scale === 'iec-i')) {
    base = 1024;
    after = after.slice(1);
  } else if (scale === 'iec-i')
    return { error: `missing 'i' suffix in input: ${quote(text)} (e.g Ki/Mi/Gi)` };
  if (after !== '') return { error: `invalid suffix in input ${quote(text)}: ${quote(after)}` };
  return { value: sign * number * base ** power, precision: 0 };
}

function rounded(value: number, how: string): number {
  const near = Math.round(value);
  if (Math.abs(value - near) < 1e-9 * Math.max(1, Math.abs(value))) return near;
  switch (how) {
    case 'up':
      return Math.ceil(value);
    case 'down':
      return Math.floor(value);
    case 'from-zero':
      return value < 0 ? Math.floor(value) : Math.ceil(value);
    case 'towards-zero':
      return Math.trunc(value);
    default:
      return value < 0 ? -Math.round(-value) : Math.round(value);
  }
}

/** Writes a number. */
export function formatScaled(
  value: number,
  how: { to: Scale; round: string; inputPrecision: number; precision: number | undefined },
): string {
  if (how.to === 'none') {
    const digits = how.precision ?? how.inputPrecision;
    const factor = 10 ** digits;
    return (rounded(value * factor, how.round) / factor).toFixed(digits);
  }
  const base = how.to === 'si' ? 1000 : 1024;
  let power = 0;
  let scaled = value;
  while (Math.abs(scaled) >= base && power < LETTERS.length) {
    scaled /= base;
    power += 1;
  }
  const digits = how.precision ?? (power > 0 && Math.abs(scaled) < 10 ? 1 : 0);
  let shown = rounded(scaled * 10 ** digits, how.round) / 10 ** digits;
  if (Math.abs(shown) >= base && power < LETTERS.length) {
    shown /= base;
    power += 1;
  }
  const shownDigits = how.precision ?? (shown !== 0 && Math.abs(shown) < 10 && power > 0 ? 1 : 0);
  const letter = power === 0 ? '' : (LETTERS[power - 1] ?? '') + (how.to === 'iec-i' ? 'i' : '');
  return shown.toFixed(shownDigits) + letter;
}
