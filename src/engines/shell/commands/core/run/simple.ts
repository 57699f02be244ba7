/**
 * `true`, `false`, `yes`, `sleep`, `tee`, `sync`, `printenv`, `pwd` of coreutils 9.1.
 *
 * Source: their manual pages.
 */
import { Exit, type Running, SIG, SystemError } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, plainTool, systemError, type Tool } from '../../program/tool.js';
import { durationUs } from './run-others.js';

const NOTHING = defineOptions('');
const TEE = defineOptions('a,append i,ignore-interrupts p output-error::');
const SYNC = defineOptions('d,data f,file-system');
const PRINTENV = defineOptions('0,null');
const PWD = defineOptions('L,logical P,physical');

function standardOnly(tool: Tool): void {
  if (tool.args.length !== 1) return;
  if (tool.args[0] === '--help') tool.help();
  if (tool.args[0] === '--version') tool.version();
}

/** The command `true`. */
export const trueCommand = plainTool('true', (tool) => {
  standardOnly(tool);
  return 0;
});

/** The command `false`. */
export const falseCommand = plainTool('false', (tool) => {
  try {
    standardOnly(tool);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
  }
  return 1;
});

/** The command `yes`. */
export const yes = defineTool('yes', function* (tool) {
  for (const _ of tool.options(NOTHING, { stop: true }));
  const line = `${tool.operands.length > 0 ? tool.operands.join(' ') : 'y'}\n`;
  const block = line.repeat(Math.max(1, Math.floor(8192 / line.length)));
  try {
    for (;;) {
      yield* tool.proc.write(1, block);
      yield* tool.proc.pause();
    }
  } catch (error) {
    tool.die(`standard output: ${systemError(error).text}`);
  }
});

/** The command `sleep`. */
export const sleep = defineTool('sleep', function* (tool) {
  for (const _ of tool.options(NOTHING));
  if (tool.operands.length === 0) tool.usage('missing operand');
  let us = 0;
  let isWrong = false;
  for (const word of tool.operands) {
    const duration = durationUs(word);
    if (duration === undefined) {
      tool.warn(`invalid time interval ${tool.quote(word)}`);
      isWrong = true;
    } else us += duration;
  }
  if (isWrong) tool.usage();
  yield* tool.proc.sleep(us);
});

/** The command `tee`. */
export const tee = defineTool('tee', function* (tool) {
  let append = false;
  let onError: string | undefined;
  for (const { key, value } of tool.options(TEE)) {
    if (key === 'a') append = true;
    if (key === 'i') tool.proc.onSignal(SIG.INT, 'ignore');
    if (key === 'p') onError = 'warn-nopipe';
    if (key === 'output-error')
      onError =
        value === undefined
          ? 'warn-nopipe'
          : tool.choice('--output-error', value, [['warn'], ['warn-nopipe'], ['exit'], ['exit-nopipe']]);
  }
  if (onError !== undefined) tool.proc.onSignal(SIG.PIPE, 'ignore');
  let outputs: { name: string; fd: number }[] = [{ name: 'standard output', fd: 1 }];
  for (const name of tool.operands) {
    try {
      const flags = append ? { append: true, create: true } : { write: true, create: true, truncate: true };
      outputs.push({ name: tool.path(name), fd: yield* tool.proc.open(name, flags) });
    } catch (error) {
      tool.failed(error, name);
      if (onError?.startsWith('exit')) return 1;
    }
  }
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, 0);
    if (piece.length === 0) return tool.status;
    const kept: typeof outputs = [];
    for (const output of outputs) {
      const error = yield* written(tool, output.fd, piece);
      if (error === null) kept.push(output);
      else if (!(error.code === 'EPIPE' && onError?.endsWith('nopipe'))) {
        tool.fail(`${output.name}: ${error.text}`);
        if (onError?.startsWith('exit')) return 1;
      }
    }
    outputs = kept;
    if (outputs.length === 0) return tool.status;
  }
});

function* written(tool: Tool, fd: number, bytes: Uint8Array): Running<SystemError | null> {
  try {
    yield* tool.proc.write(fd, bytes);
    return null;
  } catch (error) {
    if (error instanceof SystemError) return error;
    throw error;
  }
}

/** The command `sync`. */
export const sync = plainTool('sync', (tool) => {
  let data = false;
  let system = false;
  for (const { key } of tool.options(SYNC)) {
    if (key === 'd') data = true;
    if (key === 'f') system = true;
  }
  if (data && system) tool.die('cannot specify both --data and --file-system');
  if (data && tool.operands.length === 0) tool.die('--data needs at least one argument');
  for (const name of tool.operands)
    tool.attempt(
      () => tool.proc.close(tool.proc.openNow(name, { nonblocking: true })),
      (error) => tool.fail(`error opening ${tool.named(name)}: ${error.text}`),
    );
});

/** The command `printenv`. */
export const printenv = plainTool(
  'printenv',
  (tool) => {
    let end = '\n';
    for (const { key } of tool.options(PRINTENV, { stop: true })) if (key === '0') end = '\0';
    if (tool.operands.length === 0) {
      for (const [name, value] of tool.proc.env) tool.out(`${name}=${value}${end}`);
      return 0;
    }
    let status = 0;
    for (const name of tool.operands) {
      const value = tool.env(name);
      if (value === undefined || name.includes('=')) status = 1;
      else tool.out(value + end);
    }
    return status;
  },
  { failStatus: 2 },
);

/** The command `pwd`. */
export const pwd = plainTool('pwd', (tool) => {
  let logical = tool.env('POSIXLY_CORRECT') !== undefined;
  for (const { key } of tool.options(PWD)) logical = key === 'L';
  if (tool.operands.length > 0) tool.warn('ignoring non-option arguments');
  const shown = tool.env('PWD');
  if (logical && shown?.startsWith('/') && !/(^|\/)\.\.?(\/|$)/.test(shown) && tool.proc.exists(shown)) {
    if (tool.proc.stat(shown).ino === tool.proc.cwdIno) {
      tool.out(`${shown}\n`);
      return;
    }
  }
  try {
    tool.out(`${tool.proc.getcwd()}\n`);
  } catch (error) {
    tool.die(
      `couldn't find directory entry in ${tool.quote('..')} with matching i-node`.replace(
        /.*/s,
        systemError(error).text,
      ),
    );
  }
});
