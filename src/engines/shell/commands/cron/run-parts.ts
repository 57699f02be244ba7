/**
 * `run-parts` of debianutils 5.7: every program of a folder, in order of names.
 *
 * Source: run-parts(8). Not covered: `--regex`, `--lsbsysinit`, `--new-session`, `--random`, which are asked.
 */
import type { Process } from '../../kernel/index.js';
import { runCommand, SystemError, shellStatus } from '../../kernel/index.js';
import { defineOptions } from '../program/options.js';
import { defineTool } from '../program/tool.js';
import { unknownProgram } from '../program/unknown-program.js';

const OPTIONS = defineOptions(
  'test list report v,verbose reverse exit-on-error a,arg: u,umask: regex: lsbsysinit new-session random h,help V,version',
  '',
);

/** The command. */
export const runParts = defineTool(
  'run-parts',
  function* (tool) {
    const flags = new Set<string>();
    const args: string[] = [];
    for (const { key, value = '' } of tool.options(OPTIONS)) {
      if (key === 'a') args.push(value);
      flags.add(key);
    }
    const isAsked = ['regex', 'lsbsysinit', 'new-session', 'random', 'h', 'V', 'u'].some((one) =>
      flags.has(one),
    );
    const [folder] = tool.operands;
    if (isAsked || folder === undefined) return yield* unknownProgram('run-parts')(tool.proc);
    let names: string[];
    try {
      names = tool.proc
        .readdir(folder)
        .map(({ name }) => name)
        .filter((name) => /^[\w-]+$/.test(name))
        .sort();
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      tool.io.err(`run-parts: failed to open directory ${folder}: ${error.text}\n`);
      return 1;
    }
    if (flags.has('reverse')) names.reverse();
    for (const path of names.map((name) => `${folder.replace(/\/$/, '')}/${name}`)) {
      const isProgram = isExecutable(tool.proc, path);
      if (flags.has('list') || flags.has('test')) {
        if (isProgram || flags.has('list')) tool.out(`${path}\n`);
        continue;
      }
      if (!isProgram) continue;
      if (flags.has('v')) tool.io.err(`run-parts: executing ${path}\n`);
      yield* tool.io.flush();
      const status = shellStatus(yield* runCommand(tool.proc, [path, ...args]));
      if (status === 0) continue;
      tool.io.err(`run-parts: ${path} exited with return code ${status}\n`);
      tool.status = 1;
      if (flags.has('exit-on-error')) break;
    }
    return tool.status;
  },
  { sizeBytes: 27_208 },
);

function isExecutable(proc: Process, path: string): boolean {
  const inode = proc.find(path);
  return inode?.kind === 'file' && proc.may(inode, 1);
}
