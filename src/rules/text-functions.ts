/**
 * Functions on text: case, search, split and join, regular expressions, JSON.
 *
 * Positions and sizes count code points, as in CEL, so that no character is cut in half. Case mapping is Unicode's
 * default, independent of locale. Not covered: formatting, normalisation, similarity.
 */
import { type Json, LIMITS, parseJson, renderJson } from '../core/index.js';
import { numberText } from './arithmetic.js';
import { detach } from './detach.js';
import {
  type FunctionTable,
  integerAt,
  listAt,
  type RuleFunction,
  textAt,
  wrongArgument,
} from './function-arguments.js';
import { compilePattern, type Pattern } from './pattern.js';
import type { Run } from './run.js';
import { createTextSearch } from './text-search.js';
import { isNumber } from './values.js';

const SURROGATE = /[\ud800-\udfff]/;
/** Steps that compiling one instruction of a regular expression costs. */
const STEPS_PER_INSTRUCTION = 16;
/** Compiled patterns kept. The steps charged do not depend on what is kept. */
const MAX_CACHED = 16;
const cache = new Map<string, Pattern>();

/** The text of a value: strings as they are, null, bools and numbers as written, lists and maps as JSON. */
export function textOf(run: Run, value: Json): string {
  if (typeof value === 'string') return value;
  if (isNumber(value)) return numberText(run, value);
  if (typeof value !== 'object' || value === null) return String(value);
  return jsonText(run, value);
}

function jsonText(run: Run, value: Json): string {
  const text = renderJson(detach(run, value));
  run.reserve(text.length, 'string');
  return text;
}

/** The number of code points of a text. */
export function countCodePoints(run: Run, text: string): number {
  run.spendText(text.length);
  if (!SURROGATE.test(text)) return text.length;
  run.spend(text.length);
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** The offset in a text of the given code point, at most the text's end. */
function offsetOf(run: Run, text: string, codePoints: number): number {
  run.spendText(text.length);
  if (!SURROGATE.test(text)) return Math.min(codePoints, text.length);
  run.spend(text.length);
  let offset = 0;
  for (let i = 0; i < codePoints && offset < text.length; i++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}

/** Matches a text anywhere; pays for compiling and for text length × program size, whatever is cached. */
export function matchPattern(run: Run, pattern: Pattern, text: string): boolean {
  run.spend(1 + Math.ceil((text.length * pattern.size) / STEPS_PER_INSTRUCTION));
  return pattern.test(text);
}

function dynamicPattern(run: Run, source: string): Pattern {
  run.spend(Math.min(source.length, LIMITS.rulePatternChars));
  let pattern = cache.get(source);
  if (pattern === undefined) {
    const compiled = compilePattern(source);
    if (!compiled.ok) {
      const { code, message } = compiled.error;
      throw run.fault(code === 'rules/budget' ? code : 'rules/evaluation', () => message);
    }
    pattern = compiled.value;
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? '');
    cache.set(source, pattern);
  }
  run.spend(pattern.size * STEPS_PER_INSTRUCTION);
  return pattern;
}

function find(run: Run, [text, needle]: readonly [string, string], from = 0): number {
  run.spendText(text.length + needle.length);
  return createTextSearch(needle)(text, from);
}

function split(run: Run, text: string, separator: string): Json[] {
  run.spendText(text.length + separator.length);
  const pieces: string[] = [];
  if (separator === '') {
    run.reserve(text.length, 'list');
    return Array.from(text);
  }
  const search = createTextSearch(separator);
  let from = 0;
  for (let at = search(text, 0); at >= 0; at = search(text, from)) {
    run.spend(1);
    pieces.push(text.slice(from, at));
    from = at + separator.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function join(run: Run, items: readonly Json[], separator: string): string {
  run.spend(items.length);
  const texts = items.map((item) => {
    if (typeof item === 'object') throw run.error(() => 'join() needs a list of strings, numbers or bools');
    return textOf(run, item);
  });
  const size = texts.reduce(
    (sum, text) => sum + text.length,
    separator.length * Math.max(0, texts.length - 1),
  );
  run.reserve(size, 'string');
  return texts.join(separator);
}

function replace(run: Run, text: string, [from, to]: readonly [string, string]): string {
  if (from === '') throw run.error(() => 'replace() cannot replace the empty string');
  const pieces = split(run, text, from) as string[];
  run.reserve(text.length + (pieces.length - 1) * (to.length - from.length), 'string');
  return pieces.join(to);
}

function readJson(run: Run, text: string): Json {
  run.spend(Math.ceil(text.length / 4));
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  throw run.error(() => `json() needs a JSON text: ${parsed.error.message}`);
}

function onText(form: string, apply: (text: string) => string): RuleFunction {
  return {
    form,
    arity: [1, 1],
    apply: (run, args) => {
      const text = textAt(run, args, 0);
      run.spendText(text.length);
      const result = apply(text);
      run.reserve(result.length, 'string');
      return result;
    },
  };
}

function onPair(form: string, apply: (run: Run, pair: readonly [string, string]) => Json): RuleFunction {
  return {
    form,
    arity: [2, 2],
    apply: (run, args) => apply(run, [textAt(run, args, 0), textAt(run, args, 1)]),
  };
}

/** `contains` for strings; the list form is in the list functions. */
export function containsText(run: Run, pair: readonly [string, string]): boolean {
  return find(run, pair) >= 0;
}

/** `indexOf` for strings, in code points. */
export function indexOfText(run: Run, pair: readonly [string, string]): number {
  const at = find(run, pair);
  return at < 0 ? -1 : countCodePoints(run, pair[0].slice(0, at));
}

/** The functions on text. */
export const TEXT_FUNCTIONS: FunctionTable = {
  lower: onText('lower(text)', (text) => text.toLowerCase()),
  upper: onText('upper(text)', (text) => text.toUpperCase()),
  trim: onText('trim(text)', (text) => text.trim()),
  startsWith: onPair('startsWith(text, start)', (run, [text, start]) => {
    run.spendText(start.length);
    return text.startsWith(start);
  }),
  endsWith: onPair('endsWith(text, end)', (run, [text, end]) => {
    run.spendText(end.length);
    return text.endsWith(end);
  }),
  matches: onPair('matches(text, pattern)', (run, [text, source]) =>
    matchPattern(run, dynamicPattern(run, source), text),
  ),
  split: onPair('split(text, separator)', (run, [text, separator]) => split(run, text, separator)),
  join: {
    form: 'join(list, separator)',
    arity: [1, 2],
    apply: (run, args) => join(run, listAt(run, args, 0), args.length > 1 ? textAt(run, args, 1) : ''),
  },
  replace: {
    form: 'replace(text, from, to)',
    arity: [3, 3],
    apply: (run, args) => replace(run, textAt(run, args, 0), [textAt(run, args, 1), textAt(run, args, 2)]),
  },
  substring: {
    form: 'substring(text, start, end)',
    arity: [2, 3],
    apply: (run, args) => {
      const text = textAt(run, args, 0);
      const max = Number.MAX_SAFE_INTEGER;
      const start = integerAt(run, args, { index: 1, min: 0, max });
      const end = integerAt(run, args, { index: 2, min: start, max, missing: max });
      return text.slice(offsetOf(run, text, start), offsetOf(run, text, end));
    },
  },
  string: { form: 'string(x)', arity: [1, 1], apply: (run, args) => textOf(run, args[0] as Json) },
  json: { form: 'json(text)', arity: [1, 1], apply: (run, args) => readJson(run, textAt(run, args, 0)) },
  toJson: { form: 'toJson(x)', arity: [1, 1], apply: (run, args) => jsonText(run, args[0] as Json) },
  bool: {
    form: 'bool(x)',
    arity: [1, 1],
    apply: (run, args) => {
      const [value] = args;
      if (typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      throw wrongArgument(run, args, { index: 0, wanted: 'a bool or the text "true" or "false"' });
    },
  },
};
