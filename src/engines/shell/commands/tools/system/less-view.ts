/**
 * `less` on a terminal: which rows are seen, the prompt below, and the keys that move.
 *
 * The first page is written where the cursor stands on the alternate screen, as less does: a short text has no `~` below
 * before the first key. Source: less(1), less 590. Not covered: marks, tags, shell escapes, filters, following.
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import { terminalSize } from '../../program/terminal-size.js';
import type { Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { NO_KEY, PagerKeys } from './pager-keys.js';
import { type PagerRow, PagerText, type RowLayout, rowsOfLine } from './pager-text.js';

/** How texts are shown. */
export interface LessOptions {
  readonly chops: boolean;
  readonly numbers: boolean;
  /** `-X`: no alternate screen. */
  readonly staysOnScreen: boolean;
  /** `-e` and `-E`: ends at the second, or the first, end of the text. */
  readonly quits: 'second' | 'first' | null;
  /** `-m` and `-M`. */
  readonly prompt: 'short' | 'medium' | 'long';
  /** `+G`, `+20`, `+/text`: what is done first. */
  readonly first: string | undefined;
}

const REVERSE = ['\x1b[7m', '\x1b[27m'] as const;
const marked = (words: string): string => `${REVERSE[0]}${words}${REVERSE[1]}`;

/** Shows texts until somebody quits. */
export function* showLess(tool: Tool, texts: readonly PagerText[], options: LessOptions): Running<void> {
  const keys = yield* PagerKeys.open(tool);
  if (!options.staysOnScreen) tool.out('\x1b[?1049h');
  try {
    yield* new LessView(tool, keys, { texts, options }).run();
  } finally {
    keys.close();
    tool.out(options.staysOnScreen ? '\r\x1b[K' : '\r\x1b[K\x1b[?1049l');
  }
}

class LessView {
  private at = 0;
  /** The first row that is seen. */
  private top = 0;
  private shift = 0;
  private rows: PagerRow[] = [];
  private laid = 0;
  private pattern: { readonly text: string; readonly back: boolean } | undefined;
  private message: string | undefined;
  private isFirst = true;
  private typed = '';
  private atEndBefore = false;
  private half: number;
  private readonly height: number;
  private readonly layout: RowLayout;

  constructor(
    private readonly tool: Tool,
    private readonly keys: PagerKeys,
    private readonly shown: {
      readonly texts: readonly PagerText[];
      readonly options: LessOptions;
      readonly isHelp?: true;
    },
  ) {
    const { rows, columns } = terminalSize(tool);
    const { chops, numbers } = shown.options;
    this.layout = { columns, chops, numbers };
    this.height = rows - 1;
    this.half = Math.max(1, Math.floor(rows / 2));
  }

  private get text(): PagerText {
    return this.shown.texts[this.at] as PagerText;
  }

  /** Reads and lays out until there are so many rows, or no more. */
  private *need(count: number): Running<void> {
    while (this.rows.length < count) {
      yield* this.text.need(this.laid + 1);
      const line = this.text.lines[this.laid];
      if (line === undefined) return;
      this.rows.push(...rowsOfLine(line, this.laid, { ...this.layout, shift: this.shift }));
      this.laid += 1;
    }
  }

  /** The top at which the last row stands at the bottom. */
  private get last(): number {
    return Math.max(0, this.rows.length - this.height);
  }

  private get isEnd(): boolean {
    return (
      this.text.isOver && this.laid >= this.text.lines.length && this.top + this.height >= this.rows.length
    );
  }

  *run(): Running<void> {
    yield* this.start();
    for (;;) {
      if (this.shown.options.quits === 'first' && this.isEnd) return;
      const key = yield* this.keys.next();
      if (key === NO_KEY) return;
      if (this.message !== undefined) {
        this.message = undefined;
        yield* this.draw();
        if (/^[\r\n ]$/.test(key)) continue;
      }
      const going = yield* this.press(key);
      if (!going) return;
    }
  }

  private *start(): Running<void> {
    const first = this.shown.isHelp === true ? '1' : this.shown.options.first;
    yield* this.need(this.height + 1);
    if (first === undefined) {
      const page = this.rows.slice(this.top, this.top + this.height);
      this.tool.out(`${page.map((row) => `${row.text}\r\n`).join('')}${this.prompt()}`);
      return;
    }
    if (/^\d+$/.test(first)) yield* this.goTo(Number(first));
    else if (first === 'G') yield* this.toEnd();
    else if (first.startsWith('/')) yield* this.find(first.slice(1), { back: false, again: false });
    yield* this.draw();
  }

  /** Does what a key means; false when it ends the pager. */
  private *press(key: string): Running<boolean> {
    if (/^[\d:-]$/.test(key) && (key !== '-' || this.typed === '') && !(key === ':' && this.typed !== '')) {
      this.typed += key;
      this.tool.out(`\r\x1b[K${/^\d/.test(this.typed) ? ':' : ''}${this.typed}`);
      return true;
    }
    const { typed } = this;
    this.typed = '';
    if (typed === ':' || typed === '-') return yield* this.longKey(typed + key);
    const count = typed === '' ? undefined : Number(typed);
    if (/^[qQ]$/.test(key)) return false;
    if (key === 'Z') return (yield* this.keys.next()) !== 'Z';
    if (key === '/' || key === '?') yield* this.ask(key);
    else if (key === 'n' || key === 'N') yield* this.again(key === 'N');
    else if (/^[hH]$/.test(key)) yield* this.help();
    else if (key === '=' || key === '\x07') {
      yield* this.tell();
      return true;
    } else if (!(yield* this.move(key, count))) return true;
    if (this.isEnd && this.shown.options.quits === 'second') {
      if (this.atEndBefore || /^[ f\r\nj]$/.test(key)) return false;
      this.atEndBefore = true;
    }
    yield* this.draw();
    return true;
  }

  /** `:n`, `:p`, `:q`; options in the middle are read and not followed. */
  private *longKey(key: string): Running<boolean> {
    if (/^:[qQ]$/.test(key)) return false;
    const next = this.at + (key === ':n' ? 1 : key === ':p' ? -1 : 0);
    if (key === ':n' || key === ':p') {
      if (this.shown.texts[next] === undefined) {
        this.message = key === ':n' ? 'No next file' : 'No previous file';
      } else {
        this.at = next;
        this.rows = [];
        this.laid = 0;
        this.top = 0;
        this.isFirst = true;
      }
    }
    yield* this.draw();
    return true;
  }

  private *move(key: string, count: number | undefined): Running<boolean> {
    const { height } = this;
    if (/^[d\x04u\x15]$/.test(key) && count !== undefined) this.half = Math.max(1, count);
    const lines = STEPS[key];
    if (lines !== undefined) {
      const size = lines === 'page' ? height : lines === 'half' ? this.half : 1;
      yield* this.scroll(
        lines === 'half' ? size : size === 1 ? (count ?? 1) : (count ?? size),
        BACK.has(key),
      );
      return true;
    }
    if (/^(?:[g<]|\x1b<)$/.test(key)) yield* this.goTo(count ?? 1);
    else if (/^(?:[G>]|\x1b>)$/.test(key)) yield* count === undefined ? this.toEnd() : this.goTo(count);
    else if (/^[p%]$/.test(key)) yield* this.toShare(count ?? 0);
    else if (key === '\x1b[C' || key === '\x1bOC' || key === '\x1b)') yield* this.sideways(1);
    else if (key === '\x1b[D' || key === '\x1bOD' || key === '\x1b(') yield* this.sideways(-1);
    else if (!/^[rR\x0c]$/.test(key)) return false;
    return true;
  }

  private *scroll(count: number, back: boolean): Running<void> {
    if (back) {
      this.top = Math.max(0, this.top - count);
      return;
    }
    yield* this.need(this.top + count + this.height + 1);
    this.top = Math.max(this.top, Math.min(this.last, this.top + count));
  }

  /** A line at the top, counted from 1. */
  private *goTo(line: number): Running<void> {
    yield* this.text.need(line);
    while (this.laid < line && this.laid < this.text.lines.length) yield* this.need(this.rows.length + 1);
    const wanted = Math.min(line, this.text.lines.length) - 1;
    this.top = Math.max(
      0,
      this.rows.findIndex((row) => row.line === wanted),
    );
  }

  private *toEnd(): Running<void> {
    yield* this.need(Number.POSITIVE_INFINITY);
    this.top = this.last;
  }

  /** A share of the bytes, in hundredths. */
  private *toShare(share: number): Running<void> {
    yield* this.need(Number.POSITIVE_INFINITY);
    const byte = ((this.text.size ?? 0) * Math.min(100, share)) / 100;
    const line = this.text.ends.findIndex((end) => end > byte);
    yield* this.goTo(line < 0 ? this.text.lines.length : line + 1);
  }

  private *sideways(way: 1 | -1): Running<void> {
    const line = this.rows[this.top]?.line ?? 0;
    this.shift = Math.max(0, this.shift + way * Math.floor(this.layout.columns / 2));
    this.rows = [];
    this.laid = 0;
    yield* this.goTo(line + 1);
  }

  /** Reads a pattern below the text and looks for it. */
  private *ask(mark: '/' | '?'): Running<void> {
    let typed = '';
    for (;;) {
      this.tool.out(`\r\x1b[K${mark}${typed}`);
      const key = yield* this.keys.next();
      if (key === NO_KEY || key === '\x03') return;
      if (/^[\r\n]$/.test(key)) break;
      if (key !== '\x7f' && key !== '\b') typed += key;
      else if (typed === '') return;
      else typed = typed.slice(0, -1);
    }
    const back = mark === '?';
    if (typed === '') yield* this.again(this.pattern !== undefined && this.pattern.back !== back);
    else yield* this.find(typed, { back, again: false });
  }

  private *again(reversed: boolean): Running<void> {
    const { pattern } = this;
    if (pattern === undefined) this.message = 'No previous regular expression';
    else {
      yield* this.find(pattern.text, { back: pattern.back !== reversed, again: true });
      this.pattern = pattern;
    }
  }

  /**
   * A literal search: a pattern that somebody typed must not run for long. A new one begins at the first row, or at the
   * last when it goes back; one that is repeated begins beside the first row.
   */
  private *find(text: string, how: { readonly back: boolean; readonly again: boolean }): Running<void> {
    this.pattern = { text, back: how.back };
    const top = this.rows[this.top]?.line ?? 0;
    if (how.back) {
      const bottom = this.rows[Math.min(this.rows.length, this.top + this.height) - 1]?.line ?? 0;
      for (let line = how.again ? top - 1 : bottom; line >= 0; line -= 1)
        if (yield* this.hit(line, text)) return;
    } else {
      for (let line = how.again ? top + 1 : top; ; line += 1) {
        yield* this.text.need(line + 1);
        if (this.text.lines[line] === undefined) break;
        if (yield* this.hit(line, text)) return;
      }
    }
    this.message = 'Pattern not found';
  }

  private *hit(line: number, text: string): Running<boolean> {
    if (this.text.lines[line]?.includes(text) !== true) return false;
    yield* this.goTo(line + 1);
    return true;
  }

  /** `h`: the summary of commands, as a text of its own. */
  private *help(): Running<void> {
    if (this.shown.isHelp === true) return;
    const whole = toBytes(helpText('less').help.replace(/.\x08/g, ''));
    const texts = [new PagerText('', this.tool, { whole })];
    yield* new LessView(this.tool, this.keys, { texts, options: this.shown.options, isHelp: true }).run();
    this.isFirst = true;
  }

  private *tell(): Running<void> {
    yield* this.need(Number.POSITIVE_INFINITY);
    const [from, to] = this.seenLines();
    const { name, lines, ends, size = 0 } = this.text;
    const byte = ends[to - 1] ?? 0;
    const share = size === 0 ? 100 : Math.round((byte * 100) / size);
    const where = this.isEnd ? '(END)' : `${share}%`;
    const named = name === '' ? '' : `${name} `;
    const file = this.fileOf();
    this.message = `${named}${file}lines ${from}-${to}/${lines.length} byte ${byte}/${size} ${where}`;
    yield* this.draw();
  }

  private seenLines(): readonly [number, number] {
    const seen = this.rows.slice(this.top, this.top + this.height);
    return [(seen[0]?.line ?? 0) + 1, (seen.at(-1)?.line ?? 0) + 1];
  }

  private *draw(): Running<void> {
    yield* this.need(this.top + this.height + 1);
    const { tool, rows, top, height } = this;
    const seen = rows.slice(top, top + height).map((row) => row.text);
    while (seen.length < height) seen.push('~');
    tool.out(`\x1b[H\x1b[2J${seen.map((row) => `${row}\r\n`).join('')}${this.prompt()}`);
  }

  private fileOf(): string {
    const { length } = this.shown.texts;
    return length > 1 ? `(file ${this.at + 1} of ${length}) ` : '';
  }

  private prompt(): string {
    const { name } = this.text;
    const { prompt } = this.shown.options;
    const { isFirst, isEnd, message } = this;
    this.isFirst = false;
    if (message !== undefined) return marked(`${message}  (press RETURN)`);
    if (this.shown.isHelp === true) {
      const how = isEnd ? 'END -- Press g to see it again' : 'Press RETURN for more';
      return marked(`HELP -- ${how}, or q when done`);
    }
    const next = this.shown.texts[this.at + 1];
    const more = isEnd && next !== undefined ? ` - Next: ${next.name}` : '';
    const named = prompt === 'short' && !isFirst ? '' : `${name === '' ? '' : `${name} `}${this.fileOf()}`;
    const parts = [named.trimEnd()];
    const [from, to] = this.seenLines();
    const { size, lines, ends } = this.text;
    if (prompt === 'long') parts.push(`lines ${from}-${to}${size === undefined ? '' : `/${lines.length}`}`);
    if (isEnd) parts.push('(END)');
    else if (prompt !== 'short' && size !== undefined && size > 0)
      parts.push(`${Math.round(((ends[to - 1] ?? 0) * 100) / size)}%`);
    const words = parts.filter((part) => part !== '').join(' ') + more;
    return words === '' ? ':' : marked(words);
  }
}

const STEPS: Readonly<Record<string, 'page' | 'half' | 'line'>> = Object.fromEntries([
  ...[' ', 'f', '\x06', '\x16', '\x1b[6~', 'z', 'b', '\x02', '\x1bv', '\x1b[5~', 'w'].map((key) => [
    key,
    'page',
  ]),
  ...['d', '\x04', 'u', '\x15'].map((key) => [key, 'half']),
  ...['j', 'e', '\r', '\n', '\x05', '\x0e', '\x1b[B', '\x1bOB'].map((key) => [key, 'line']),
  ...['k', 'y', '\x19', '\x0b', '\x10', '\x1b[A', '\x1bOA'].map((key) => [key, 'line']),
]);
const BACK: ReadonlySet<string> = new Set([
  'b',
  '\x02',
  '\x1bv',
  '\x1b[5~',
  'w',
  'u',
  '\x15',
  'k',
  'y',
  '\x19',
  '\x0b',
  '\x10',
  '\x1b[A',
  '\x1bOA',
]);
