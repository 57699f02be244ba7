/**
 * Numbers of shell arithmetic as text: decimal, 0octal, 0xhex and base#digits up to base 64.
 */

/** Why a text is no number, in bash's words. */
export type NumberFault =
  | 'invalid arithmetic base'
  | 'value too great for base'
  | 'invalid integer constant'
  | 'invalid number';

function digitValue(char: string, base: number): number {
  const code = char.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 122) return code - 97 + 10;
  if (code >= 65 && code <= 90) return base <= 36 ? code - 65 + 10 : code - 65 + 36;
  if (char === '@') return 62;
  return char === '_' ? 63 : 64;
}

/** The value of a number token, wrapped to 64 bits, or what is wrong with it. */
export function numberOfText(token: string): bigint | NumberFault {
  if (/^(0|[1-9]\d{0,14})$/.test(token)) return BigInt(token);
  let base = 10;
  let digits = token;
  const hash = token.indexOf('#');
  if (hash !== -1) {
    const named = token.slice(0, hash);
    if (!/^\d+$/.test(named)) return 'value too great for base';
    if (named.startsWith('0') && named.length > 1) return 'invalid number';
    base = Number(named);
    if (base < 2 || base > 64) return 'invalid arithmetic base';
    digits = token.slice(hash + 1);
    if (digits === '') return 'invalid integer constant';
    if (digits.includes('#')) return 'invalid number';
  } else if (/^0[xX]/.test(token)) {
    base = 16;
    digits = token.slice(2);
  } else if (token.startsWith('0')) {
    base = 8;
    digits = token.slice(1);
  }
  let value = 0n;
  const wide = BigInt(base);
  for (const char of digits) {
    const digit = digitValue(char, base);
    if (digit >= base) return 'value too great for base';
    value = BigInt.asIntN(64, value * wide + BigInt(digit));
  }
  return value;
}
