/**
 * The example machine of docs/FAULTS.md: one user, one file of notes. Test code only.
 */
import { loadWorld, type World } from '../worlds/index.js';

/** The machine; `python3` is there and nobody computes it. */
export function faultTerminalWorld(): World {
  const world = loadWorld(
    JSON.stringify({
      world: 1,
      name: 'notes-machine',
      domain: 'terminal',
      state: {
        packages: ['python3'],
        files: {
          '/home/user/notes.txt': 'pear\napple\nfig\n',
          '/home/user/config.json': '{"name":"lamp","text":"all is well here"}\n',
        },
      },
    }),
  );
  if (!world.ok) throw world.error;
  return world.value;
}

/** The action that types a line, or presses a key that has a name such as `C-c`. */
export function typed(line: string): string {
  const isKey = /^C-.$/.test(line);
  return JSON.stringify([{ keystrokes: isKey ? line : `${line}\n`, duration: 3 }]);
}
