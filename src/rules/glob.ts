/**
 * Globs in linear time, for the `on:` and `reveal.on` fields of world files.
 *
 * `*` any text (also none), `?` one character, `[abc]` `[a-z]` `[!abc]` one of (or none of) a set, `{a,b}` either,
 * `\x` the character x itself. A glob matches the whole text; letter case counts; `*` also matches `/`, because what
 * is matched are tool names, command lines and URLs. Translated to RE2, so `a*a*a*b` costs no more than its length.
 * Not covered: `**` as something else than `*`, extended globs such as `+(a)`.
 */
import { fail, LIMITS, ok, type Result, RuleError } from '../core/index.js';
import { compilePattern } from './pattern.js';

/** A compiled glob. */
export interface Glob {
  /** The glob as written. */
  readonly source: string;
  /** True when the glob matches the whole text. */
  matches(text: string): boolean;
}

/**
 * Compiles a glob. Errors: `rules/syntax` for an unclosed `[` or `{`, a lonely `}`, a backslash at the end, or an
 * empty set; `rules/budget` for one longer than `LIMITS.rulePatternChars` or larger than `LIMITS.rulePatternSize`.
 */
export function compileGlob(source: string): Result<Glob, RuleError> {
  if (source.length > LIMITS.rulePatternChars) {
    return fail(
      problem(source, `${source.length} characters; the limit is ${LIMITS.rulePatternChars}`, 'rules/budget'),
    );
  }
  // A glob without marks is a plain text: no machine needed.
  if (!/[*?[\]{}\\]/.test(source)) return ok({ source, matches: (text) => text === source });
  const translated = translate(source);
  if (!translated.ok) return translated;
  const pattern = compilePattern(translated.value, { dotAll: true });
  if (!pattern.ok) {
    const code = pattern.error.code === 'rules/budget' ? 'rules/budget' : 'rules/syntax';
    return fail(problem(source, pattern.error.message, code));
  }
  return ok({ source, matches: (text) => pattern.value.matchesAll(text) });
}

function problem(source: string, what: string, code: 'rules/syntax' | 'rules/budget'): RuleError {
  const shown = JSON.stringify(source.length <= 80 ? source : `${source.slice(0, 77)}...`);
  return new RuleError(`the glob ${shown} cannot be used: ${what}`, {
    code,
    data: { glob: source.slice(0, 200) },
  });
}

function translate(source: string): Result<string, RuleError> {
  let pattern = '';
  let braces = 0;
  for (let i = 0; i < source.length; i++) {
    const unit = source[i] ?? '';
    if (unit === '\\') {
      if (++i >= source.length)
        return fail(problem(source, 'a backslash at its end escapes nothing', 'rules/syntax'));
      pattern += literal(source[i] ?? '');
    } else if (unit === '[') {
      const set = readSet(source, i);
      if (set === undefined)
        return fail(problem(source, 'a [ is not closed by ], or holds nothing', 'rules/syntax'));
      pattern += set.pattern;
      i = set.end;
    } else if (unit === '*') pattern += '.*';
    else if (unit === '?') pattern += '.';
    else if (unit === '{') {
      braces++;
      pattern += '(?:';
    } else if (unit === '}' && braces-- > 0) pattern += ')';
    else if (unit === '}') return fail(problem(source, 'a } closes nothing; write \\}', 'rules/syntax'));
    else if (unit === ',' && braces > 0) pattern += '|';
    else pattern += literal(unit);
  }
  return braces === 0 ? ok(pattern) : fail(problem(source, 'a { is not closed by }', 'rules/syntax'));
}

/** One UTF-16 unit as a pattern that matches just it; halves of a pair stay side by side and form one character. */
function literal(unit: string): string {
  return /[A-Za-z0-9_\u0080-\uffff]/.test(unit) ? unit : `\\x{${unit.charCodeAt(0).toString(16)}}`;
}

function readSet(source: string, open: number): { pattern: string; end: number } | undefined {
  const negated = source[open + 1] === '!' || source[open + 1] === '^';
  const start = negated ? open + 2 : open + 1;
  let body = '';
  for (let i = start; i < source.length; i++) {
    const unit = source[i] ?? '';
    if (unit === ']' && i > start) return { pattern: `[${negated ? '^' : ''}${body}]`, end: i };
    const isRange = unit === '-' && i > start && source[i + 1] !== ']' && i + 1 < source.length;
    if (unit === '\\' && i + 1 < source.length) body += literal(source[++i] ?? '');
    else body += isRange ? '-' : literal(unit);
  }
  return undefined;
}
