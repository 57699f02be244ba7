/**
 * Regular expressions in jq: Oniguruma's Perl syntax through the Perl reader, with jq's flags.
 */
import { parsePerl } from '../regex/parse-perl.js';
import { Regex } from '../regex/regex.js';
import { RegexBudgetError, RegexSyntaxError } from '../regex/regex-tree.js';
import { JqError, type JqValue, typeOf } from './values.js';

/** One match: places in the text, and the groups. */
export interface MatchFound {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly groups: readonly { readonly start: number; readonly end: number; readonly name: JqValue }[];
}

/** The matches of a pattern: the first, or with `g` all. Raises {@link JqError}. */
export function matches(text: string, pattern: JqValue, flags: string): readonly MatchFound[] {
  if (typeof pattern !== 'string') throw new JqError(`${typeOf(pattern)} not a string or array`);
  const wrong = [...flags].find((one) => !'gimnpslx'.includes(one));
  if (wrong !== undefined) throw new JqError(`${flags} is not a valid modifier string`);
  const modes = `${flags.includes('x') ? 'x' : ''}${/[sp]/.test(flags) ? 's' : ''}`;
  try {
    const tree = parsePerl(modes === '' ? pattern : `(?${modes})${pattern}`, flags.includes('i'));
    return found(new Regex(tree), text, { all: flags.includes('g'), names: tree.names ?? new Map() });
  } catch (error) {
    if (error instanceof RegexSyntaxError)
      throw new JqError(`${pattern} (at offset 0) is not a valid regex: ${error.message}`);
    if (error instanceof RegexBudgetError) throw new JqError(`${pattern} takes too long to match`);
    throw error;
  }
}

function found(
  regex: Regex,
  text: string,
  { all, names }: { readonly all: boolean; readonly names: ReadonlyMap<string, number> },
): readonly MatchFound[] {
  const out: MatchFound[] = [];
  for (let from = 0; from <= text.length; ) {
    const match = regex.search(text, from);
    if (match === null) break;
    const [start = 0, end = 0] = [match[0], match[1]];
    const groups = Array.from({ length: regex.groups }, (_, at) => {
      const name = [...names].find(([, index]) => index === at + 1)?.[0] ?? null;
      return { start: match[2 * at + 2] ?? -1, end: match[2 * at + 3] ?? -1, name };
    });
    out.push({ text, start, end, groups });
    if (!all) break;
    from = end > start ? end : end + 1;
  }
  return out;
}

/** A text with its matches replaced; `make` gets the named groups. */
export function replaced(
  text: string,
  all: readonly MatchFound[],
  make: (captures: JqValue) => string,
): string {
  let out = '';
  let at = 0;
  for (const { start, end, groups } of all) {
    const captures = new Map<string, JqValue>();
    for (const group of groups)
      if (typeof group.name === 'string')
        captures.set(group.name, group.start < 0 ? null : text.slice(group.start, group.end));
    out += text.slice(at, start) + make(captures);
    at = end;
  }
  return out + text.slice(at);
}
