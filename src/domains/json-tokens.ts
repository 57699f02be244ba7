/**
 * Valid JSON as tokens with offsets, for rules that speak about places in a text.
 *
 * The text must have been read as JSON before: nothing is checked here. Strings keep their quotes.
 */

/** One token of valid JSON and where it stands. */
export interface JsonToken {
  readonly token: string;
  readonly index: number;
  /** The innermost open container is an object; of an opening or closing bracket, the one around it. */
  readonly inObject: boolean;
}

const SCALAR = /[^\s,:{}[\]"]+/y;

/** The tokens of valid JSON, white space left out. */
export function* jsonTokens(text: string): Generator<JsonToken> {
  const inside: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    let end = at + 1;
    if (/\s/.test(char)) {
      at = end;
      continue;
    }
    if (char === '"') end = endOfString(text, at);
    else if (!',:{}[]'.includes(char)) {
      SCALAR.lastIndex = at;
      end = SCALAR.test(text) ? SCALAR.lastIndex : end;
    }
    if (char === '}' || char === ']') inside.pop();
    yield { token: text.slice(at, end), index: at, inObject: inside.at(-1) === '{' };
    if (char === '{' || char === '[') inside.push(char);
    at = end;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}
