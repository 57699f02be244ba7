/**
 * What goes wrong inside a rule, and how it is told.
 *
 * Inside the room a failure is a thrown {@link RuleFault}: cheap (no stack trace, the message is only built when it
 * is shown, because `&&` and `||` may swallow it). At the door it becomes a `RuleError` value with line and column.
 */
import { RuleError } from '../core/index.js';

/** The three ways in which a rule fails. */
export type FaultCode = 'rules/syntax' | 'rules/evaluation' | 'rules/budget';

/** A piece of source text: UTF-16 offsets, end not included. */
export interface Range {
  readonly at: number;
  readonly end: number;
}

/** A failure in a rule: its code, where it is, and its message (built when it is shown). */
export class RuleFault {
  constructor(
    readonly code: FaultCode,
    readonly range: Range,
    readonly describe: () => string,
    readonly data: Readonly<Record<string, unknown>> = {},
  ) {}
}

/** The fault of source text that cannot be read. */
export function syntaxFault(
  range: Range,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): RuleFault {
  return new RuleFault('rules/syntax', range, () => message, data);
}

/** Adds ` Did you mean "x"?` where there is a nearest name. */
export function didYouMean(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/**
 * Turns a fault into the error that callers see: message, line and column (from 1), and the piece of source.
 * `data` holds `line`, `column`, `offset`, `piece` and what the fault adds. Other throwables are bugs and go on.
 */
export function toRuleError(thrown: unknown, source: string): RuleError {
  if (!(thrown instanceof RuleFault)) throw thrown;
  const offset = Math.min(thrown.range.at, source.length);
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const piece = shorten(source.slice(offset, Math.max(thrown.range.end, offset + 1)));
  const near = piece === '' ? 'at the end' : `at "${piece}"`;
  return new RuleError(`rule, line ${line}, column ${column}, ${near}: ${thrown.describe()}`, {
    code: thrown.code,
    data: { line, column, offset, piece, ...thrown.data },
  });
}

function shorten(piece: string): string {
  const line = piece.split('\n', 1)[0] ?? '';
  return line.length <= 60 ? line : `${line.slice(0, 57)}...`;
}
