/**
 * `echo` of coreutils 9.1: the example of a command.
 *
 * Source: echo(1). Options must come first and be whole words of the letters n, e and E.
 */
import type { Command } from '../../kernel/index.js';
import { unescapeEcho } from './echo-escapes.js';

/** The command. */
export const echo: Command = {
  name: 'echo',
  path: '/usr/bin/echo',
  sizeBytes: 43_856,
  // biome-ignore lint/correctness/useYield: nothing here waits
  run: function* (proc, io) {
    let words = proc.argv.slice(1);
    let newline = true;
    let escapes = false;
    while (/^-[neE]+$/.test(words[0] ?? '')) {
      for (const letter of (words[0] ?? '').slice(1)) {
        if (letter === 'n') newline = false;
        else escapes = letter === 'e';
      }
      words = words.slice(1);
    }
    const text = words.join(' ');
    const shown = escapes ? unescapeEcho(text) : { text, stops: false };
    io.out(shown.stops || !newline ? shown.text : `${shown.text}\n`);
    return 0;
  },
};
