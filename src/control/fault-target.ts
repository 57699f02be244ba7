/**
 * Does a fault look at this operation? Compiles `on` into a test.
 *
 * A text that is an operation kind (`data.write`) means that kind; any other text is a glob over the tool's name.
 * Where no kind is given, the fault hits the operations its kind hits by itself. Globs and patterns are linear in
 * time (room `rules`), because they come from a file somebody else wrote.
 */
import {
  canonicalJson,
  fail,
  isJsonObject,
  type Json,
  OPERATION_KINDS,
  type Operation,
  type OperationKind,
  ok,
  type Result,
} from '../core/index.js';
import { compileGlob, compilePattern } from '../rules/index.js';
import type { FaultKind } from './fault-kind.js';
import type { FaultProblem } from './fault-problem.js';
import type { ArgumentMatch, FaultTarget } from './fault-spec.js';

/** A compiled target. */
export interface CompiledTarget {
  readonly kind: OperationKind;
  readonly matches: (op: Operation) => boolean;
}

type Test = (text: string) => boolean;

/** Compiles `on` for a kind. Problems carry their path below the fault. Pure. */
export function compileTarget(
  on: FaultTarget | undefined,
  kind: FaultKind,
): Result<CompiledTarget, FaultProblem> {
  const parts = typeof on === 'string' ? partsOfText(on) : (on ?? {});
  const at = typeof on === 'string' ? ['on'] : ['on', 'tool'];
  const operation = parts.kind ?? impliedKind(parts) ?? kind.operations[0];
  if (!kind.operations.includes(operation)) {
    return fail({
      path: ['on'],
      message: `a fault of kind '${kind.name}' cannot hit '${operation}'; it hits ${kind.operations.join(', ')}`,
    });
  }
  const name = parts.tool === undefined ? ok(() => true) : compileTest({ glob: parts.tool }, at);
  if (!name.ok) return name;
  const args = compileArguments(parts.args ?? {});
  if (!args.ok) return args;
  const address = compileAddress(parts);
  if (!address.ok) return address;
  const matches = (op: Operation): boolean =>
    op.kind === operation && name.value(op.name) && address.value(op) && args.value(op.args);
  return ok({ kind: operation, matches });
}

/** A URL is requested and a command started; nothing else has one. */
function impliedKind(parts: Exclude<FaultTarget, string>): OperationKind | undefined {
  if (parts.url !== undefined) return 'http.request';
  return parts.command === undefined ? undefined : 'proc.start';
}

function compileAddress(
  parts: Exclude<FaultTarget, string>,
): Result<(op: Operation) => boolean, FaultProblem> {
  const url = parts.url === undefined ? ok(undefined) : compileTest({ glob: parts.url }, ['on', 'url']);
  if (!url.ok) return url;
  const command =
    parts.command === undefined ? ok(undefined) : compileTest({ glob: parts.command }, ['on', 'command']);
  if (!command.ok) return command;
  return ok((op) => (url.value?.(op.target ?? '') ?? true) && (command.value?.(op.name) ?? true));
}

function partsOfText(text: string): Exclude<FaultTarget, string> {
  const kind = OPERATION_KINDS.find((known) => known === text);
  return kind === undefined ? { tool: text } : { kind };
}

function compileTest(
  how: { readonly glob: string } | { readonly pattern: string },
  path: readonly string[],
): Result<Test, FaultProblem> {
  if ('glob' in how) {
    const glob = compileGlob(how.glob);
    if (!glob.ok) return fail({ path, message: glob.error.message });
    return ok((text) => glob.value.matches(text));
  }
  const pattern = compilePattern(how.pattern);
  if (!pattern.ok) return fail({ path, message: pattern.error.message });
  return ok((text) => pattern.value.test(text));
}

function compileArguments(
  wanted: Readonly<Record<string, ArgumentMatch>>,
): Result<(args: Json) => boolean, FaultProblem> {
  const tests: [string, (value: Json) => boolean][] = [];
  for (const [name, match] of Object.entries(wanted)) {
    const test = compileArgument(match, name);
    if (!test.ok) return test;
    tests.push([name, test.value]);
  }
  return ok((args) =>
    tests.every(([name, test]) => {
      if (!isJsonObject(args) || !Object.hasOwn(args, name)) return false;
      return test(args[name] ?? null);
    }),
  );
}

function compileArgument(match: ArgumentMatch, name: string): Result<(value: Json) => boolean, FaultProblem> {
  const how = textMatch(match as Json);
  if (how === undefined) {
    const wanted = canonicalJson(match as Json);
    return ok((value) => canonicalJson(value) === wanted);
  }
  const test = compileTest(how, ['on', 'args', name]);
  if (!test.ok) return test;
  return ok((value) => test.value(typeof value === 'string' ? value : canonicalJson(value)));
}

/** `{glob}` and `{pattern}` are tests of the text; any other value is compared whole. */
function textMatch(match: Json): { glob: string } | { pattern: string } | undefined {
  if (!isJsonObject(match) || Object.keys(match).length !== 1) return undefined;
  if (typeof match.glob === 'string') return { glob: match.glob };
  if (typeof match.pattern === 'string') return { pattern: match.pattern };
  return undefined;
}
