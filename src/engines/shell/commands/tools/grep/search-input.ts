/**
 * Searches one input line by line and prints what the settings ask for: lines, parts, counts, names, context.
 *
 * Source: grep(1), "Output Line Prefix Control" and "Context Line Control". A file whose first block has a zero byte,
 * or a line to be shown that is no text, is binary: one message instead of lines.
 */
import { type Io, type Process, type Running, toBytes } from '../../../kernel/index.js';
import type { LineMatcher } from './matcher.js';
import type { GrepSettings } from './settings.js';

const NO_TEXT = /[\0\udc80-\udcff]/;

/** Colours of GREP_COLORS' defaults, as `\e[…m\e[K`. */
const COLOURS = { name: '35', separator: '36', number: '32', match: '01;31' } as const;

/** What a search of one input found. */
export interface InputResult {
  readonly selected: number;
}

/** Searches an open descriptor. `name` is what prefixes show. */
export function* searchInput(
  search: {
    readonly proc: Process;
    readonly io: Io;
    readonly settings: GrepSettings;
    readonly matcher: LineMatcher;
  },
  input: { readonly fd: number; readonly name: string; readonly withName: boolean },
): Running<InputResult> {
  return yield* new InputSearch(search, input).run();
}

type Search = Parameters<typeof searchInput>[0];
type Input = Parameters<typeof searchInput>[1];

class InputSearch {
  private selected = 0;
  private lastPrinted = 0;
  private lineNumber = 0;
  private offset = 0;
  private pendingAfter = 0;
  private binary = false;
  private readonly waiting: { readonly text: string; readonly number: number; readonly offset: number }[] =
    [];
  private readonly prints: boolean;
  private readonly matcher: LineMatcher;

  constructor(
    private readonly search: Search,
    private readonly input: Input,
  ) {
    const { settings } = search;
    this.prints = !settings.quiet && !settings.count && settings.list === undefined;
    this.matcher = search.matcher;
  }

  *run(): Running<InputResult> {
    const { settings, io } = this.search;
    if (settings.maxCount === 0) return { selected: 0 };
    const isBinary = yield* this.startsBinary();
    if (isBinary && settings.binary === 'without-match') return { selected: 0 };
    this.binary = isBinary && settings.binary === 'binary';
    const lines = this.search.io.lines(this.input.fd, settings.nullData ? 0 : 10);
    for (;;) {
      const line = yield* lines.line();
      if (line === null) break;
      if (this.take(line)) break;
      if (io.mustDrain) yield* io.drain();
    }
    if (this.binary && this.prints && this.selected > 0) io.error(`${this.input.name}: binary file matches`);
    if (settings.count && !settings.quiet) this.printCount();
    return { selected: this.selected };
  }

  /** Looks at the first block of a file without taking it away. */
  private *startsBinary(): Running<boolean> {
    const { proc, settings } = this.search;
    if (settings.binary === 'text' || settings.nullData) return false;
    const { fd } = this.input;
    if (proc.fstat(fd).kind !== 'file') return false;
    const at = proc.seek(fd, 0, 'current');
    const block = yield* proc.read(fd, 32_768);
    proc.seek(fd, at);
    return block.includes(0);
  }

  /** Takes one line; true where the search may stop. */
  private take(line: string): boolean {
    const { settings } = this.search;
    this.lineNumber++;
    const at = { text: line, number: this.lineNumber, offset: this.offset };
    if (settings.byteOffsets) this.offset += toBytes(line).length + 1;
    if (this.selected >= settings.maxCount) return this.afterLimit(at);
    if (this.matcher.test(line) === settings.invert) {
      this.context(at);
      return false;
    }
    this.selected++;
    if (settings.quiet || settings.list !== undefined) return true;
    if (settings.count) return this.selected >= settings.maxCount;
    if (this.binary) return true;
    if (
      settings.binary !== 'text' &&
      NO_TEXT.test(line) &&
      !(settings.nullData && !/[\udc80-\udcff]/.test(line))
    ) {
      this.binary = true;
      return true;
    }
    this.show(at);
    return this.selected >= settings.maxCount && settings.after <= 0;
  }

  /** Lines after the last one that counts are context only. */
  private afterLimit(at: { text: string; number: number; offset: number }): boolean {
    if (this.pendingAfter <= 0 || this.matcher.test(at.text) !== this.search.settings.invert) return true;
    this.context(at);
    return this.pendingAfter <= 0;
  }

  private context(at: { text: string; number: number; offset: number }): void {
    const { settings } = this.search;
    if (!this.prints || this.binary) return;
    if (this.pendingAfter > 0) {
      this.pendingAfter--;
      this.print(at, '-');
      return;
    }
    if (settings.before <= 0) return;
    this.waiting.push(at);
    if (this.waiting.length > settings.before) this.waiting.shift();
  }

  private show(at: { text: string; number: number; offset: number }): void {
    const { settings, io } = this.search;
    const hasContext = settings.before >= 0 || settings.after >= 0;
    const first = this.waiting[0]?.number ?? at.number;
    const isApart = this.lastPrinted > 0 ? first > this.lastPrinted + 1 : printedBefore.get(io) === true;
    if (hasContext && isApart && settings.separator !== undefined && !this.onlyParts())
      io.out(`${this.coloured(settings.separator, 'separator')}\n`);
    else if (hasContext && isApart && settings.separator !== undefined) io.out(`${settings.separator}\n`);
    for (const before of this.waiting) this.print(before, '-');
    this.waiting.length = 0;
    this.print(at, ':');
    this.pendingAfter = Math.max(settings.after, 0);
    printedBefore.set(io, true);
  }

  private onlyParts(): boolean {
    return this.search.settings.onlyMatching;
  }

  private print(at: { text: string; number: number; offset: number }, mark: ':' | '-'): void {
    const { settings, io } = this.search;
    this.lastPrinted = at.number;
    const end = settings.nullData ? '\0' : '\n';
    if (settings.onlyMatching) {
      if (mark === '-' || settings.invert) return;
      for (const [start, stop] of this.matches(at.text)) {
        const part = this.coloured(at.text.slice(start, stop), 'match');
        const before = settings.byteOffsets ? toBytes(at.text.slice(0, start)).length : 0;
        io.out(`${this.prefix({ ...at, offset: at.offset + before }, mark)}${part}${end}`);
      }
      return;
    }
    const paints = settings.colour && (mark === ':') !== settings.invert;
    io.out(`${this.prefix(at, mark)}${paints ? this.painted(at.text) : at.text}${end}`);
  }

  private *matches(text: string): Generator<readonly [number, number]> {
    let from = 0;
    while (from <= text.length) {
      const found = this.matcher.find(text, from);
      if (found === null) return;
      if (found[1] > found[0]) yield found;
      from = found[1] > found[0] ? found[1] : found[1] + 1;
    }
  }

  private painted(text: string): string {
    let out = '';
    let at = 0;
    for (const [start, stop] of this.matches(text)) {
      out += text.slice(at, start) + this.coloured(text.slice(start, stop), 'match');
      at = stop;
    }
    return out + text.slice(at);
  }

  private coloured(text: string, part: keyof typeof COLOURS): string {
    if (!this.search.settings.colour || text === '') return text;
    return `\x1b[${COLOURS[part]}m\x1b[K${text}\x1b[m\x1b[K`;
  }

  private prefix(at: { number: number; offset: number }, mark: ':' | '-'): string {
    const { settings } = this.search;
    const separator = this.coloured(mark, 'separator');
    let out = '';
    if (this.input.withName)
      out += this.coloured(this.input.name, 'name') + (settings.nullAfterName ? '\0' : separator);
    const shown = (value: number): string => {
      const text = settings.initialTab ? String(value).padStart(2) : String(value);
      return this.coloured(text, 'number') + separator;
    };
    if (settings.lineNumbers) out += shown(at.number);
    if (settings.byteOffsets) out += shown(at.offset);
    return settings.initialTab && out !== '' ? `${out}\t` : out;
  }

  private printCount(): void {
    const { settings, io } = this.search;
    let out = '';
    if (this.input.withName)
      out +=
        this.coloured(this.input.name, 'name') +
        (settings.nullAfterName ? '\0' : this.coloured(':', 'separator'));
    io.out(`${out}${this.selected}\n`);
  }
}

/** Whether a run has printed a group already: later ones are set apart. */
const printedBefore = new WeakMap<Io, boolean>();
