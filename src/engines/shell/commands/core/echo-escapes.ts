/**
 * Backslash escapes of `echo -e`.
 *
 * Source: echo(1): `\a \b \c \e \f \n \r \t \v \\ \0NNN \xHH`.
 */

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

/** A byte as text: itself in ASCII, escaped above. */
function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

/** Replaces the escapes; `stops` is set where `\c` ended the output. */
export function unescapeEcho(text: string): { readonly text: string; readonly stops: boolean } {
  let result = '';
  let at = 0;
  while (at < text.length) {
    const next = text[at + 1];
    if (text[at] !== '\\' || next === undefined) {
      result += text[at];
      at += 1;
      continue;
    }
    if (next === 'c') return { text: result, stops: true };
    const simple = SIMPLE[next];
    const octal = /^0[0-7]{0,3}/.exec(text.slice(at + 1, at + 5))?.[0];
    const hex = /^x[0-9a-fA-F]{1,2}/.exec(text.slice(at + 1, at + 4))?.[0];
    if (simple !== undefined) result += simple;
    else if (octal !== undefined) result += byteText(Number.parseInt(octal, 8) & 0xff);
    else if (hex !== undefined) result += byteText(Number.parseInt(hex.slice(1), 16));
    else result += `\\${next}`;
    at += 1 + (octal?.length ?? hex?.length ?? 1);
  }
  return { text: result, stops: false };
}
