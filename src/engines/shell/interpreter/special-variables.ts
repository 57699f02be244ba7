/**
 * Variables that the shell computes when they are read.
 *
 * RANDOM is bash's own generator, started from the machine's seeded chance; times come from the virtual clock.
 */
import type { Command } from '../syntax/ast.js';
import { printCommandText } from '../syntax/printer.js';
import type { Shell } from './shell.js';
import { Specials, type SpecialVariable } from './state/variables.js';

/** What `BASH_COMMAND` shows: the head of a loop, the whole of anything else. */
function commandHead(command: Command): string {
  if (command.kind === 'for' || command.kind === 'select')
    return `${command.kind} ${command.name.text} in ${command.words?.map((word) => word.text).join(' ') ?? '"$@"'}`;
  if (command.kind === 'case') return `case ${command.word.text} in `;
  return printCommandText(command);
}

/** One step of the generator behind RANDOM. */
function nextRandom(shell: Shell): number {
  const previous = shell.randomSeed === 0 ? 123459876 : shell.randomSeed;
  const high = Math.trunc(previous / 127773);
  const low = previous - high * 127773;
  const next = 16807 * low - 2836 * high;
  shell.randomSeed = next < 0 ? next + 0x7fffffff : next;
  const folded = ((shell.randomSeed >>> 16) ^ (shell.randomSeed & 0xffff)) & 0x7fff;
  return folded;
}

function calls(shell: Shell): Shell['frames'] {
  return [...shell.frames].reverse();
}

function functionNames(shell: Shell): string[] | undefined {
  if (!shell.frames.some((frame) => frame.isFunction)) return undefined;
  const names = calls(shell).map((frame) => frame.name);
  return shell.scriptSource !== '' ? [...names, 'main'] : names;
}

function sources(shell: Shell): string[] {
  const names = calls(shell).map((frame) => frame.source);
  return shell.scriptSource !== '' ? [...names, shell.scriptSource] : names;
}

function callLines(shell: Shell): string[] {
  const lines = calls(shell).map((frame) => String(frame.callLine));
  return shell.scriptSource !== '' ? [...lines, '0'] : lines;
}

function table(shell: Shell): Record<string, SpecialVariable> {
  const nowUs = () => shell.process.now();
  return {
    RANDOM: {
      read: () => String(nextRandom(shell)),
      write: (value) => {
        shell.randomSeed = Number.parseInt(value, 10) >>> 0 || 0;
      },
    },
    SRANDOM: { read: () => String(Math.floor(shell.process.random() * 2 ** 32)), isFixed: true },
    SECONDS: {
      read: () => String(Math.floor((nowUs() - shell.secondsBaseUs) / 1e6)),
      write: (value) => {
        shell.secondsBaseUs = nowUs() - (Number.parseInt(value, 10) || 0) * 1e6;
      },
    },
    EPOCHSECONDS: { read: () => String(Math.floor(nowUs() / 1e6)), isFixed: true },
    EPOCHREALTIME: {
      read: () => `${Math.floor(nowUs() / 1e6)}.${String(nowUs() % 1e6).padStart(6, '0')}`,
      isFixed: true,
    },
    LINENO: { read: () => String(shell.line), isFixed: true },
    BASHPID: { read: () => String(shell.process.pid), isFixed: true },
    BASH_SUBSHELL: { read: () => String(shell.subshellLevel), isFixed: true },
    BASH_COMMAND: {
      read: () => (shell.currentCommand === undefined ? undefined : commandHead(shell.currentCommand)),
      isFixed: true,
    },
    FUNCNAME: { read: () => functionNames(shell), isFixed: true },
    BASH_SOURCE: { read: () => sources(shell), isFixed: true },
    BASH_LINENO: { read: () => callLines(shell), isFixed: true },
    PIPESTATUS: { read: () => shell.pipeStatus.map(String), isFixed: true },
    DIRSTACK: {
      read: () => [shell.variables.find('PWD')?.value ?? '', ...shell.directoryStack],
      isFixed: true,
    },
    GROUPS: { read: () => shell.process.groups.map(String), isFixed: true },
    BASH_ARGV0: {
      read: () => shell.name,
      write: (value) => {
        shell.name = value;
      },
    },
    HISTCMD: { read: () => String(shell.historyStart + shell.history.length), isFixed: true },
    SHELLOPTS: { read: () => [...shell.options].sort().join(':'), isFixed: true },
    BASHOPTS: {
      read: () =>
        [...shell.shopts]
          .filter(([, on]) => on)
          .map(([name]) => name)
          .sort()
          .join(':'),
      isFixed: true,
    },
    _: { read: () => shell.lastArgument, isFixed: true },
  };
}

/** Gives a shell its computed variables; the table is made when one of them is asked for. */
export function installSpecials(shell: Shell): void {
  let made: Record<string, SpecialVariable> | undefined;
  shell.variables.specials = new Specials(NAMES, (name) => {
    made ??= table(shell);
    return made[name];
  });
}

const NAMES: readonly string[] = [
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'EPOCHSECONDS',
  'EPOCHREALTIME',
  'LINENO',
  'BASHPID',
  'BASH_SUBSHELL',
  'BASH_COMMAND',
  'FUNCNAME',
  'BASH_SOURCE',
  'BASH_LINENO',
  'PIPESTATUS',
  'DIRSTACK',
  'GROUPS',
  'BASH_ARGV0',
  'HISTCMD',
  'SHELLOPTS',
  'BASHOPTS',
  '_',
];
