/**
 * Agents by SPEC: `careless`, `careful`, `scripted:FILE`, `module:FILE#NAME`, `http:URL`, `cmd:COMMAND`,
 * `MODEL@BASE_URL`. What is wrong with a SPEC is told before anything runs.
 *
 * The SPEC is recorded without what may be secret: user and password and the query of a URL, and the values of options
 * of a command that are called key, token, secret or password. Keys come from the environment only.
 */
import { basename, extname } from 'node:path';
import { fail, nearestName, ok, type Result } from '../core/index.js';
import type { Agent } from './agent.js';
import { createCarefulAgent } from './agents/careful.js';
import { createCarelessAgent } from './agents/careless.js';
import { createCommandAgent } from './agents/command.js';
import { createHttpAgent } from './agents/http.js';
import { createModelAgent } from './agents/model.js';
import { createModuleAgent } from './agents/module.js';
import { createScriptedAgent } from './agents/scripted.js';
import type { SuiteAgent } from './suite-file.js';

/** What agents are made with. */
export interface AgentContext {
  /** Files of SPECs are relative to it, and commands run in it. */
  readonly directory: string;
  /** Where keys and the variables of commands come from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The words that start `umwelt`, for the MCP settings that a command is given. */
  readonly cli: readonly string[];
}

/** What a maker of agents is given. */
export interface AgentParts {
  readonly id: string;
  /** What stands behind the colon. */
  readonly rest: string;
  /** The SPEC as it may be shown. */
  readonly spec: string;
  readonly options: SuiteAgent;
  readonly context: AgentContext;
}

/** Makes an agent of one kind, or says what is wrong with its SPEC. */
export type AgentMaker = (parts: AgentParts) => Result<Agent, string>;

const KINDS: Readonly<Record<string, AgentMaker>> = {
  scripted: createScriptedAgent,
  module: createModuleAgent,
  http: createHttpAgent,
  cmd: createCommandAgent,
};

const FORMS = 'careless, careful, scripted:FILE, module:FILE#NAME, http:URL, cmd:COMMAND, MODEL@BASE_URL';

/** Makes all agents of a suite; ids are unique. Fails with every SPEC that is wrong. */
export function createAgents(
  agents: readonly SuiteAgent[],
  context: AgentContext,
): Result<Agent[], { index: number; message: string }[]> {
  const problems: { index: number; message: string }[] = [];
  const taken = new Set<string>();
  const made = agents.flatMap((options, index) => {
    const agent = createAgent(options, context, taken);
    if (agent.ok) return [agent.value];
    problems.push({ index, message: agent.error });
    return [];
  });
  return problems.length > 0 ? fail(problems) : ok(made);
}

function createAgent(options: SuiteAgent, context: AgentContext, taken: Set<string>): Result<Agent, string> {
  const spec = options.agent;
  const { kind, rest } = splitSpec(spec);
  const id = freeName(options.id ?? nameOf(kind, rest), taken);
  if (kind === 'careless') return ok(createCarelessAgent(id));
  if (kind === 'careful') return ok(createCarefulAgent(id));
  const parts = { id, rest, spec: publicSpec(spec), options, context };
  if (kind === 'model') return createModelAgent(parts);
  const maker = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (maker === undefined) {
    const nearest = nearestName(kind, ['careless', 'careful', ...Object.keys(KINDS)]);
    const hint = nearest === undefined ? '; known forms' : `; did you mean '${nearest}'? Known forms`;
    return fail(`'${spec}' is no agent${hint}: ${FORMS}`);
  }
  return rest === '' ? fail(`'${spec}' names nothing behind the colon; known forms: ${FORMS}`) : maker(parts);
}

function splitSpec(spec: string): { readonly kind: string; readonly rest: string } {
  const model = /^(.+)@(https?:\/\/.+)$/s.exec(spec);
  const known = /^(scripted|module|http|cmd):(.*)$/s.exec(spec);
  if (/^https?:\/\//.test(spec) && model === null) return { kind: 'http', rest: spec };
  if (known !== null) return { kind: known[1] ?? '', rest: known[2] ?? '' };
  if (model !== null) return { kind: 'model', rest: spec };
  return { kind: spec.split(':', 1)[0] ?? spec, rest: '' };
}

function nameOf(kind: string, rest: string): string {
  const named: Readonly<Record<string, string>> = {
    scripted: basename(rest, extname(rest)),
    module: rest.split('#')[1] ?? basename(rest, extname(rest)),
    http: rest.replace(/^https?:\/\//, '').replace(/[?#].*$/s, ''),
    cmd: basename(rest.trim().split(/\s+/)[0] ?? ''),
    model: rest.replace(/@https?:.*$/s, ''),
  };
  return slug(named[kind] ?? kind);
}

function slug(text: string): string {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 40) ?? 'agent';
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  taken.add(name);
  return name;
}

/** A SPEC without what may be secret. */
export function publicSpec(spec: string): string {
  return (
    spec
      .replace(/(https?:\/\/)[^/@\s]*@/g, '$1')
      .replace(/(https?:\/\/[^\s?#]*)\?[^\s#]*/g, '$1')
      .replace(/((?:key|token|secret|password)[\w-]*["']?(?:[=:]\s*| ))\S+/gi, '$1…')
      .replace(/\b(bearer|basic)(\s+)[^\s"']+/gi, '$1$2…')
      // As several providers begin their keys, where no word says that it is one.
      .replace(/\b(?:sk|pk|rk|ghp|gho|github_pat|xox[abp]|glpat|hf|AIza)[-_]?[A-Za-z0-9_-]{16,}/g, '…')
  );
}
