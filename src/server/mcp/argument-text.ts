/**
 * The exact text of a tool call's arguments, cut out of the message that holds it.
 *
 * A turn stores what the client sent: `1.0` stays `1.0`, big integers and the order of keys stay. A message is read
 * into values for the protocol; this looks up where in its text the arguments stand. The text must be JSON already
 * (somebody parsed it), so the scan only counts brackets outside strings; it is linear. Of a key that stands twice
 * the last counts, as for every JSON reader.
 */

/** The text of `params.arguments` of a message, or undefined where there is none. */
export function argumentText(message: string): string | undefined {
  const params = memberText(message, 'params');
  return params === undefined ? undefined : memberText(params, 'arguments');
}

/** The text of one member of the JSON object that a text is, or undefined. */
function memberText(text: string, key: string): string | undefined {
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  let found: string | undefined;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const isKey = sameKey(text.slice(at, keyEnd), key);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = valueEnd(text, start);
    if (isKey) found = text.slice(start, end).trimEnd();
    at = skipSpace(text, end);
    if (text[at] !== ',') break;
    at = skipSpace(text, at + 1);
  }
  return found;
}

function sameKey(written: string, key: string): boolean {
  return written === `"${key}"` || (written.includes('\\') && JSON.parse(written) === key);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

/** The offset after the string that starts here. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** The offset of the comma or bracket after the value that starts here. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const char = text[at];
    if (char === '"') {
      at = stringEnd(text, at);
      continue;
    }
    if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      if (depth === 0) return at;
      depth--;
    } else if (char === ',' && depth === 0) return at;
    at++;
  }
  return at;
}
