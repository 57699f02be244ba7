/**
 * World file text to a checked {@link World}, or one error that holds every problem with its place.
 *
 * Steps: bytes to text, text to a value with places, files taken in, the user's own `x-` keys taken away, the
 * schema, the meaning (names, rules, globs, scripts), then the specification that an engine opens. A file with one
 * bad part still has its other parts checked.
 * Codes: `world/unreadable` (not text), `world/syntax` (not YAML or JSON), `world/outside` (a `from:` that may not
 * be), `world/invalid` (everything else).
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  canonicalJson,
  DomainSchema,
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  ok,
  type Result,
  WorldError,
} from '../core/index.js';
import { CheckContext } from './check-context.js';
import { checkExpand } from './check-expand.js';
import { checkExpressions } from './check-expressions.js';
import { actionText, checkNames } from './check-names.js';
import { checkService } from './check-service.js';
import { idleFaults } from './idle-faults.js';
import { McpStateSchema } from './mcp-state.js';
import { checkRows } from './rows-check.js';
import { type Finding, ONCE, schemaFindings, unknownKeys } from './schema-problems.js';
import { parseSource } from './source-document.js';
import { machineSpec, SweStateSchema, TerminalStateSchema } from './terminal-state.js';
import { checkedText, decodeText } from './text-file.js';
import { toolWorldSpec } from './tool-world-spec.js';
import type { Script, World } from './world.js';
import { resolvedSchema, type WorldFile, WorldFileSchema } from './world-file.js';
import { type PathPart, type WorldProblem, worldError } from './world-problem.js';
import { takeInFiles, type WorldSource } from './world-source.js';
import { wrongFormOf, wrongScripts } from './wrong-scripts.js';

/** How to load a world. */
export interface LoadOptions {
  /** Path of the file, for messages and for `from:`. Default: none, then `from:` is refused. */
  readonly path?: string;
  /** The world came over a wire: `from:` is refused. Default: false. */
  readonly uploaded?: boolean;
}

/**
 * Loads a world from the text or bytes of its file (YAML or JSON, UTF-8). Deterministic; reads only files named by
 * `from:` below the world's folder. Never raises for what the file says; codes as in the head of this file.
 */
export function loadWorld(input: string | Uint8Array, options: LoadOptions = {}): Result<World, WorldError> {
  const name = options.path ?? 'world';
  const text = typeof input === 'string' ? checkedText(input) : decodeText(input);
  if (!text.ok) return fail(worldError(name, wholeFile(text.error), 'world/unreadable'));
  const path = options.path ?? null;
  const how = { name, path, uploaded: options.uploaded ?? false };
  const fast = readWorld(text.value, { ...how, fast: true });
  // problems and warnings need exact places, so they are found again on the slow road
  return fast.ok && fast.value.warnings.length === 0 ? fast : readWorld(text.value, { ...how, fast: false });
}

function readWorld(
  text: string,
  how: { name: string; path: string | null; uploaded: boolean; fast: boolean },
): Result<World, WorldError> {
  const { name, path, uploaded } = how;
  const document = parseSource(text, { fast: how.fast });
  if (!document.ok) return fail(worldError(name, document.error, 'world/syntax'));
  const { json } = document.value;
  if (!isJsonObject(json)) {
    const seen = json === null ? 'is empty' : `is ${Array.isArray(json) ? 'a list' : `a ${typeof json}`}`;
    const message = `${seen}; wanted an object that starts with \`world: 1\``;
    return fail(worldError(name, wholeFile(message), 'world/invalid'));
  }
  return buildWorld(takeInFiles(document.value, json, { path, uploaded }), { name, path });
}

function wholeFile(message: string): WorldProblem[] {
  return [{ line: 1, column: 1, path: '', message }];
}

/**
 * Loads a world from a file. Fails with `world/not-found` (nothing there), `world/unreadable` (a folder, not
 * readable, too large, not UTF-8 text) and the codes of {@link loadWorld}.
 */
export function loadWorldFile(path: string): Result<World, WorldError> {
  const refuse = (code: 'world/not-found' | 'world/unreadable', message: string, cause?: unknown) =>
    fail(new WorldError(message, { code, cause, data: { path, problems: [] } }));
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return refuse('world/unreadable', `${path} is a folder; wanted a world file`);
    if (!stat.isFile()) return refuse('world/unreadable', `${path} is not a file`);
    if (stat.size > LIMITS.worldFileBytes) {
      const wanted = `at most ${LIMITS.worldFileBytes} (limit worldFileBytes)`;
      return refuse('world/unreadable', `${path} has ${stat.size} bytes; ${wanted}`);
    }
    return loadWorld(readFileSync(path), { path });
  } catch (error) {
    if (WorldError.isInstance(error)) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return refuse('world/not-found', `there is no file ${path}`, error);
    return refuse('world/unreadable', `${path} cannot be read (${code})`, error);
  }
}

function buildWorld(
  source: WorldSource,
  named: { name: string; path: string | null },
): Result<World, WorldError> {
  const { json } = source;
  const domain = DomainSchema.safeParse(json.domain);
  const mcp = domain.data === 'mcp';
  const stateSchema = mcp
    ? McpStateSchema
    : domain.data === 'terminal'
      ? TerminalStateSchema
      : domain.data === 'swe' && harnessOf(json.state) !== null
        ? SweStateSchema
        : null;
  const fits = removeUserKeys(json, stateSchema);
  const context = new CheckContext(json);
  checkExpressions(context);
  checkExpand(context);
  checkService(context);
  checkNames(context, domain.data ?? null, !source.problems.some(({ path }) => /^tools\b/.test(path)));
  const rows = mcp ? checkRows(json, source.takenRows) : [];
  const findings = [...(fits ? [] : schemaErrors(json, stateSchema)), ...context.errors, ...rows];
  const problems = [...source.problems, ...dedupe(findings).map((finding) => source.place(finding))];
  if (problems.length > 0) {
    return fail(worldError(named.name, problems, source.outside ? 'world/outside' : 'world/invalid'));
  }
  const world = finishWorld(json, named.path);
  const idle = world.spec === null ? [] : idleFaults(world.file.faults, world.spec);
  const warnings = [...context.warnings, ...idle].map((finding) => source.place(finding));
  return ok({ ...world, warnings });
}

function finishWorld(json: JsonObject, path: string | null): Omit<World, 'warnings'> {
  // from here on `wrong` has one form; the hash is of what was written
  const file: WorldFile = WorldFileSchema.parse({ ...json, wrong: wrongScripts(json.wrong) }, ONCE);
  // the value of core's hashJson; the platform's SHA-256 is faster at start
  const text = (): string => canonicalJson(json);
  const hash = createHash('sha256').update(text()).digest('hex');
  const spec = file.domain === 'mcp' ? toolWorldSpec(file, hash) : null;
  const harness = file.domain === 'swe' ? harnessOf(file.state as Json) : null;
  const wrong = file.wrong.map(
    ({ id, why, actions }): Script => ({
      id,
      ...(why !== undefined && { why }),
      actions: actions.map((action) => actionText(action as Json)),
    }),
  );
  return {
    name: file.name,
    domain: file.domain,
    title: file.title ?? file.name,
    description: file.description ?? '',
    path: path === null ? null : resolve(path),
    hash,
    text,
    file,
    spec,
    machine: file.domain === 'terminal' || harness !== null ? machineSpec(file, hash) : null,
    harness,
    oracle: file.oracle.map((action) => actionText(action as Json)),
    wrong,
  };
}

function schemaErrors(json: JsonObject, stateSchema: StateSchema): Finding[] {
  const findings = schemaFindings(resolvedSchema(wrongFormOf(json.wrong)), json);
  if (stateSchema === null || json.state === undefined) return findings;
  const state = schemaFindings(stateSchema, json.state);
  return [...findings, ...state.map((finding) => ({ ...finding, path: ['state', ...finding.path] }))];
}

/** The schema of a domain's state; null where it is accepted as it is. */
type StateSchema = typeof McpStateSchema | typeof TerminalStateSchema | typeof SweStateSchema | null;

/** The harness that a state names; null where it names none, and then nobody computes a swe world. */
function harnessOf(state: Json | undefined): string | null {
  return isJsonObject(state) && typeof state.harness === 'string' ? state.harness : null;
}

/** The first finding per place speaks; a second about the same value only repeats it. */
function dedupe(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const key = JSON.stringify([finding.path, finding.atKey === true]);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Takes away `x-` keys where the format has keys of its own; names and rows of the author are left alone. True if what
 * is left is known to fit its schemas.
 */
function removeUserKeys(json: JsonObject, stateSchema: StateSchema): boolean {
  for (const key of Object.keys(json)) if (key.startsWith('x-')) remove(json, [key]);
  const fits = removeOwnKeys(resolvedSchema(wrongFormOf(json.wrong)), json);
  if (json.state === undefined) return fits;
  if (stateSchema !== null && isJsonObject(json.state)) return removeOwnKeys(stateSchema, json.state) && fits;
  removeDeep(json.state);
  return false;
}

/** Removing a key may let another branch of a union fit best, so a few rounds are needed; ten are plenty. */
const ROUNDS = 10;

/**
 * Takes the user's own `x-` keys out of a value, wherever the schema has keys of its own. True if what is left is known
 * to fit the schema.
 */
export function removeOwnKeys(schema: Parameters<typeof unknownKeys>[0], json: Json): boolean {
  for (let round = 0; round < ROUNDS; round++) {
    const unknown = unknownKeys(schema, json);
    if (unknown === null) return true;
    const own = unknown.filter((path) => String(path.at(-1)).startsWith('x-'));
    if (own.length === 0) return false;
    for (const path of own) remove(json, path);
  }
  return false;
}

function remove(json: Json, path: readonly PathPart[]): void {
  let holder: unknown = json;
  for (const part of path.slice(0, -1)) holder = (holder as Record<PathPart, unknown> | undefined)?.[part];
  const last = path.at(-1);
  if (isJsonObject(holder) && last !== undefined) delete (holder as Record<PathPart, unknown>)[last];
}

function removeDeep(value: Json): void {
  if (Array.isArray(value)) for (const item of value) removeDeep(item as Json);
  if (!isJsonObject(value)) return;
  for (const key of Object.keys(value)) {
    if (key.startsWith('x-')) remove(value, [key]);
    else removeDeep(value[key] as Json);
  }
}
