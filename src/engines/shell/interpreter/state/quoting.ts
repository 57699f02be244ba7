/**
 * Quoting values so that the shell reads them back: `%q`, `@Q`, `declare -p`, `set`, `xtrace`.
 *
 * Source: the forms as observed in bash 5.2.
 */

const CONTROL: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\x1b': '\\E',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  "'": "\\'",
};

/** Whether a text has characters that only `$'…'` can show. */
export function needsAnsiQuotes(text: string): boolean {
  return (
    /[\x00-\x1f\x7f\u0080-\u009f\udc80-\udcff]/.test(text) &&
    /[\x00-\x1f\x7f\u0080-\u009f]|\p{Surrogate}/u.test(text)
  );
}

/** `$'…'`. */
export function ansiQuoted(text: string): string {
  let out = "$'";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    const known = CONTROL[char];
    if (known !== undefined) out += known;
    else if (code < 0x20 || code === 0x7f) out += `\\${code.toString(8).padStart(3, '0')}`;
    else if (code >= 0xdc80 && code <= 0xdcff) out += `\\${(code - 0xdc00).toString(8)}`;
    else if (code >= 0x80 && code < 0xa0) out += `\\302\\${code.toString(8)}`;
    else out += char;
  }
  return `${out}'`;
}

/** `'…'`, with inner quotes as `'\''`. */
export function singleQuoted(text: string): string {
  return text === "'" ? "\\'" : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Backslashes before special characters: `printf %q`. */
export function backslashQuoted(text: string): string {
  if (text === '') return "''";
  if (needsAnsiQuotes(text)) return ansiQuoted(text);
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    const special =
      ' \t\n\'"\\|&;()<>!{}*[?]^$`,'.includes(char) ||
      (char === '#' && at === 0) ||
      (char === '~' && (at === 0 || text[at - 1] === ':' || text[at - 1] === '='));
    out += special ? `\\${char}` : char;
  }
  return out;
}

/** `"…"` with escapes, as `declare -p` shows values. */
export function declaredValue(text: string): string {
  if (needsAnsiQuotes(text)) return ansiQuoted(text);
  return `"${text.replace(/["\\$`]/g, '\\$&')}"`;
}

/** A value as `set` and `trace` show it: quoted only where that is needed. */
function quotedWhereNeeded(text: string): string {
  if (text === '') return "''";
  if (needsAnsiQuotes(text)) return ansiQuoted(text);
  return containsSpecial(text) ? singleQuoted(text) : text;
}

/** Whether the shell would not read a text back as one plain word. */
export function containsSpecial(text: string): boolean {
  return /[\s'"\\|&;()<>!{}*[\]?^$`]|^#|^~|[=:]~/.test(text);
}

/** The value of `set`: empty stays empty. */
export function setValue(text: string): string {
  return text === '' ? '' : quotedWhereNeeded(text);
}

/** A subscript of an associative array as `declare -p` shows it. */
export function declaredKey(key: string): string {
  if (key === '' || needsAnsiQuotes(key) || containsSpecial(key) || key === '@' || key === '*')
    return declaredValue(key);
  return key;
}
