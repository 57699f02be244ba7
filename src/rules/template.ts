/**
 * Templates: text with `{expression}` parts, `{{` and `}}` for literal braces.
 *
 * Rendering tells which pieces were written by the author and which were computed, so that a caller can mark their
 * origins. The end of an expression is found by parsing, so braces and quotes inside it are no trouble; an
 * expression that starts with a map needs a space: `{ {'a': 1} }`.
 */
import { type Json, LIMITS, ok, type Result, type RuleError } from '../core/index.js';
import { compileNode } from './compile.js';
import { type RuleFault, syntaxFault } from './fault.js';
import { KeptPrograms } from './kept-programs.js';
import { parseBraced } from './parser.js';
import {
  type CompileOptions,
  checkLength,
  type EvaluateOptions,
  guarded,
  metered,
  PATTERN_UNITS,
  stepsOf,
} from './rule.js';
import { type Bindings, Run } from './run.js';
import { type Code, topScope } from './scope.js';
import { textOf } from './text-functions.js';

/** A piece of a rendered template. */
export interface TemplatePart {
  readonly text: string;
  /** True for what an expression gave, false for the author's words. */
  readonly computed: boolean;
}

/** A rendered template: the text, and the parts that make it up in order. Empty parts are left out. */
export interface Rendered {
  readonly text: string;
  readonly parts: readonly TemplatePart[];
}

/** A compiled template. */
export interface Template {
  /** The template's own text. */
  readonly source: string;
  /** The free names its expressions use. */
  readonly names: readonly string[];
  /**
   * Fills the template in. Strings are inserted as they are, numbers, bools and null as text, lists and maps as
   * JSON. All parts share one budget of steps. Errors as for `Rule.evaluate`; any failing part fails the whole.
   */
  render(bindings: Bindings, options?: EvaluateOptions): Result<Rendered, RuleError>;
}

type Piece = string | Code;

/**
 * Compiles a template of at most `LIMITS.ruleChars` characters. Errors: as for `compileRule`, and `rules/syntax` for
 * a brace that is neither doubled nor part of an expression.
 */
export function compileTemplate(source: string, options: CompileOptions = {}): Result<Template, RuleError> {
  const kept = KEPT.get(source, options.names);
  if (kept !== undefined) return ok(kept);
  return guarded(source, () => {
    checkLength(source);
    const scope = topScope(options.names);
    const pieces = readPieces(source, (from) => {
      const { node, end } = parseBraced(source, from);
      return { code: compileNode(node, scope), end };
    });
    const program: Template = Object.freeze({
      source,
      names: Object.freeze([...scope.found]),
      render: (bindings: Bindings, how?: EvaluateOptions) =>
        metered(source, new Run(bindings, stepsOf(how)), { ...how, work: (run) => render(pieces, run) }),
    });
    KEPT.put(source, options.names, { program, more: PATTERN_UNITS * scope.patterns.size });
    return program;
  });
}

const KEPT = new KeptPrograms<Template>();

function readPieces(source: string, read: (from: number) => { code: Code; end: number }): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  for (let i = 0; i < source.length; ) {
    const unit = source[i] ?? '';
    if ((unit === '{' || unit === '}') && source[i + 1] === unit) {
      literal += unit;
      i += 2;
    } else if (unit === '{') {
      const { code, end } = read(i + 1);
      pieces.push(literal, code);
      literal = '';
      i = end;
    } else if (unit === '}') {
      throw lonelyBrace(i);
    } else {
      literal += unit;
      i++;
    }
  }
  return [...pieces, literal];
}

function lonelyBrace(at: number): RuleFault {
  return syntaxFault({ at, end: at + 1 }, 'this brace closes nothing; write }} for a brace in the text');
}

function render(pieces: readonly Piece[], run: Run): Rendered {
  const parts: TemplatePart[] = [];
  let size = 0;
  for (const piece of pieces) {
    const computed = typeof piece === 'function';
    const text: string = computed ? textOf(run, piece(run) as Json) : piece;
    size += text.length;
    if (size > LIMITS.ruleValueSize) run.reserve(size, 'string');
    run.spendText(text.length);
    if (text !== '') parts.push({ text, computed });
  }
  return { text: parts.map((part) => part.text).join(''), parts };
}
