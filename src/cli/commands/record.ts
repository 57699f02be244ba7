/**
 * `umwelt record`: stand between an MCP client and a real server, and write down every message.
 *
 * In the stdio form standard input and output belong to the client and the server alone; what we have to say goes to
 * standard error, and only when something is wrong. The exit code or signal is the server's.
 */
import { constants } from 'node:os';
import {
  type FrameRecording,
  openFrameRecording,
  type ServerEnd,
  startHttpRecorder,
  startStdioRecorder,
} from '../../capture/index.js';
import { UsageError } from '../../core/index.js';
import { type CommandInput, integerFlag, textFlag } from '../command.js';
import { EXIT } from '../failure.js';
import { type Output, visible } from '../output.js';

/** Milliseconds that the last bytes get to leave. */
const FLUSH_MS = 2_000;

/** Signals that a client or a terminal may send to what it believes is the server. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;

/** Runs the command. */
export async function run({ words, flags, output }: CommandInput): Promise<number> {
  const url = textFlag(flags, 'url');
  const [command, ...args] = words;
  if ((url === undefined) === (command === undefined)) {
    const seen = url === undefined ? 'neither' : 'both';
    throw new UsageError(`umwelt record takes -- COMMAND ARGS… or --url URL, but got ${seen}`, {
      code: 'usage/bad-argument',
    });
  }
  if (command === '') {
    const message = 'the command after -- is empty; wanted a program on PATH or a path to one';
    throw new UsageError(message, { code: 'usage/bad-argument' });
  }
  const port = integerFlag(flags, 'port');
  if (port !== undefined && (url === undefined || port > 65_535)) {
    const message = url === undefined ? '--port goes with --url' : `--port is ${port}, wanted 0 to 65535`;
    throw new UsageError(message, { code: 'usage/bad-argument', data: { seen: port } });
  }
  const recording = openRecording(textFlag(flags, 'out') ?? defaultName(), output);
  try {
    if (url === undefined) return await recordStdio(command ?? '', args, recording);
    return await recordHttp(url, port, { recording, output });
  } finally {
    recording.close();
  }
}

/** A name that two recorders started together do not share. */
function defaultName(): string {
  return `mcp-${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}.jsonl`;
}

function openRecording(path: string, output: Output): FrameRecording {
  const say = (text: string): void => output.note(`umwelt record: ${visible(text)}`);
  const onProblem = (problem: Error): void =>
    say(`${problem.message}; recording stops, the bytes still pass`);
  const opened = openFrameRecording(path, { onProblem });
  if (!opened.ok) throw opened.error;
  const { repairedBytes } = opened.value;
  if (repairedBytes > 0) say(`took away a cut last line (${repairedBytes} bytes) of ${path}`);
  return opened.value;
}

async function recordStdio(
  command: string,
  args: readonly string[],
  recording: FrameRecording,
): Promise<number> {
  // Here a client that goes away is the server's affair: it must see it and end in its own way.
  process.stdout.removeAllListeners('error');
  process.stderr.removeAllListeners('error');
  process.removeAllListeners('SIGINT');
  const client = { input: process.stdin, output: process.stdout, log: process.stderr };
  const pending: NodeJS.Signals[] = [];
  let send = (signal: NodeJS.Signals): void => void pending.push(signal);
  const onSignal = (signal: NodeJS.Signals): void => send(signal);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const started = await startStdioRecorder({ command, args, recording, client });
  if (!started.ok) throw started.error;
  send = started.value.kill;
  for (const signal of pending) send(signal);
  const end = await started.value.ended;
  for (const signal of SIGNALS) process.removeListener(signal, onSignal);
  recording.close();
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  return leave(end, recording.problem === undefined ? EXIT.done : EXIT.failed);
}

/** Waits until what was handed on has left this process; not for ever, for a client that does not read. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.destroyed || stream.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ['close', 'error']) stream.once(event, () => resolve());
    stream.write('', () => resolve());
    setTimeout(resolve, FLUSH_MS);
  });
}

/** Ends as the server ended. `own` is the code when the server says 0. */
function leave({ code, signal }: ServerEnd, own: number): Promise<number> {
  if (signal === null) process.exit(code === null ? EXIT.failed : code === 0 ? own : code);
  // Without a handler the signal ends this process too, so that the client sees what the server died of.
  process.kill(process.pid, signal as NodeJS.Signals);
  // Some signals (SIGPIPE) are ignored here; then the code is the one that shells use.
  return new Promise((resolve) =>
    setTimeout(() => resolve(128 + constants.signals[signal as NodeJS.Signals]), 100),
  );
}

async function recordHttp(
  url: string,
  port: number | undefined,
  { recording, output }: { readonly recording: FrameRecording; readonly output: Output },
): Promise<number> {
  const say = (text: string): void => output.note(`umwelt record: ${visible(text)}`);
  const started = await startHttpRecorder({
    url,
    recording,
    ...(port !== undefined && { port }),
    onProblem: say,
  });
  if (!started.ok) throw started.error;
  say(`${started.value.url} passes to ${url}; recording into ${recording.path}; Ctrl-C ends`);
  process.removeAllListeners('SIGINT');
  const code = await new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(EXIT.interrupted));
    process.once('SIGTERM', () => resolve(EXIT.done));
  });
  await started.value.close();
  return recording.problem === undefined ? code : EXIT.failed;
}
