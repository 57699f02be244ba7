/**
 * `clear` and `reset` of ncurses, for the terminals that are alike in this: xterm, screen and tmux.
 *
 * Source: clear(1), tset(1); the control sequences of terminfo's `clear`, `E3` and `rs2`. Not covered: other terminal
 * types than those without a screen (`dumb` has no `clear`).
 */
import type { Command } from '../../../kernel/index.js';

const CLEAR = '\x1b[H\x1b[2J\x1b[3J';

/** The command `clear`. */
export const clear: Command = {
  name: 'clear',
  path: '/usr/bin/clear',
  sizeBytes: 14_656,
  // biome-ignore lint/correctness/useYield: nothing here waits
  run: function* (proc, io) {
    const term = proc.env.get('TERM');
    if (term === undefined || term === '') {
      io.err('TERM environment variable not set.\n');
      return 1;
    }
    if (term === 'dumb') return 1;
    io.out(proc.argv.includes('-x') ? '\x1b[H\x1b[2J' : CLEAR);
    return 0;
  },
};

/** The command `reset`. */
export const reset: Command = {
  name: 'reset',
  path: '/usr/bin/reset',
  sizeBytes: 27_032,
  // biome-ignore lint/correctness/useYield: nothing here waits
  run: function* (_proc, io) {
    io.out('\x1bc\x1b[?1000l\x1b[?25h');
    return 0;
  },
};
