/**
 * Editing one line with the keys of emacs mode: movement, killing, history, search, completion.
 *
 * The idea: a plain state that takes one key at a time and answers with what to write; it never waits, so a shell at its
 * prompt is data. Source: readline's manual. Not covered: macros, the mark, vi mode, custom bindings.
 */
import { listChoices } from './completion-list.js';
import { EditedLine, type KeyResult } from './edited-line.js';
import { shapeOfPrompt } from './line-display.js';
import {
  changeCase,
  type LineText,
  transposeWords,
  withoutSpaces,
  wordEnd,
  wordStart,
} from './line-words.js';

/** An editor as plain data. */
export interface EditorState {
  readonly prompt: string;
  readonly text: string;
  readonly cursor: number;
  readonly killed: string;
  /** How the terminal was set before the line was edited. */
  readonly terminal?: { readonly icanon: boolean; readonly echo: boolean; readonly icrnl: boolean };
}

const ASK_FROM = 100;
const MOST_TIMES = 1000;

/** One line being edited. */
export class LineEditor extends EditedLine {
  /** How far back in the history the line comes from; 0 is the new one. */
  private back = 0;
  /** Lines of the history (by `back`) as they were left; 0 is the new line. */
  private readonly left = new Map<number, string>();
  private sequence = '';
  private lastKey = '';
  private isLiteral = false;
  private search: { query: string; index: number; original: string } | undefined;
  private asking: readonly string[] | undefined;
  private lastWordBack = 0;
  /** The last key was a completion that changed nothing: the next one lists. */
  private triedToComplete = false;
  /** Digits of a numeric argument. */
  private times = '';

  /** What it is now. */
  state(): EditorState {
    return { prompt: this.prompt, text: this.text, cursor: this.cursor, killed: this.host.killed.current };
  }

  /** Goes on from a state. */
  restore(state: EditorState): void {
    this.text = state.text;
    this.cursor = state.cursor;
    if (state.killed !== '' && this.host.killed.current !== state.killed)
      this.host.killed.add(state.killed, null);
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
      return this.command('literal', () => this.insert(char));
    }
    if (this.search !== undefined) return this.searchKey(char);
    if (this.leftSearch) {
      this.leftSearch = false;
      if (char === '[' || char === 'O') this.sequence = '\x1b';
    }
    if (this.sequence !== '' || char === '\x1b') return this.escape(char);
    return this.command(char, () => this.control(char));
  }

  /** Does what a key means, as often as the argument says, and remembers what the next key may go on from. */
  private command(key: string, run: () => KeyResult): KeyResult {
    const { times } = this;
    this.hadTried = this.triedToComplete;
    this.triedToComplete = false;
    this.beginCommand();
    let out = '';
    if (times !== '') {
      this.times = '';
      this.shape = shapeOfPrompt(this.prompt);
      out = this.redraw().out;
    }
    let result: KeyResult = { out: '' };
    const count = times === '' || times === '-' ? 1 : Math.min(Math.abs(Number(times)), MOST_TIMES);
    for (let one = 0; one < count && result.done === undefined; one += 1) {
      result = run();
      out += result.out;
    }
    this.lastKey = key;
    this.isTyping = key >= ' ';
    return { ...result, out };
  }

  private leftSearch = false;
  private hadTried = false;

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
        return this.kill(wordStart(this.line, /\S/), this.cursor);
      case '\x18':
        this.sequence = '\x18';
        return { out: '' };
      case '\x19':
        return this.yank(this.host.killed.current);
      case '\x1f':
        return this.undo();
      default:
        return char < ' ' ? { out: '' } : this.insert(char);
    }
  }

  private accept(): KeyResult {
    return { out: this.display.finish(this.shape, this.text, this.cursor), done: 'line' };
  }

  private recall(step: number): KeyResult {
    const next = this.back + step;
    if (next < 0 || next > this.host.history.length || step === 0) return this.bell();
    this.left.set(this.back, this.text);
    this.back = next;
    this.undone = [];
    const text = this.left.get(next) ?? this.host.history[this.host.history.length - next] ?? '';
    return this.put({ text, cursor: text.length });
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
    if (/^\x1b[\d-]$/.test(sequence)) return this.argument(char);
    if (sequence.startsWith('\x18')) return this.command(sequence, () => this.extended(char));
    return this.command(sequence, () => this.meta(sequence.slice(1)));
  }

  /** One more digit of a numeric argument, shown in the place of the prompt. */
  private argument(char: string): KeyResult {
    this.times = char === '-' ? '-' : (this.times + char).slice(0, 4);
    this.shape = shapeOfPrompt(`(arg: ${this.times === '-' ? '-1' : this.times}) `);
    return this.redraw();
  }

  /** `^X` and a key. */
  private extended(char: string): KeyResult {
    if (char === '\x15') return this.undo();
    return char === '\x7f' ? this.kill(0, this.cursor) : { out: '' };
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
        return this.moveTo(wordStart(this.line));
      case 'f':
      case '[1;5C':
        return this.moveTo(wordEnd(this.line));
      case 'd':
        return this.kill(this.cursor, wordEnd(this.line));
      case '\x7f':
      case '\x08':
        return this.kill(wordStart(this.line), this.cursor);
      case '<':
        return this.recall(this.host.history.length - this.back);
      case '>':
        return this.recall(-this.back);
      case '.':
      case '_':
        return this.insertLastWord();
      case 'u':
        return this.change(changeCase(this.line, 'upper'));
      case 'l':
        return this.change(changeCase(this.line, 'lower'));
      case 'c':
        return this.change(changeCase(this.line, 'capital'));
      case 't':
        return this.change(transposeWords(this.line));
      case 'y':
        return this.yankOther();
      case '\\':
        return this.change(withoutSpaces(this.line));
      case 'r':
        return this.undone[0] === undefined ? this.bell() : this.put(this.undone.splice(0)[0] as LineText);
      case '#': {
        const marked = this.change({ text: `#${this.text}`, cursor: 0 });
        return { ...this.accept(), out: marked.out + this.display.finish(this.shape, this.text, 0) };
      }
      case '?':
        return this.listAll();
      default:
        return { out: '' };
    }
  }

  private insertLastWord(): KeyResult {
    const again = this.lastKey === '\x1b.' || this.lastKey === '\x1b_';
    this.lastWordBack = again ? this.lastWordBack + 1 : 1;
    const line = this.host.history[this.host.history.length - this.lastWordBack];
    const word = line?.trim().split(/\s+/).at(-1);
    if (word === undefined) return this.bell();
    if (again) this.undo();
    return this.insert(word);
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

  private afterSearch(): KeyResult {
    this.leftSearch = true;
    return { out: '' };
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
      return this.put({ text: search.original, cursor: search.original.length });
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
    // Escape only ends the search; the rest of an arrow key still counts.
    const result = char === '\x1b' ? this.afterSearch() : this.command(char, () => this.control(char));
    return { ...result, out: drawn + result.out };
  }

  private complete(): KeyResult {
    const { start, insert, choices } = this.host.complete(this.text, this.cursor);
    const typed = this.text.slice(start, this.cursor);
    if (choices.length === 0) return this.bell();
    if (insert !== typed && insert.length >= typed.length) {
      const tail = this.text.slice(this.cursor);
      const added = insert.startsWith(typed) && tail === '';
      this.note();
      this.text = this.text.slice(0, start) + insert + tail;
      this.cursor = start + insert.length;
      if (added) return { out: this.display.append(this.shape, this.text, insert.slice(typed.length)) };
      return this.redraw();
    }
    if (choices.length === 1) return { out: '' };
    this.triedToComplete = true;
    return this.hadTried ? this.show(choices) : this.bell();
  }

  /** `M-?`: lists without completing. */
  private listAll(): KeyResult {
    const { choices } = this.host.complete(this.text, this.cursor);
    return choices.length === 0 ? this.bell() : this.show(choices);
  }

  private show(choices: readonly string[]): KeyResult {
    if (choices.length < ASK_FROM) return this.list(choices);
    this.asking = choices;
    return { out: `\nDisplay all ${choices.length} possibilities? (y or n)` };
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
    const out = `\n${listChoices(choices, this.host.columns)}`;
    this.display.reset();
    return { out: `${out}${this.start().slice(0, this.start().lastIndexOf('\n') + 1)}${this.redraw().out}` };
  }
}
