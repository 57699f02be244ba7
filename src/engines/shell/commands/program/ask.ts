/**
 * Questions of `rm`, `cp`, `mv`, `ln`: the question on standard error, the answer from standard input.
 */
import type { Running } from '../../kernel/index.js';
import type { Tool } from './tool.js';

/** Asks; true for an answer that begins with `y` or `Y`. Reads one line, byte by byte, so that others can read on. */
export function* askYes(tool: Tool, question: string): Running<boolean> {
  yield* tool.io.flush();
  tool.io.err(`${tool.name}: ${question}`);
  let answer = '';
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, 0, 1);
    if (piece.length === 0 || piece[0] === 10) return /^[yY]/.test(answer);
    answer += String.fromCharCode(piece[0] ?? 0);
  }
}
