/**
 * Pipelines, `!`, `time` and commands in the background.
 */
import { type Running, SystemError } from '../../kernel/index.js';
import type { Command, PipelineCommand } from '../../syntax/ast.js';
import { printCommandText } from '../../syntax/printer.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { collectExports } from '../state/environment.js';
import { foreground, type Started } from './foreground.js';
import { flushOutput } from './output.js';
import { ignoring, run, subshellCommands } from './run-command.js';
import { forkShell } from './subshell.js';
import { timeReport } from './time-report.js';

/** Runs a pipeline. */
export function* runPipeline(shell: Shell, pipeline: PipelineCommand): Running<number> {
  const startUs = shell.process.now();
  const before = cpuUs(shell);
  let status: number;
  if (pipeline.commands.length === 0) status = 0;
  else if (pipeline.commands.length === 1) {
    const only = pipeline.commands[0] as Command;
    status = pipeline.negated ? yield* ignoring(shell, only) : yield* run(shell, only);
  } else status = yield* runStages(shell, pipeline);
  if (pipeline.timed !== false) {
    const usedUs = cpuUs(shell) - before;
    shell.err(
      timeReport(shell, {
        realUs: shell.process.now() - startUs,
        usedUs,
        posix: pipeline.timed === 'time -p',
      }),
    );
    yield* flushOutput(shell);
  }
  if (!pipeline.negated) return status;
  return status === 0 ? 1 : 0;
}

function cpuUs(shell: Shell): number {
  return shell.process.cpuUs;
}

/** Starts one subshell for each stage, joined by pipes, and waits for all. */
function* runStages(shell: Shell, pipeline: PipelineCommand): Running<number> {
  yield* flushOutput(shell);
  collectExports(shell);
  const { commands } = pipeline;
  const lastHere = shell.shopt('lastpipe') && !shell.is('monitor');
  const started: Started[] = [];
  let input: number | undefined;
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1;
    if (isLast && lastHere)
      return yield* runLastHere(shell, { command, input: input as number, started, pipeline });
    const pipe = isLast ? undefined : openPipe(shell);
    const child = yield* startStage(shell, command, { input, pipe, pgid: groupOf(shell, started) });
    started.push({ pid: child, command });
    if (input !== undefined) shell.process.close(input);
    if (pipe !== undefined) shell.process.close(pipe[1]);
    input = pipe?.[0];
  }
  return yield* foreground(shell, started, pipeline);
}

function groupOf(shell: Shell, started: readonly Started[]): number | undefined {
  return shell.is('monitor') ? (started[0]?.pid ?? 0) : undefined;
}

function openPipe(shell: Shell): readonly [number, number] {
  try {
    return shell.process.pipe();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new ShellFailure(`pipe error: ${error.text}`, 'command');
  }
}

interface Stage {
  readonly input: number | undefined;
  readonly pipe: readonly [number, number] | undefined;
  readonly pgid: number | undefined;
}

function* startStage(shell: Shell, command: Command, stage: Stage): Running<number> {
  const { input, pipe, pgid } = stage;
  const child = yield* forkShell(shell, { pgid }, function* (sub) {
    if (input !== undefined) {
      sub.process.dup2(input, 0);
      sub.process.close(input);
    }
    if (pipe !== undefined) {
      sub.process.close(pipe[0]);
      sub.process.dup2(pipe[1], 1);
      sub.process.close(pipe[1]);
    }
    sub.onlyCommand = command;
    return yield* subshellCommands(sub, command);
  });
  return child.pid;
}

/** `lastpipe`: the last stage runs in the shell itself. */
function* runLastHere(
  shell: Shell,
  last: { command: Command; input: number; started: Started[]; pipeline: PipelineCommand },
): Running<number> {
  const kept = shell.process.isOpen(0) ? shell.process.dup(0, 10) : undefined;
  shell.process.dup2(last.input, 0);
  shell.process.close(last.input);
  const status = yield* run(shell, last.command);
  if (kept === undefined) shell.process.close(0);
  else {
    shell.process.dup2(kept, 0);
    shell.process.close(kept);
  }
  yield* foreground(shell, last.started, last.pipeline);
  shell.pipeStatus = [...shell.pipeStatus, status];
  const failing = shell.is('pipefail') ? [...shell.pipeStatus].reverse().find((one) => one !== 0) : undefined;
  return failing ?? status;
}

/** `command &`. */
export function* runBackground(shell: Shell, command: Command): Running<number> {
  yield* flushOutput(shell);
  const stages =
    command.kind === 'pipeline' && !command.negated && command.timed === false ? command.commands : [command];
  const started: Started[] = [];
  let input: number | undefined;
  for (const [index, stage] of stages.entries()) {
    const pipe = index === stages.length - 1 ? undefined : openPipe(shell);
    started.push({
      pid: yield* startBackgroundStage(shell, stage, { input, pipe, pgid: groupOf(shell, started) }),
      command: stage,
    });
    if (input !== undefined) shell.process.close(input);
    if (pipe !== undefined) shell.process.close(pipe[1]);
    input = pipe?.[0];
  }
  const processes = started.map((one) => ({
    pid: one.pid,
    text: printCommandText(one.command),
    status: undefined,
  }));
  const last = started[started.length - 1] as Started;
  shell.lastBackground = last.pid;
  const folder = shell.variables.find('PWD')?.value ?? '';
  const pgid = shell.is('monitor') ? (started[0] as Started).pid : shell.process.pgid;
  const job = shell.jobs.add({ pgid, processes, text: printCommandText(command), folder });
  if (shell.isInteractive) {
    shell.err(`[${job.number}] ${last.pid}\n`);
    yield* flushOutput(shell);
  }
  shell.pipeStatus = [0];
  return 0;
}

function* startBackgroundStage(shell: Shell, command: Command, stage: Stage): Running<number> {
  const { input, pipe, pgid } = stage;
  const detached = !shell.is('monitor') && input === undefined;
  const child = yield* forkShell(shell, { pgid, isAsynchronous: true }, function* (sub) {
    if (detached) {
      const empty = sub.process.openNow('/dev/null');
      if (empty !== 0) {
        sub.process.dup2(empty, 0);
        sub.process.close(empty);
      }
    }
    if (input !== undefined) {
      sub.process.dup2(input, 0);
      sub.process.close(input);
    }
    if (pipe !== undefined) {
      sub.process.close(pipe[0]);
      sub.process.dup2(pipe[1], 1);
      sub.process.close(pipe[1]);
    }
    sub.ignoresErrors = 0;
    sub.onlyCommand = command;
    return yield* subshellCommands(sub, command);
  });
  return child.pid;
}
