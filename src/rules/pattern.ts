/**
 * Regular expressions in linear time: RE2 syntax on re2js, with bounded size and known cost.
 *
 * RE2 (github.com/google/re2/wiki/Syntax) has no back-tracking, hence no catastrophic patterns; its cost is at most
 * text length × program size, so both are bounded and the product is what a rule pays. The size is estimated before
 * compiling, because `(…){1000}` is short to write and long to compile. Not covered: look-around, backreferences.
 */
import { RE2JS, RE2JSException } from 're2js';
import { fail, LIMITS, ok, type Result, RuleError } from '../core/index.js';
import { WarmProgram } from './warm-programs.js';

/** A compiled regular expression. Safe on any text. */
export interface Pattern {
  /** The regular expression as written. */
  readonly source: string;
  /** Instructions of the compiled program. */
  readonly size: number;
  /** True when it matches somewhere in the text. */
  test(text: string): boolean;
  /** True when it matches the whole text. */
  matchesAll(text: string): boolean;
}

/** How a pattern is read. */
export interface PatternOptions {
  /** Letter case does not matter. Default false. */
  readonly ignoreCase?: boolean;
  /** `.` also matches line ends. Default false. */
  readonly dotAll?: boolean;
}

/**
 * Compiles a regular expression in RE2 syntax. Errors: `rules/syntax` for what RE2 does not have (look-around,
 * backreferences, possessive quantifiers) and for mistakes, with the next step; `rules/budget` for a pattern longer
 * than `LIMITS.rulePatternChars` or larger than `LIMITS.rulePatternSize`.
 */
export function compilePattern(source: string, options: PatternOptions = {}): Result<Pattern, RuleError> {
  if (source.length > LIMITS.rulePatternChars) {
    return tooLarge(
      source,
      `${source.length} characters; the limit is ${LIMITS.rulePatternChars} (rulePatternChars)`,
    );
  }
  const estimate = estimateSize(source);
  if (estimate > LIMITS.rulePatternSize) {
    return tooLarge(
      source,
      `about ${estimate} instructions; the limit is ${LIMITS.rulePatternSize} (rulePatternSize)`,
    );
  }
  try {
    const flags = (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | (options.dotAll ? RE2JS.DOTALL : 0);
    const pattern = wrap(source, () => RE2JS.compile(source, flags));
    if (pattern.size <= LIMITS.rulePatternSize) return ok(pattern);
    return tooLarge(
      source,
      `${pattern.size} instructions; the limit is ${LIMITS.rulePatternSize} (rulePatternSize)`,
    );
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return fail(refused(source, error));
  }
}

function wrap(source: string, compile: () => RE2JS): Pattern {
  const first = compile();
  const size = first.programSize();
  const program = new WarmProgram(compile, size, first);
  return {
    source,
    size,
    test: (text) => program.use(text.length, (compiled) => compiled.test(text)),
    matchesAll: (text) => program.use(text.length, (compiled) => compiled.testExact(text)),
  };
}

function tooLarge(source: string, what: string): Result<Pattern, RuleError> {
  const message = `the pattern ${display(source)} has ${what}; shorten it or lower its repeat counts`;
  return fail(new RuleError(message, { code: 'rules/budget', data: { pattern: source.slice(0, 200) } }));
}

function refused(source: string, cause: RE2JSException): RuleError {
  const reason = cause.message.replace(/^error parsing regexp: /, '');
  return new RuleError(`the pattern ${display(source)} cannot be used: ${reason}. ${nextStep(source)}`, {
    code: 'rules/syntax',
    cause,
    data: { pattern: source },
  });
}

function nextStep(source: string): string {
  if (/\(\?<?[=!]/.test(source)) {
    return 'Look-around is not supported (RE2, linear time): match the surroundings too, or use a second condition';
  }
  if (/\\[1-9]|\\k</.test(source)) {
    return 'Backreferences are not supported (RE2, linear time): compare the two parts with == in the rule';
  }
  if (/[*+?}]\+|\(\?>/.test(source)) {
    return 'Possessive and atomic groups are not supported: leave the mark out, RE2 never back-tracks';
  }
  return 'Use RE2 syntax; to match a character such as ( or * itself, put a backslash before it';
}

function display(source: string): string {
  return JSON.stringify(source.length <= 80 ? source : `${source.slice(0, 77)}...`);
}

/** An upper estimate of the atoms that a pattern expands to: repeat counts multiply what they repeat. */
export function estimateSize(source: string): number {
  const totals: number[] = [0];
  let last = 0;
  const add = (size: number): void => {
    last = size;
    totals.push((totals.pop() ?? 0) + size);
  };
  for (let i = 0; i < source.length; i++) {
    const unit = source[i];
    if (unit === '(') {
      totals.push(1);
    } else if (unit === ')' && totals.length > 1) {
      add(totals.pop() ?? 0);
    } else if (unit === '{') {
      const counts = /^\{(\d{1,9})(?:,(\d{0,9}))?\}/.exec(source.slice(i, i + 24));
      if (counts === null) add(1);
      else {
        const times = Math.max(Number(counts[1]), Number(counts[2] ?? 0), 1);
        const once = last;
        add(once * (times - 1));
        last = once * times;
        i += counts[0].length - 1;
      }
    } else {
      if (unit === '\\') i++;
      else if (unit === '[') i = endOfClass(source, i);
      if (!/[*+?|^$]/.test(unit ?? '')) add(1);
    }
  }
  return totals.reduce((sum, size) => sum + size, 0);
}

/** The offset of the bracket that closes a class, or the end of the text. */
function endOfClass(source: string, open: number): number {
  let i = open + 1;
  if (source[i] === '^') i++;
  if (source[i] === ']') i++;
  while (i < source.length && source[i] !== ']') {
    if (source[i] === '\\') i += 2;
    else if (source.startsWith('[:', i)) i = Math.max(source.indexOf(':]', i) + 2, i + 1);
    else i++;
  }
  return i;
}
