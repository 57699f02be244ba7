/**
 * A text on the screen of a pager: which rows are seen, the prompt below, and the keys that move.
 *
 * Source: less(1), more(1). Not covered: marks, several files at once, editing keys in the search prompt but erase.
 */
import { type Running, toText } from '../../../kernel/index.js';
import { terminalSize } from '../../program/terminal-size.js';
import type { Tool } from '../../program/tool.js';

/** What is shown and how. */
export interface PagerText {
  readonly name: string;
  readonly lines: readonly string[];
  /** Uses the alternate screen and `(END)`, as less does; else `--More--`. */
  readonly isLess: boolean;
  readonly chops: boolean;
}

const REVERSE = ['\x1b[7m', '\x1b[27m'] as const;

/** Breaks lines into rows of the screen. */
function rowsOf(text: PagerText, columns: number): string[] {
  return text.lines.flatMap((line) => {
    const shown = line
      .replace(/\t/g, '        ')
      .replace(/[\x00-\x08\x0b-\x1f]/g, (one) => `^${String.fromCharCode(one.charCodeAt(0) + 64)}`);
    if (text.chops || shown.length <= columns) return [shown.slice(0, columns)];
    return shown.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''];
  });
}

/** Shows a text until somebody quits. The keys come from the terminal. */
export function* page(tool: Tool, text: PagerText): Running<void> {
  const { proc } = tool;
  const fd = yield* proc.open('/dev/tty');
  const before = proc.tcgetattr(fd);
  proc.tcsetattr(fd, { icanon: false, echo: false });
  if (text.isLess) tool.out('\x1b[?1049h\x1b[H');
  try {
    yield* new PagerView(tool, text, fd).run();
  } finally {
    proc.tcsetattr(fd, { icanon: before.icanon, echo: before.echo });
    tool.out(text.isLess ? '\x1b[?1049l' : '\r\x1b[K');
    proc.close(fd);
  }
}

class PagerView {
  private top = 0;
  private pattern: RegExp | undefined;
  private message: string | undefined;
  private isFirst = true;
  private readonly rows: readonly string[];
  private readonly height: number;

  constructor(
    private readonly tool: Tool,
    private readonly text: PagerText,
    private readonly fd: number,
  ) {
    const size = terminalSize(tool);
    this.rows = rowsOf(text, size.columns);
    this.height = size.rows - 1;
  }

  private get last(): number {
    return Math.max(0, this.rows.length - this.height);
  }

  *run(): Running<void> {
    this.draw();
    for (;;) {
      yield* this.tool.io.flush();
      const key = toText(yield* this.tool.proc.read(this.fd, 16));
      if (key === '' || /^[qQ]/.test(key) || key.startsWith('ZZ') || key.startsWith('\x03')) return;
      if (key.startsWith('/')) yield* this.search(key.slice(1));
      else if (!this.move(key)) continue;
      if (!this.text.isLess && this.top >= this.last) {
        this.draw();
        return;
      }
      this.draw();
    }
  }

  private move(key: string): boolean {
    const half = Math.max(1, Math.floor(this.height / 2));
    const steps: Readonly<Record<string, number>> = {
      ' ': this.height,
      f: this.height,
      '\x06': this.height,
      '\x1b[6~': this.height,
      b: -this.height,
      '\x02': -this.height,
      '\x1b[5~': -this.height,
      d: half,
      '\x04': half,
      u: -half,
      '\x15': -half,
      j: 1,
      e: 1,
      '\r': 1,
      '\n': 1,
      '\x1b[B': 1,
      '\x1bOB': 1,
      k: -1,
      y: -1,
      '\x1b[A': -1,
      '\x1bOA': -1,
    };
    const first = key.startsWith('\x1b') ? key : (key[0] ?? '');
    if (first === 'g' || first === '<') this.top = 0;
    else if (first === 'G' || first === '>') this.top = this.last;
    else if (first === 'n' || first === 'N') this.find(first === 'n' ? 1 : -1);
    else if (steps[first] !== undefined) this.top = Math.min(this.last, Math.max(0, this.top + steps[first]));
    else return false;
    return true;
  }

  private *search(start: string): Running<void> {
    let typed = start;
    const { tool } = this;
    tool.out(`\r\x1b[K/${typed}`);
    while (!/[\r\n]/.test(typed)) {
      yield* tool.io.flush();
      const key = toText(yield* tool.proc.read(this.fd, 16));
      if (key === '') return;
      typed = key === '\x7f' ? typed.slice(0, -1) : typed + key;
      tool.out(`\r\x1b[K/${typed.replace(/[\r\n]/g, '')}`);
    }
    const wanted = typed.replace(/[\r\n].*$/s, '');
    // A literal search: a pattern of the agent must not run for long.
    if (wanted !== '') this.pattern = new RegExp(wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    this.find(1);
  }

  private find(step: 1 | -1): void {
    const { pattern } = this;
    if (pattern === undefined) {
      this.message = 'No previous search pattern';
      return;
    }
    for (let at = this.top + step; at >= 0 && at < this.rows.length; at += step) {
      if (!pattern.test(this.rows[at] ?? '')) continue;
      this.top = Math.min(this.last, at);
      return;
    }
    this.message = 'Pattern not found';
  }

  private draw(): void {
    const { tool, text, rows, top, height } = this;
    const shown = rows.slice(top, top + height);
    const filled = text.isLess
      ? [...shown, ...new Array<string>(Math.max(0, height - shown.length)).fill('~')]
      : shown;
    tool.out(`\x1b[H\x1b[2J${filled.map((row) => `${row}\r\n`).join('')}${this.prompt()}`);
    this.isFirst = false;
    this.message = undefined;
  }

  private prompt(): string {
    const { text, rows, top, height } = this;
    const mark = (words: string): string => `${REVERSE[0]}${words}${REVERSE[1]}`;
    if (this.message !== undefined) return mark(`${this.message}  (press RETURN)`);
    const isEnd = top + height >= rows.length;
    if (text.isLess) {
      if (isEnd) return mark(this.isFirst && text.name !== '' ? `${text.name} (END)` : '(END)');
      return this.isFirst && text.name !== '' ? mark(text.name) : ':';
    }
    return isEnd ? '' : mark(`--More--(${Math.floor(((top + height) * 100) / Math.max(1, rows.length))}%)`);
  }
}
