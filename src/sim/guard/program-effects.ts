/**
 * The effects of a program that nobody computes: what it prints, its exit status, and the files it writes.
 *
 * A model may answer with a JSON object of these members, which is checked member by member, or with plain text, which is
 * what the program prints. Paths must be possible: no NUL, no empty name, a folder that is none of the files. A claimed
 * success over a file that is not there is a contradiction. Source: contracts, "Effects of an unknown program".
 */
import {
  fail,
  isJsonObject,
  type Json,
  type JsonObject,
  ok,
  parseJson,
  type Result,
  renderJson,
} from '../../core/index.js';
import type { GuardContext, GuardFinding } from './finding.js';

/** Checked effects of a program. */
export interface ProgramEffects {
  readonly stdout: string;
  readonly stderr: string;
  /** 0–255. */
  readonly exitCode: number;
  /** Path → its new text, or null for a file that the program removes. */
  readonly files: Readonly<Record<string, string | null>>;
}

const MEMBERS = ['stdout', 'stderr', 'exitCode', 'files'];
const ALIASES: Readonly<Record<string, string>> = {
  exit_code: 'exitCode',
  exitcode: 'exitCode',
  returncode: 'exitCode',
  return_code: 'exitCode',
  code: 'exitCode',
  status: 'exitCode',
};
const MAX_FILES = 1_000;
const MAX_PATH = 4_096;

/** Reads a model's answer as effects; fails with a sentence for the model. */
export function readEffects(text: string): Result<ProgramEffects, string> {
  const object = effectsObject(text);
  if (object === undefined) return ok({ stdout: text, stderr: '', exitCode: 0, files: {} });
  const given: Record<string, Json> = {};
  for (const [name, value] of Object.entries(object)) {
    const known = MEMBERS.includes(name) ? name : ALIASES[name.toLowerCase()];
    if (known === undefined)
      return fail(`the effects have a member "${name}"; there are ${MEMBERS.join(', ')}`);
    given[known] = value as Json;
  }
  const { stdout = '', stderr = '', exitCode = 0, files = {} } = given;
  if (typeof stdout !== 'string' || typeof stderr !== 'string')
    return fail('stdout and stderr of the effects must be texts');
  if (typeof exitCode !== 'number' || !Number.isInteger(exitCode) || exitCode < 0 || exitCode > 255)
    return fail(`exitCode is ${JSON.stringify(exitCode)}; it must be a whole number from 0 to 255`);
  const read = readFiles(files);
  return read.ok ? ok({ stdout, stderr, exitCode, files: read.value }) : read;
}

/** The object of effects in a text: the whole of it, or the whole of a fenced block. */
function effectsObject(text: string): JsonObject | undefined {
  const bare = text.trim().replace(/^```(?:json)?[ \t]*\n([\s\S]*)\n```$/, '$1');
  if (!bare.startsWith('{')) return undefined;
  const json = parseJson(bare);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const names = Object.keys(json.value);
  return names.some((name) => MEMBERS.includes(name)) ? json.value : undefined;
}

function readFiles(files: Json): Result<Readonly<Record<string, string | null>>, string> {
  if (!isJsonObject(files)) return fail('files of the effects must be an object: path → text');
  const entries = Object.entries(files);
  if (entries.length > MAX_FILES)
    return fail(`the effects write ${entries.length} files; at most ${MAX_FILES}`);
  for (const [path, text] of entries) {
    const shown = JSON.stringify(path).slice(0, 100);
    if (path === '' || path.includes('\0') || path.length > MAX_PATH || path.endsWith('/'))
      return fail(`the effects write to the path ${shown}, which no file can have`);
    if (typeof text !== 'string' && text !== null)
      return fail(`the new text of ${shown} must be a text, or null where the program removes the file`);
  }
  return ok(Object.fromEntries(entries) as Record<string, string | null>);
}

const PATH = /(?<![\w.:/~-])(\/[\w.@+-]+(?:\/[\w.@+-]+)+)\/?(?![\w/])/g;
const DENIES =
  /no such file|not found|does not exist|cannot (?:open|access|stat)|permission denied|usage:|\berror\b/i;

/**
 * What a program prints about files and variables that the machine knows: paths below its folder that are not there and that it
 * does not write, and `NAME=value` lines of exported variables with another value. Lines that deny something are left alone.
 */
export function findEffectLies(effects: ProgramEffects, { op, view }: GuardContext): readonly GuardFinding[] {
  const args = isJsonObject(op.args) ? op.args : {};
  const entries = isJsonObject(view) && isJsonObject(view.entries) ? view.entries : {};
  const env = isJsonObject(args.env ?? null) ? (args.env as JsonObject) : {};
  const cwd = typeof args.cwd === 'string' ? args.cwd : '/';
  const given = renderJson([args.argv ?? [], args.stdin ?? '', args.files ?? {}]);
  const written = Object.keys(effects.files).map((path) => (path.startsWith('/') ? path : `${cwd}/${path}`));
  for (const line of effects.stdout.split('\n').slice(0, MAX_LINES)) {
    const [, name = '', value = ''] = /^([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    const has = Object.hasOwn(env, name) ? env[name] : undefined;
    if (typeof has === 'string' && has !== value)
      return [lie(`the variable ${name} is ${JSON.stringify(has)}, not ${JSON.stringify(value)}`)];
    if (DENIES.test(line)) continue;
    for (const [, path = ''] of line.matchAll(PATH)) {
      const isBelow = cwd !== '/' && path.startsWith(`${cwd}/`);
      const isThere =
        Object.hasOwn(entries, path) || written.some((one) => one === path || one.startsWith(`${path}/`));
      if (isBelow && !isThere && !given.includes(path))
        return [lie(`the output names ${path}, which is not there and which the program does not write`)];
    }
  }
  return [];
}

const MAX_LINES = 2_000;

function lie(problem: string): GuardFinding {
  return { check: 'contradiction', problem, finally: 'flag' };
}
