/**
 * Tags in text that arrives in pieces: a scanner that never splits a tag, and pairs thinking with its end.
 *
 * The scanner gives the same tokens however the text is cut. Tags are matched without regard to case and without
 * attributes. What the tokens mean is in `reading-answer.ts`.
 */

/** A piece of text or a tag. `raw` of a tag is the tag as it was written. */
export type TagToken =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'open' | 'close'; readonly tag: string; readonly raw: string };

/** Reads tags out of text that arrives in pieces. */
export interface TagScanner {
  /** Takes the next piece and gives every token that is certain now. Neighbouring texts are not joined. */
  push(chunk: string): readonly TagToken[];
  /** Gives what was held back because it could have become a tag. */
  end(): readonly TagToken[];
}

/** Makes a scanner for tags with these lower-case names. */
export function createTagScanner(tags: readonly string[]): TagScanner {
  const forms = tags.flatMap((tag) => [
    { form: `<${tag}>`, kind: 'open' as const, tag },
    { form: `</${tag}>`, kind: 'close' as const, tag },
  ]);
  const longest = Math.max(...forms.map(({ form }) => form.length));
  let held = '';
  const scan = (text: string, last: boolean): readonly TagToken[] => {
    const tokens: TagToken[] = [];
    let done = 0;
    for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
      const ahead = text.slice(at, at + longest).toLowerCase();
      const match = forms.find(({ form }) => ahead.startsWith(form));
      if (match !== undefined) {
        if (at > done) tokens.push({ kind: 'text', raw: text.slice(done, at) });
        done = at + match.form.length;
        tokens.push({ kind: match.kind, tag: match.tag, raw: text.slice(at, done) });
        at = done;
      } else if (!last && forms.some(({ form }) => form.startsWith(ahead))) {
        if (at > done) tokens.push({ kind: 'text', raw: text.slice(done, at) });
        held = text.slice(at);
        return tokens;
      } else at++;
    }
    held = '';
    if (done < text.length) tokens.push({ kind: 'text', raw: text.slice(done) });
    return tokens;
  };
  return {
    push: (chunk) => scan(held + chunk, false),
    end: () => scan(held, true),
  };
}

/** Joins neighbouring texts, so that tokens do not depend on how the text was cut. */
export function joinTexts(tokens: readonly TagToken[]): readonly TagToken[] {
  const joined: TagToken[] = [];
  let texts: string[] = [];
  const flush = (): void => {
    if (texts.length > 0) joined.push({ kind: 'text', raw: texts.join('') });
    texts = [];
  };
  for (const token of tokens) {
    if (token.kind === 'text') texts.push(token.raw);
    else {
      flush();
      joined.push(token);
    }
  }
  flush();
  return joined;
}
