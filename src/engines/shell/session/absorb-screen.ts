/**
 * What a foreign screen shows of the state: the current folder from the last prompt, and texts that `cat` showed whole.
 *
 * Not covered: listings with details, outputs of pipelines, prompts without user, host and folder.
 */
import type { ToolCall } from '../../../core/index.js';
import { keyBatches, visibleText } from '../../../domains/index.js';
import type { MachineSpec } from '../machine/machine-spec.js';
import type { ShownFacts } from './moment.js';

const PROMPT = /^(?:\([^)]*\) )?([a-z_][\w-]*)@([\w.-]+):([~/][^$#]*)[$#](?: (.*))?$/;

/** Reads the facts; relative paths start in the folder of the prompt before the command. */
export function readShown(action: ToolCall, observation: string, spec: MachineSpec): ShownFacts {
  const screen = visibleText(observation);
  const rows = screen.split('\n');
  const prompts = rows.flatMap((row, index) => {
    const match = PROMPT.exec(row);
    return match === null
      ? []
      : [{ index, home: homeOf(match[1] ?? '', spec), folder: match[3] ?? '', command: match[4] ?? '' }];
  });
  const last = prompts.at(-1);
  const files: Record<string, string> = {};
  const typed = new Set(keyBatches(action).map(({ keystrokes }) => keystrokes.trim()));
  prompts.forEach(({ index, home, folder, command }, at) => {
    const name = /^cat ([\w./~-]+)$/.exec(command.trim())?.[1];
    const end = prompts[at + 1]?.index;
    if (name === undefined || end === undefined || !typed.has(command.trim())) return;
    const shown = rows.slice(index + 1, end);
    if (shown[0]?.startsWith('cat: ') === true) return;
    files[absolute(name, expand(folder, home), home)] = shown.map((row) => `${row}\n`).join('');
  });
  const ran = prompts.find(({ command }) => command !== '' && typed.has(command.trim()));
  return {
    screen,
    files,
    folders: [],
    ...(ran === undefined ? {} : { before: expand(ran.folder, ran.home) }),
    ...(last === undefined ? {} : { cwd: expand(last.folder, last.home) }),
  };
}

function homeOf(user: string, spec: MachineSpec): string {
  if (user === spec.user.name) return spec.user.home;
  return user === 'root' ? '/root' : `/home/${user}`;
}

function expand(folder: string, home: string): string {
  return folder === '~' || folder.startsWith('~/') ? `${home}${folder.slice(1)}` : folder;
}

function absolute(name: string, cwd: string, home: string): string {
  const path = expand(name, home);
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
