/**
 * How GNU programs quote names in what they print: the quoting styles of `ls --quoting-style`, and the three that
 * messages use.
 *
 * The idea: a name is walked once; a character that the style cannot show bare makes the walk start again with outer
 * quotes. Source: the manual of coreutils, "Formatting the file names", and the behaviour of coreutils 9.1.
 */

/** The styles of `ls --quoting-style=WORD`. */
export type QuotingStyle =
  | 'literal'
  | 'shell'
  | 'shell-always'
  | 'shell-escape'
  | 'shell-escape-always'
  | 'c'
  | 'escape'
  | 'locale'
  | 'clocale';

/** What quoting depends on beside the style. */
export interface QuoteSetting {
  /** The locale's characters are UTF-8: curly quotes, and letters beyond ASCII are shown. */
  readonly isUtf8: boolean;
  /** Characters to be quoted although the style would not. */
  readonly also?: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': 'a',
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
};
const SPECIAL = new Set('!"$&()*;<=>[^`|? \\');
const PLAIN = /^[%+,\-./0-9:A-Z\]_a-z]+$/;
const COMPATIBLE = /[%+,\-./0-9:A-Z\]_a-z ']/;
const UNPRINTABLE = /[\p{Cc}\p{Cn}\p{Cs}\u2028\u2029]/u;

/** True where a terminal of the locale can show the character. A lone surrogate stands for a byte that is no text. */
function isPrintable(character: string, isUtf8: boolean): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return code >= 0x20 && code !== 0x7f;
  return isUtf8 && !UNPRINTABLE.test(character);
}

/** The bytes of one character as octal escapes, without the first backslash: `303\251`. */
function octalEscapes(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const bytes: number[] = [];
  if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
  else if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  else
    bytes.push(
      0xf0 | (code >> 18),
      0x80 | ((code >> 12) & 63),
      0x80 | ((code >> 6) & 63),
      0x80 | (code & 63),
    );
  return bytes.map((byte) => byte.toString(8).padStart(3, '0'));
}

/** The escape of a character without its first backslash, or undefined where it may stand as it is. */
function escapeOf(character: string, next: string | undefined, isUtf8: boolean): string | undefined {
  if (character === '\0') return next !== undefined && next >= '0' && next <= '9' ? '000' : '0';
  const short = ESCAPES[character];
  if (short !== undefined) return short;
  return isPrintable(character, isUtf8) ? undefined : octalEscapes(character).join('\\');
}

function needsShellQuotes(text: string, setting: QuoteSetting, escapes: boolean): boolean {
  if (text === '') return true;
  if (text === '{' || text === '}') return true;
  const first = text[0];
  if (first === '#' || first === '~') return true;
  for (const character of text) {
    if (SPECIAL.has(character) || character === "'" || setting.also?.includes(character)) return true;
    if (character === '\n' || character === '\t' || character === '\r') return true;
    if (escapes && !isPrintable(character, setting.isUtf8)) return true;
  }
  return false;
}

function shellQuoted(text: string, setting: QuoteSetting, escapes: boolean): string {
  if (text.includes("'")) {
    const isCompatible = [...text].every(
      (character, index) =>
        COMPATIBLE.test(character) || (index === 0 && (character === '#' || character === '~')),
    );
    if (isCompatible) return `"${text}"`;
  }
  let quoted = "'";
  let isPending = false;
  const characters = [...text];
  characters.forEach((character, index) => {
    const code = escapes ? escapeOf(character, characters[index + 1], setting.isUtf8) : undefined;
    if (code !== undefined) {
      if (!isPending) quoted += "'$'";
      isPending = true;
      quoted += `\\${code}`;
      return;
    }
    if (character === "'") {
      quoted += "'\\''";
      isPending = false;
      return;
    }
    if (isPending) {
      quoted += "''";
      isPending = false;
    }
    quoted += character;
  });
  return `${quoted}'`;
}

function escaped(text: string, setting: QuoteSetting, alsoEscaped: string): string {
  const characters = [...text];
  return characters
    .map((character, index) => {
      const code = escapeOf(character, characters[index + 1], setting.isUtf8);
      if (code !== undefined) return `\\${code}`;
      return character === '\\' || alsoEscaped.includes(character) || setting.also?.includes(character)
        ? `\\${character}`
        : character;
    })
    .join('');
}

/** A name in one of the styles. */
export function quoteText(text: string, style: QuotingStyle, setting: QuoteSetting): string {
  switch (style) {
    case 'literal':
      return text;
    case 'shell':
    case 'shell-escape': {
      const escapes = style === 'shell-escape';
      if (setting.also === undefined && PLAIN.test(text)) return text;
      return needsShellQuotes(text, setting, escapes) ? shellQuoted(text, setting, escapes) : text;
    }
    case 'shell-always':
      return shellQuoted(text, setting, false);
    case 'shell-escape-always':
      return shellQuoted(text, setting, true);
    case 'c':
      return `"${escaped(text, setting, '"')}"`;
    case 'escape':
      return escaped(text, setting, '');
    case 'locale':
    case 'clocale':
      if (setting.isUtf8) return `‘${escaped(text, setting, '’')}’`;
      return style === 'locale' ? `'${escaped(text, setting, "'")}'` : `"${escaped(text, setting, '"')}"`;
  }
}
