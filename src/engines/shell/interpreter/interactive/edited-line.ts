/**
 * The line under the editor's keys: its text and cursor, what was cut and what can be undone, and how it is shown.
 *
 * Source: readline's manual, "Killing And Yanking" and "Miscellaneous Commands" (undo).
 */
import type { KillRing } from './kill-ring.js';
import { LineDisplay, type PromptShape, shapeOfPrompt } from './line-display.js';
import type { LineText } from './line-words.js';

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
  /** What was cut out of earlier lines. */
  readonly killed: KillRing;
  complete(line: string, cursor: number): Completion;
}

/** What a key led to. */
export interface KeyResult {
  readonly out: string;
  readonly done?: 'line' | 'end';
}

/** Typed characters that are undone together. */
const UNDONE_TOGETHER = 20;
/** Steps that can be undone. */
const MOST_UNDONE = 200;

/** A line that can be changed; each method answers with what to write. */
export class EditedLine {
  text = '';
  cursor = 0;
  protected readonly display: LineDisplay;
  protected shape: PromptShape;
  protected undone: { text: string; cursor: number; typed: number }[] = [];
  /** The last key typed a character: the next one is undone together with it. */
  protected isTyping = false;
  /** Where `^Y` put its text, for `M-y` right after it. */
  private yanked: { from: number; to: number } | undefined;
  private wasYanked: { from: number; to: number } | undefined;
  /** This command, or the last one, cut something: the next piece joins it. */
  private justCut = false;
  private wasCut = false;

  constructor(
    protected readonly host: EditorHost,
    protected readonly prompt: string,
  ) {
    this.shape = shapeOfPrompt(prompt);
    this.display = new LineDisplay(host.columns);
  }

  /** A command begins: what the last one did is what it may go on from. */
  protected beginCommand(): void {
    this.wasCut = this.justCut;
    this.justCut = false;
    this.wasYanked = this.yanked;
    this.yanked = undefined;
  }

  protected get line(): LineText {
    return { text: this.text, cursor: this.cursor };
  }

  /** Keeps the line for undoing, before it changes. */
  protected note(typed = 0): void {
    const last = this.undone.at(-1);
    if (typed > 0 && last !== undefined && last.typed > 0 && last.typed < UNDONE_TOGETHER && this.isTyping) {
      last.typed += typed;
      return;
    }
    this.undone.push({ ...this.line, typed });
    if (this.undone.length > MOST_UNDONE) this.undone.shift();
  }

  protected undo(): KeyResult {
    const last = this.undone.pop();
    return last === undefined ? this.bell() : this.put(last);
  }

  protected put({ text, cursor }: LineText): KeyResult {
    this.text = text;
    this.cursor = cursor;
    return this.redraw();
  }

  /** Puts a changed line in the place of this one. */
  protected change(line: LineText | null): KeyResult {
    if (line === null) return this.bell();
    this.note();
    return this.put(line);
  }

  protected redraw(): KeyResult {
    return { out: this.display.draw(this.shape, this.text, this.cursor) };
  }

  protected bell(): KeyResult {
    return { out: '\x07' };
  }

  protected insert(text: string): KeyResult {
    this.note(text.length === 1 ? 1 : 0);
    const atEnd = this.cursor === this.text.length;
    this.text = this.text.slice(0, this.cursor) + text + this.text.slice(this.cursor);
    this.cursor += text.length;
    if (atEnd) return { out: this.display.append(this.shape, this.text, text) };
    return this.redraw();
  }

  protected moveTo(cursor: number): KeyResult {
    if (cursor < 0 || cursor > this.text.length || cursor === this.cursor) return this.bell();
    this.cursor = cursor;
    return this.redraw();
  }

  /** Cuts a stretch out and keeps it for `^Y`. */
  protected kill(from: number, to: number): KeyResult {
    this.justCut = true;
    if (from === to) return this.bell();
    const side = from < this.cursor ? 'before' : 'after';
    this.host.killed.add(this.text.slice(from, to), this.wasCut ? side : null);
    this.wasCut = true;
    return this.change({ text: this.text.slice(0, from) + this.text.slice(to), cursor: from });
  }

  protected yank(text: string): KeyResult {
    if (text === '') return this.bell();
    const from = this.cursor;
    const result = this.insert(text);
    this.yanked = { from, to: this.cursor };
    return result;
  }

  /** `M-y`: the piece before, in the place of the one that `^Y` put in. */
  protected yankOther(): KeyResult {
    const put = this.wasYanked;
    if (put === undefined) return this.bell();
    this.text = this.text.slice(0, put.from) + this.text.slice(put.to);
    this.cursor = put.from;
    const result = this.yank(this.host.killed.turn());
    return { ...result, out: this.redraw().out };
  }

  protected remove(from: number, to: number): KeyResult {
    return this.change({ text: this.text.slice(0, from) + this.text.slice(to), cursor: from });
  }

  protected previousChar(): number {
    const low = this.text.charCodeAt(this.cursor - 1);
    return this.cursor - (low >= 0xdc00 && low <= 0xdfff && this.cursor > 1 ? 2 : 1);
  }

  protected nextChar(): number {
    return this.cursor + ((this.text.codePointAt(this.cursor) ?? 0) > 0xffff ? 2 : 1);
  }

  protected transpose(): KeyResult {
    if (this.cursor === 0 || this.text.length < 2) return this.bell();
    const at = this.cursor === this.text.length ? this.cursor - 1 : this.cursor;
    const text = `${this.text.slice(0, at - 1)}${this.text[at]}${this.text[at - 1]}${this.text.slice(at + 1)}`;
    return this.change({ text, cursor: at + 1 });
  }
}
