/**
 * The keys of a pager, one at a time, from the terminal: a chunk may hold several, an arrow key is several bytes.
 */
import { type Running, toText } from '../../../kernel/index.js';
import type { Tool } from '../../program/tool.js';

/** What a key is at the end of the terminal's input. */
export const NO_KEY = '';

/** The terminal, key by key and not shown, while something is paged. */
export class PagerKeys {
  private waiting = '';

  private constructor(
    private readonly tool: Tool,
    private readonly fd: number,
    private readonly before: { readonly icanon: boolean; readonly echo: boolean },
  ) {}

  /** Opens the terminal. Raises what opening `/dev/tty` raises. */
  static *open(tool: Tool): Running<PagerKeys> {
    const fd = yield* tool.proc.open('/dev/tty');
    const { icanon, echo } = tool.proc.tcgetattr(fd);
    tool.proc.tcsetattr(fd, { icanon: false, echo: false });
    return new PagerKeys(tool, fd, { icanon, echo });
  }

  /** Sets the terminal back. */
  close(): void {
    this.tool.proc.tcsetattr(this.fd, this.before);
    this.tool.proc.close(this.fd);
  }

  /** The next key: a character, or the sequence of one that has no character. What was printed is seen before. */
  *next(): Running<string> {
    if (this.waiting === '') {
      yield* this.tool.io.flush();
      this.waiting = toText(yield* this.tool.proc.read(this.fd, 64));
    }
    const key = /^\x1b(?:[[O][0-9;]*[A-Za-z~]|[^[O])|^[\s\S]/.exec(this.waiting)?.[0] ?? NO_KEY;
    this.waiting = this.waiting.slice(key.length);
    return key;
  }
}
