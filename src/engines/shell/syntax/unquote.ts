/**
 * Quote removal from text that is not expanded: here-document delimiters and names.
 */

/** The delimiter of a here-document without quotes, and whether it had any. */
export function unquotedDelimiter(text: string): { text: string; quoted: boolean } {
  let out = '';
  let quote = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote === "'") {
      if (char === "'") quote = '';
      else out += char;
    } else if (char === '\\') {
      const next = text[at + 1] ?? '';
      quoted = true;
      if (quote === '"' && !'$`"\\\n'.includes(next)) out += char;
      out += next;
      at += 1;
    } else if (char === '"' || (char === "'" && quote === '')) {
      quoted = true;
      quote = quote === char ? '' : char;
    } else out += char;
  }
  return { text: out, quoted };
}
