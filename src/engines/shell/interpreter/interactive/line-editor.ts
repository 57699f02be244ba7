/**
 * Editing one line with the keys of emacs mode: movement, killing, history, search, completion.
 *
 * The idea: a plain state that takes one key at a time and answers with what to write; it never waits, so a shell at its
 * prompt is data. Source: readline's manual. Not covered: undo, macros, numeric arguments, vi mode, custom bindings.
 */
import { LineDisplay, type PromptShape, shapeOfPrompt } from './line-display.js';

/** What completion found. */
export interface Completion {
  /** Where the word begins that is replaced. */
  readonly start: number;
  /** The text to put in its place. */
  readonly insert: string;
  /** What is listed when there are several. */
  readonly choices: readonly string[];
}

/** What an editor needs from the shell around it. */
export interface EditorHost {
  readonly history: readonly string[];
  readonly columns: number;
  complete(line: string, cursor: number): Completion;
}

/** What a key led to. */
export interface KeyResult {
  readonly out: string;
  readonly done?: 'line' | 'end';
}

/** An editor as plain data. */
export interface EditorState {
  readonly prompt: string;
  readonly text: string;
  readonly cursor: number;
  readonly killed: string;
}

const ASK_FROM = 100;

/** One line being edited. */
export class LineEditor {
  text = '';
  cursor = 0;
  private readonly display: LineDisplay;
  private shape: PromptShape;
  private killed = '';
  /** How far back in the history the line comes from; 0 is the new one. */
  private back = 0;
  private draft = '';
  private sequence = '';
  private lastKey = '';
  private isLiteral = false;
  private search: { query: string; index: number; original: string } | undefined;
  private asking: readonly string[] | undefined;
  private lastWordBack = 0;

  constructor(
    private readonly host: EditorHost,
    private readonly prompt: string,
  ) {
    this.shape = shapeOfPrompt(prompt);
    this.display = new LineDisplay(host.columns);
  }

  /** What it is now. */
  state(): EditorState {
    return { prompt: this.prompt, text: this.text, cursor: this.cursor, killed: this.killed };
  }

  /** Goes on from a state. */
  restore(state: EditorState): void {
    this.text = state.text;
    this.cursor = state.cursor;
    this.killed = state.killed;
    this.display.draw(this.shape, this.text, this.cursor);
  }

  /** The first showing of the prompt. */
  start(): string {
    return this.shape.text;
  }

  /** Takes one character of input. */
  key(char: string): KeyResult {
    if (this.asking !== undefined) return this.answer(char);
    if (this.isLiteral) {
      this.isLiteral = false;
      return this.insert(char);
    }
    if (this.sequence !== '' || char === '\x1b') return this.escape(char);
    if (this.search !== undefined) return this.searchKey(char);
    const result = this.control(char);
    this.lastKey = char;
    return result;
  }

  private redraw(): KeyResult {
    return { out: this.display.draw(this.shape, this.text, this.cursor) };
  }

  private bell(): KeyResult {
    return { out: '\x07' };
  }

  private insert(text: string): KeyResult {
    const atEnd = this.cursor === this.text.length;
    this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
    this.cursor += text.length;
    if (atEnd) return { out: this.display.append(this.shape, this.text, text) };
    return this.redraw();
  }

  private set(text: string): KeyResult {
    this.text = text;
    this.cursor = text.length;
    return this.redraw();
  }

  private moveTo(cursor: number): KeyResult {
    if (cursor < 0 || cursor > this.text.length || cursor === this.cursor) return this.bell();
    this.cursor = cursor;
    return this.redraw();
  }

  /** Cuts a stretch out and keeps it for `^Y`. */
  private kill(from: number, to: number): KeyResult {
    if (from === to) return this.bell();
    this.killed = this.text.slice(from, to);
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
    return this.redraw();
  }

  private control(char: string): KeyResult {
    switch (char) {
      case '\r':
      case '\n':
        return this.accept();
      case '\x01':
        return this.moveTo(0);
      case '\x02':
        return this.moveTo(this.previousChar());
      case '\x04':
        if (this.text === '') return { out: '', done: 'end' };
        return this.cursor < this.text.length ? this.remove(this.cursor, this.nextChar()) : this.bell();
      case '\x05':
        return this.moveTo(this.text.length);
      case '\x06':
        return this.moveTo(this.nextChar());
      case '\x08':
      case '\x7f':
        return this.cursor > 0 ? this.remove(this.previousChar(), this.cursor) : this.bell();
      case '\t':
        return this.complete();
      case '\x0b':
        return this.kill(this.cursor, this.text.length);
      case '\x0c':
        this.display.reset();
        return {
          out: `\x1b[H\x1b[2J${this.shape.text.slice(0, this.shape.text.lastIndexOf('\n') + 1)}${this.redraw().out}`,
        };
      case '\x0e':
        return this.recall(-1);
      case '\x10':
        return this.recall(1);
      case '\x12':
        this.search = { query: '', index: this.host.history.length, original: this.text };
        return this.showSearch();
      case '\x14':
        return this.transpose();
      case '\x15':
        return this.kill(0, this.cursor);
      case '\x16':
        this.isLiteral = true;
        return { out: '' };
      case '\x17':
        return this.kill(this.wordStart(/\S/), this.cursor);
      case '\x19':
        return this.killed === '' ? this.bell() : this.insert(this.killed);
      default:
        return char < ' ' ? { out: '' } : this.insert(char);
    }
  }

  private remove(from: number, to: number): KeyResult {
    const atEnd = to === this.text.length && to - from === 1 && this.cursor === to;
    this.text = this.text.slice(0, from) + this.text.slice(to);
    this.cursor = from;
    return atEnd ? this.redraw() : this.redraw();
  }

  private previousChar(): number {
    const low = this.text.charCodeAt(this.cursor - 1);
    return this.cursor - (low >= 0xdc00 && low <= 0xdfff && this.cursor > 1 ? 2 : 1);
  }

  private nextChar(): number {
    return this.cursor + ((this.text.codePointAt(this.cursor) ?? 0) > 0xffff ? 2 : 1);
  }

  private wordStart(member: RegExp): number {
    let at = this.cursor;
    while (at > 0 && !member.test(this.text[at - 1] as string)) at -= 1;
    while (at > 0 && member.test(this.text[at - 1] as string)) at -= 1;
    return at;
  }

  private wordEnd(): number {
    let at = this.cursor;
    while (at < this.text.length && !/\w/.test(this.text[at] as string)) at += 1;
    while (at < this.text.length && /\w/.test(this.text[at] as string)) at += 1;
    return at;
  }

  private accept(): KeyResult {
    return { out: this.display.finish(this.shape, this.text), done: 'line' };
  }

  private recall(step: number): KeyResult {
    const next = this.back + step;
    if (next < 0 || next > this.host.history.length) return this.bell();
    if (this.back === 0) this.draft = this.text;
    this.back = next;
    return this.set(next === 0 ? this.draft : (this.host.history[this.host.history.length - next] ?? ''));
  }

  private transpose(): KeyResult {
    if (this.cursor === 0 || this.text.length < 2) return this.bell();
    const at = this.cursor === this.text.length ? this.cursor - 1 : this.cursor;
    this.text = `${this.text.slice(0, at - 1)}${this.text[at]}${this.text[at - 1]}${this.text.slice(at + 1)}`;
    this.cursor = at + 1;
    return this.redraw();
  }

  /** Collects an escape sequence and does what it means. */
  private escape(char: string): KeyResult {
    this.sequence += char;
    const { sequence } = this;
    if (
      sequence === '\x1b' ||
      sequence === '\x1b[' ||
      sequence === '\x1bO' ||
      /^\x1b\[[0-9;]+$/.test(sequence)
    )
      return { out: '' };
    this.sequence = '';
    if (this.search !== undefined) this.endSearch();
    return this.meta(sequence.slice(1));
  }

  private meta(key: string): KeyResult {
    switch (key) {
      case '[A':
      case 'OA':
        return this.recall(1);
      case '[B':
      case 'OB':
        return this.recall(-1);
      case '[C':
      case 'OC':
        return this.moveTo(this.nextChar());
      case '[D':
      case 'OD':
        return this.moveTo(this.previousChar());
      case '[H':
      case 'OH':
      case '[1~':
        return this.moveTo(0);
      case '[F':
      case 'OF':
      case '[4~':
        return this.moveTo(this.text.length);
      case '[3~':
        return this.cursor < this.text.length ? this.remove(this.cursor, this.nextChar()) : this.bell();
      case 'b':
      case '[1;5D':
        return this.moveTo(this.wordStart(/\w/));
      case 'f':
      case '[1;5C':
        return this.moveTo(this.wordEnd());
      case 'd':
        return this.kill(this.cursor, this.wordEnd());
      case '\x7f':
      case '\x08':
        return this.kill(this.wordStart(/\w/), this.cursor);
      case '<':
        return this.recall(this.host.history.length - this.back);
      case '>':
        return this.recall(-this.back);
      case '.':
      case '_':
        return this.insertLastWord();
      default:
        return { out: '' };
    }
  }

  private insertLastWord(): KeyResult {
    this.lastWordBack = this.lastKey === '\x1b.' ? this.lastWordBack + 1 : 1;
    const line = this.host.history[this.host.history.length - this.lastWordBack];
    const word = line?.trim().split(/\s+/).at(-1);
    return word === undefined ? this.bell() : this.insert(word);
  }

  private showSearch(): KeyResult {
    const { search } = this;
    if (search === undefined) return this.redraw();
    const found = this.host.history[search.index] ?? this.text;
    const failed = search.query !== '' && !found.includes(search.query) ? 'failed ' : '';
    this.shape = shapeOfPrompt(`(${failed}reverse-i-search)\`${search.query}': `);
    this.text = found;
    this.cursor = Math.max(0, found.indexOf(search.query));
    return this.redraw();
  }

  private endSearch(): void {
    this.search = undefined;
    this.shape = shapeOfPrompt(this.prompt);
  }

  private find(query: string, from: number): number {
    for (let index = from; index >= 0; index -= 1)
      if (this.host.history[index]?.includes(query) === true) return index;
    return -1;
  }

  private searchKey(char: string): KeyResult {
    const search = this.search as { query: string; index: number; original: string };
    if (char === '\x07' || char === '\x03') {
      this.endSearch();
      return this.set(search.original);
    }
    if (char === '\x12' || char === '\x7f' || char === '\x08' || char >= ' ') {
      const query =
        char === '\x12'
          ? search.query
          : char >= ' ' && char !== '\x7f'
            ? search.query + char
            : search.query.slice(0, -1);
      const from = char === '\x12' ? search.index - 1 : Math.min(search.index, this.host.history.length - 1);
      const found = this.find(query, from);
      this.search = { ...search, query, index: found === -1 ? search.index : found };
      const shown = this.showSearch();
      return found === -1 ? { out: `\x07${shown.out}` } : shown;
    }
    this.endSearch();
    const drawn = this.redraw().out;
    const result = this.control(char);
    return { ...result, out: drawn + result.out };
  }

  private complete(): KeyResult {
    const { start, insert, choices } = this.host.complete(this.text, this.cursor);
    const typed = this.text.slice(start, this.cursor);
    if (choices.length === 0) return this.bell();
    if (insert !== typed && insert.length >= typed.length) {
      const tail = this.text.slice(this.cursor);
      const added = insert.startsWith(typed) && tail === '';
      this.text = this.text.slice(0, start) + insert + tail;
      this.cursor = start + insert.length;
      if (added) return { out: this.display.append(this.shape, this.text, insert.slice(typed.length)) };
      return this.redraw();
    }
    if (choices.length === 1) return { out: '' };
    if (this.lastKey !== '\t') return this.bell();
    if (choices.length >= ASK_FROM) {
      this.asking = choices;
      return { out: `\nDisplay all ${choices.length} possibilities? (y or n)` };
    }
    return this.list(choices);
  }

  private answer(char: string): KeyResult {
    const choices = this.asking ?? [];
    if (/[yY \t]/.test(char)) {
      this.asking = undefined;
      return this.list(choices);
    }
    if (!/[nN\x7f\r\n]/.test(char)) return this.bell();
    this.asking = undefined;
    this.display.reset();
    return { out: `\n${this.start()}${this.redraw().out}` };
  }

  /** Lists choices in columns below the line and shows the prompt again. */
  private list(choices: readonly string[]): KeyResult {
    const width = choices.reduce((most, one) => Math.max(most, one.length), 0) + 2;
    const perRow = Math.max(1, Math.floor(this.host.columns / width));
    const rows = Math.ceil(choices.length / perRow);
    let out = '\n';
    for (let row = 0; row < rows; row += 1) {
      const line: string[] = [];
      for (let index = row; index < choices.length; index += rows) line.push(choices[index] as string);
      out += `${line.map((one, index) => (index === line.length - 1 ? one : one.padEnd(width))).join('')}\n`;
    }
    this.display.reset();
    return { out: `${out}${this.start().slice(0, this.start().lastIndexOf('\n') + 1)}${this.redraw().out}` };
  }
}
