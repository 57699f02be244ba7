/**
 * GNU sed's escapes in scripts: what `\t`, `\x41`, `\o101`, `\d065`, `\cA` mean before anything else reads them.
 *
 * In a regular expression a character made this way stands for itself, so special ones get a backslash.
 */

const SIMPLE: Readonly<Record<string, string>> = { a: '\x07', f: '\f', r: '\r', t: '\t', v: '\v' };

/** Where a text stands. */
export type TextPlace = 'regex' | 'replacement' | 'text';

/** Replaces the escapes that make characters; all others stay for the next reader. */
export function withCharacterEscapes(text: string, place: TextPlace): string {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const here = text[at] ?? '';
    if (here !== '\\') {
      out += here;
      continue;
    }
    const made = characterAt(text, at + 1);
    if (made === undefined) {
      out += here + (text[at + 1] ?? '');
      at++;
      continue;
    }
    out += protectedText(made.character, place);
    at = made.end - 1;
  }
  return out;
}

function protectedText(character: string, place: TextPlace): string {
  if (place === 'regex' && /[$*.[\\\]^/+?(){}|]/.test(character)) return `\\${character}`;
  if (place === 'replacement' && (character === '&' || character === '\\')) return `\\${character}`;
  return character;
}

/** The character that an escape whose letter stands at `at` makes. */
function characterAt(
  text: string,
  at: number,
): { readonly character: string; readonly end: number } | undefined {
  const letter = text[at];
  if (letter === undefined) return undefined;
  const simple = Object.hasOwn(SIMPLE, letter) ? SIMPLE[letter] : undefined;
  if (simple !== undefined) return { character: simple, end: at + 1 };
  if (letter === 'c' && at + 1 < text.length) {
    const code = (text[at + 1] ?? '').toUpperCase().charCodeAt(0) ^ 0x40;
    return { character: String.fromCharCode(code), end: at + 2 };
  }
  const forms = { d: /^\d{1,3}/, o: /^[0-7]{1,3}/, x: /^[0-9a-fA-F]{1,2}/ } as const;
  const bases = { d: 10, o: 8, x: 16 } as const;
  if (letter !== 'd' && letter !== 'o' && letter !== 'x') return undefined;
  const digits = forms[letter].exec(text.slice(at + 1, at + 4))?.[0];
  if (digits === undefined) return undefined;
  const code = Number.parseInt(digits, bases[letter]) & 0xff;
  const character = String.fromCharCode(code < 0x80 ? code : 0xdc00 + code);
  return { character, end: at + 1 + digits.length };
}
