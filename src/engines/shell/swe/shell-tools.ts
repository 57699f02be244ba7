/**
 * Tools that run: shell, its background jobs, todos.
 */
import type { Json } from '../../../core/index.js';
import type { SweJob } from './swe-state.js';
import type { Call, Said, Working } from './tool-call.js';

const DEFAULT_MS = 120_000;
const MAX_MS = 600_000;

function commandOf(call: Call): string {
  const value = call.use.fields.command;
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  const words = (value as readonly Json[]).map(String);
  // `["bash", "-lc", SCRIPT]` is the script; other lists are words.
  if (/^(.*\/)?(ba|z|)sh$/.test(words[0] ?? '') && /^-\w*c$/.test(words[1] ?? '')) return words[2] ?? '';
  return words
    .map((word) => (/^[\w./=:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** Runs a command. */
export function* shellTool(call: Call): Working<Said> {
  if (call.own('restart') === true) {
    call.bench.state = { ...call.bench.state, variables: '' };
    return { text: 'tool has been restarted.', isError: false };
  }
  const { state } = call.bench;
  const command = commandOf(call);
  const folderText = call.text('folder');
  const folder = folderText === undefined || folderText === '' ? state.folder : call.path(folderText);
  const given = Number(call.own('timeout') ?? call.own('timeout_ms') ?? DEFAULT_MS);
  const limitMs = Math.min(MAX_MS, given > 0 ? given : DEFAULT_MS);
  if (call.own('run_in_background') === true || call.own('is_background') === true)
    return yield* startJob(call, command, folder);
  const keeps = call.texts.shellKeeps;
  const result = yield* call.bench.work({
    do: 'run',
    command,
    folder,
    variables: keeps === 'all' ? state.variables : '',
    limitMs,
  });
  if (keeps !== 'nothing')
    call.bench.state = {
      ...call.bench.state,
      folder: result.folder,
      variables: result.variables === '' ? state.variables : result.variables,
    };
  const isMarked = call.texts.lineMark !== null;
  const output = cut(
    call,
    isMarked ? result.output.replace(/^(\s*\n)+|\s+$/g, '') : result.output.replace(/\n$/, ''),
  );
  const values = {
    output,
    status: result.exitCode,
    pid: result.pid,
    folder: result.folder,
    seconds: result.isCut ? limitMs / 1000 : Math.round(result.durationMs / 100) / 10,
  };
  if (result.isCut) return call.say('timedOut', values);
  if (result.exitCode !== 0) {
    const said = call.say('failed', values);
    return { ...said, text: said.text.trimEnd() };
  }
  return call.say(output === '' ? 'ranEmpty' : 'ran', values);
}

/** Long output keeps its beginning and end. */
function cut(call: Call, output: string): string {
  const most = call.texts.outputChars;
  if (output.length <= most) return output;
  const [head, tail] = [
    output.slice(0, Math.floor(most / 2)),
    output.slice(output.length - Math.floor(most / 2)),
  ];
  const left = output.slice(head.length, output.length - tail.length);
  return call.say('outputCut', { head, tail, count: left.length, lines: left.split('\n').length }).text;
}

function* startJob(call: Call, command: string, folder: string): Working<Said> {
  const id = `bash_${call.bench.state.jobs.length + 1}`;
  const path = `/tmp/.${id}.output`;
  const result = yield* call.bench.work({
    do: 'run',
    command,
    folder,
    variables: '',
    limitMs: 0,
    backgroundTo: path,
  });
  const job: SweJob = { id, pid: result.pid, command, path, shown: 0, isKilled: false };
  call.bench.state = { ...call.bench.state, jobs: [...call.bench.state.jobs, job] };
  return call.say('started', { id, pid: result.pid });
}

function jobOf(call: Call): SweJob | undefined {
  const id = call.text('id') ?? String(call.own('shell_id') ?? call.own('bash_id') ?? '');
  return call.bench.state.jobs.find((job) => job.id === id);
}

function replaceJob(call: Call, job: SweJob): void {
  const { state } = call.bench;
  call.bench.state = { ...state, jobs: state.jobs.map((one) => (one.id === job.id ? job : one)) };
}

/** New output of a command in the background. */
export function* jobOutputTool(call: Call): Working<Said> {
  const job = jobOf(call);
  if (job === undefined) return call.say('noJob', { id: call.text('id') ?? '' });
  const seen = call.bench.look((files) => files.look(job.path));
  const text = seen.kind === 'file' ? seen.text : '';
  replaceJob(call, { ...job, shown: text.length });
  const alive = yield* call.bench.work({
    do: 'run',
    command: `test -e /proc/${job.pid}`,
    folder: '/',
    variables: '',
    limitMs: 1000,
  });
  const output = text.slice(job.shown).replace(/\n$/, '');
  if (alive.exitCode === 0 && !job.isKilled) return call.say('stillRuns', { output });
  return call.say('jobEnded', {
    output,
    word: job.isKilled ? 'killed' : 'completed',
    status: job.isKilled ? 137 : 0,
  });
}

/** Ends a command in the background. */
export function* jobKillTool(call: Call): Working<Said> {
  const job = jobOf(call);
  if (job === undefined) return call.say('noJob', { id: call.text('id') ?? '' });
  yield* call.bench.work({ do: 'kill', pid: job.pid });
  replaceJob(call, { ...job, isKilled: true });
  return call.say('killed', { id: job.id, command: job.command });
}

/** Takes a list of tasks over. */
export function todoTool(call: Call): Said {
  const items = call.use.fields.items ?? [];
  call.bench.state = { ...call.bench.state, todos: items };
  const rows = Array.isArray(items)
    ? (items as readonly Readonly<Record<string, unknown>>[]).map(
        (one, at) =>
          `${at + 1}. [${String(one.status ?? 'pending')}] ${String(one.description ?? one.content ?? one.step ?? '')}`,
      )
    : [];
  return call.say('todo', { list: rows.join('\n') });
}
