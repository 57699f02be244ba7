/**
 * `cmd:COMMAND`: an agent that is a program and an MCP client. Its episode lives in our service.
 *
 * In the words of the command are filled in, without a shell: `{task}` what it is told; `{mcpUrl}` the episode over
 * Streamable HTTP; `{mcpConfig}` a file of MCP settings (`mcpServers`) that starts `umwelt mcp --attach`; `{token}` the
 * bearer token for the URL; `{answerFile}` where it may leave its answer; `{seed}`. Its answer is that file where the
 * command names it, else its standard output. It is given PATH, HOME and the like, what the suite lists under `env`, and
 * UMWELT_MCP_URL, UMWELT_TOKEN and UMWELT_TASK. An exit code other than 0 is its failure; a program that is not there is
 * nobody's.
 */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../core/index.js';
import { type Agent, AgentFailure, type AgentReport, type AgentSession, type Exposed } from '../agent.js';
import type { AgentContext, AgentParts } from '../agent-spec.js';
import { secretsOf } from '../without-secrets.js';
import { type ChildEnd, OUT_BYTES, runChild } from './child-run.js';
import { commandWords, fillPlaceholders } from './command-line.js';
import { processGuard } from './process-guard.js';

/** Variables that every command gets. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
];
const ANSWER_BYTES = 1024 * 1024;

/** Makes the agent; fails for a command that cannot be cut into words and for variables that are not set. */
export function createCommandAgent({ id, rest, spec, options, context }: AgentParts): Result<Agent, string> {
  const words = commandWords(rest);
  if (!words.ok) return words;
  const missing = (options.env ?? []).filter((name) => context.environment[name] === undefined);
  if (missing.length > 0)
    return fail(`the environment variable ${missing[0]} is not set; set it, or leave it out of env`);
  return ok({
    id,
    kind: 'cmd',
    spec,
    live: true,
    hosted: true,
    secrets: secretsOf(pick(context.environment, options.env ?? [])),
    run: async (session, access) =>
      runCommand({ words: words.value, names: options.env ?? [], context }, session, await access.expose()),
  });
}

function pick(environment: AgentContext['environment'], names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, environment[name]]));
}

interface Command {
  readonly words: readonly string[];
  readonly names: readonly string[];
  readonly context: AgentContext;
}

async function runCommand(command: Command, session: AgentSession, exposed: Exposed): Promise<AgentReport> {
  const folder = processGuard().newFolder();
  try {
    const answerFile = join(folder, 'answer.txt');
    const mcpConfig = join(folder, 'mcp.json');
    writeFileSync(mcpConfig, mcpSettings(exposed, command.context), { mode: 0o600 });
    const { mcpUrl, token } = exposed;
    const values = { task: session.task, mcpUrl, token, mcpConfig, answerFile, seed: String(session.seed) };
    const words = command.words.map((word) => fillPlaceholders(word, values));
    const env = environmentOf(command, { ...exposed, task: session.task });
    const end = await runChild({ words, directory: command.context.directory, env }, session.signal);
    if (session.signal.aborted)
      throw new AgentFailure('agent-crashed', 'the command was ended with the run', end.log);
    return reportOf(
      end,
      command.words.some((word) => word.includes('{answerFile}')) ? answerFile : null,
      words[0] ?? '',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function reportOf(end: ChildEnd, answerFile: string | null, program: string): AgentReport {
  if (end.notStarted !== null) {
    throw new AgentFailure('not-started', `the command '${program}' cannot be started: ${end.notStarted}`);
  }
  if (end.signal !== null)
    throw new AgentFailure('agent-crashed', `the command was ended by ${end.signal}`, end.log);
  if (end.code !== 0)
    throw new AgentFailure('agent-exit', `the command ended with exit code ${end.code}`, end.log);
  const said = (answerFile === null ? end.out : readAnswer(answerFile)).trim();
  const isCut = answerFile === null && end.outBytes > OUT_BYTES;
  const note = `its standard output had ${end.outBytes} bytes, of which the answer is the last ${OUT_BYTES}`;
  return { answer: said === '' ? null : said, log: end.log, ...(isCut && { note }) };
}

function readAnswer(path: string): string {
  const about = statSync(path, { throwIfNoEntry: false });
  if (about === undefined || !about.isFile()) return '';
  if (about.size > ANSWER_BYTES) {
    throw new AgentFailure(
      'agent-crashed',
      `its answer has ${about.size} bytes; the limit is ${ANSWER_BYTES}`,
    );
  }
  return readFileSync(path, 'utf8');
}

/** The MCP settings that most clients read: one server, started as a process of its own. */
function mcpSettings({ mcpUrl, token }: Exposed, { cli }: AgentContext): string {
  const [command = 'umwelt', ...args] = cli;
  const umwelt = { command, args: [...args, 'mcp', '--attach', mcpUrl], env: { UMWELT_TOKEN: token } };
  return `${JSON.stringify({ mcpServers: { umwelt } }, null, 2)}\n`;
}

function environmentOf(command: Command, run: Exposed & { readonly task: string }): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of [...PASSED, ...command.names]) {
    const value = command.context.environment[name];
    if (value !== undefined) env[name] = value;
  }
  return { ...env, UMWELT_MCP_URL: run.mcpUrl, UMWELT_TOKEN: run.token, UMWELT_TASK: run.task };
}
