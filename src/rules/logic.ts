/**
 * `&&` and `||` as in CEL: the answer wins over an error, on whichever side it stands.
 *
 * `false && x` and `x && false` are false even when x fails (cel-spec, "Logical Operators"); an error counts only
 * when no other part decides. A used-up budget always counts: it must not be hidden.
 */
import type { Json } from '../core/index.js';
import { type Range, RuleFault } from './fault.js';
import type { Run } from './run.js';
import type { Code, Compile, NodeOf, Scope } from './scope.js';
import { kindOf, show } from './values.js';

/** Compiles a chain of `&&` or of `||`. */
export function compileLogic(node: NodeOf<'and' | 'or'>, scope: Scope, compile: Compile): Code {
  const parts = node.parts.map((part) => ({ code: compile(part, scope), where: part }));
  const deciding = node.kind === 'or';
  return (run) => {
    const vote = new Vote(run, deciding);
    for (const { code, where } of parts) {
      run.spend(1);
      if (vote.cast(code, where)) return deciding;
    }
    return vote.undecided();
  };
}

/** Collects bools until one decides; keeps the first error for the case that none does. */
export class Vote {
  private error: RuleFault | undefined;

  constructor(
    private readonly run: Run,
    private readonly deciding: boolean,
  ) {}

  /** True when this part decides. */
  cast(code: Code, where: Range): boolean {
    try {
      return boolOf(this.run, code(this.run), where) === this.deciding;
    } catch (thrown) {
      if (!(thrown instanceof RuleFault) || thrown.code !== 'rules/evaluation') throw thrown;
      this.error ??= thrown;
      return false;
    }
  }

  /** The answer when no part decided; throws the first error where there was one. */
  undecided(): boolean {
    if (this.error !== undefined) throw this.error;
    return !this.deciding;
  }
}

/** The value as a bool, or an error that shows it. */
export function boolOf(run: Run, value: Json, where: Range): boolean {
  if (typeof value === 'boolean') return value;
  run.where = where;
  throw run.error(() => `this must be true or false; here is ${kindOf(value)} ${show(value)}`);
}
