/**
 * A recorded terminal session as turns: keys sent, and the screen when the terminal was ready again.
 *
 * Where the shell marks its prompts (bracketed paste on and off), a turn is one command of the shell, here-documents and
 * quoted lines included; keys that a running program got are further batches of its turn. Else, with recorded input,
 * a turn is one line of keys, and the screen is that before the next key. Else commands are found by prompts that look
 * like a shell's. The screen has the size of the recording; sequences may be cut anywhere. A command without a prompt
 * after it has no observation. Not covered: keys in full-screen programs that were not recorded.
 */
import { renderJson } from '../../core/index.js';
import { Screen } from '../../domains/index.js';
import { continues, isShellPrompt, PromptLine, promptEnd } from './prompt-line.js';

const ENCODER = new TextEncoder();

/** Raw output that is kept for one turn, in UTF-16 units. */
const RAW_CHARS = 64 * 1024;
const MOST_SECONDS = 86_400;
/** A prompt without a known sign is complete when nothing more comes for so long. */
const PAUSE_SECONDS = 0.05;

/** A command with what it led to; `screen` is null where the recording ends before a prompt. */
export interface SessionTurn {
  readonly action: string;
  readonly screen: string | null;
  /** The output, as recorded. */
  readonly raw: string;
  /** Units of it that were left out. */
  readonly rawCut: number;
  /** Seconds since the start of the recording. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The command ends the session: no prompt can follow. */
  readonly endsSession: boolean;
}

interface Batch {
  keystrokes: string;
  at: number;
}

const MARKS = /\x1b\[\?2004([hl])/g;
const CUT_SEQUENCE = /\x1b(?:\[[?\d;]{0,12})?$/;
const ALTERNATE = /\x1b\[\?(?:1049|1047|47)([hl])/g;
const SEQUENCES =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;?<=>]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[@-Z=>78]/g;

/** Takes the events of one recording in order; gives turns as they end. */
export class TerminalSession {
  private screen: Screen;
  private carry = '';
  private isAlternate = false;
  private hasMarks = false;
  private hasInput = false;
  /** `prompt` it is being written · `line` a command is being typed · `running` it was sent · `none` not known. */
  private state: 'none' | 'prompt' | 'line' | 'running' = 'none';
  private line: PromptLine | null = null;
  /** Output since the prompt began, not yet on the screen. */
  private head = '';
  private primary: string | undefined;
  private batches: Batch[] = [];
  private isSent = false;
  private hasPrinted = false;
  private raw = '';
  private rawCut = 0;
  private time = 0;
  private readonly made: SessionTurn[] = [];
  /** The screen before the first key or command. */
  initialScreen: string | undefined;
  /** Programs that used the whole screen and whose keys were not recorded. */
  unseenPrograms = 0;

  constructor(columns: number, rows: number) {
    this.screen = new Screen(columns, rows);
  }

  /** Output of the terminal. Gives the turns that ended. */
  output(time: number, text: string): readonly SessionTurn[] {
    const waited = time - this.time;
    this.time = Math.max(this.time, time);
    const all = this.carry + text;
    const cut = CUT_SEQUENCE.exec(all.slice(-16))?.[0].length ?? 0;
    this.carry = cut === 0 ? '' : all.slice(-cut);
    const whole = cut === 0 ? all : all.slice(0, -cut);
    const isDone = waited >= PAUSE_SECONDS || this.head.length > RAW_CHARS;
    if (this.state === 'prompt' && isDone && this.line?.isBlank === false) {
      this.endPrompt(this.head.length);
    }
    let from = 0;
    for (const mark of whole.matchAll(MARKS)) {
      this.show(whole.slice(from, mark.index));
      from = mark.index + mark[0].length;
      if (mark[1] === 'h') this.beginPrompt();
      else this.sendMarked();
    }
    this.show(whole.slice(from));
    if (this.state === 'prompt' && this.line?.endsWithSign === true) this.endPrompt(this.head.length);
    if (!this.hasMarks && !this.hasInput && !this.isAlternate) this.lookForPrompt(whole);
    return this.taken();
  }

  /** Keys that were typed. Gives the turns that ended. */
  input(time: number, keys: string): readonly SessionTurn[] {
    this.time = Math.max(this.time, time);
    this.hasInput = true;
    if (this.state === 'line' && !this.hasMarks) this.state = 'none';
    if (this.state === 'prompt') this.endPrompt(this.head.length);
    if (!this.hasMarks && this.isSent) this.close(this.screen.text());
    this.initialScreen ??= this.screen.text();
    const last = this.batches.at(-1);
    const typed = keys.replace(/\r\n?/g, '\n');
    if (last !== undefined && !last.keystrokes.endsWith('\n')) {
      last.keystrokes += typed;
      last.at = this.time;
    } else this.batches.push({ keystrokes: typed, at: this.time });
    if (!this.hasMarks && /\n/.test(typed)) this.isSent = true;
    return this.taken();
  }

  /** The terminal got another size; what is visible stays, as far as it fits. */
  resize(columns: number, rows: number): void {
    this.flushHead();
    const { x, y } = this.screen.cursor();
    const shown = this.screen.text().split('\n').join('\r\n');
    this.screen = new Screen(columns, rows);
    this.screen.write(
      ENCODER.encode(`${this.isAlternate ? '\x1b[?1049h' : ''}${shown}\x1b[${y + 1};${x + 1}H`),
    );
  }

  /** The recording has ended. `hasExit`: it says that the program has ended. */
  end(hasExit: boolean): readonly SessionTurn[] {
    this.flushHead();
    this.write(this.carry);
    this.carry = '';
    // A here-document that nobody closed was sent in part.
    if (!this.isSent && !this.batches.some(({ keystrokes }) => keystrokes.endsWith('\n')))
      return this.taken();
    const last = this.batches.at(-1)?.keystrokes.trim() ?? '';
    const isEnd = /^(?:exit|logout|quit)(?:\s+\d+)?$|\x04$/.test(last);
    const wantsPrompt = this.hasMarks || (!this.hasInput && this.primary !== undefined);
    if (wantsPrompt || isEnd) this.close(null, hasExit || isEnd);
    else this.close(this.screen.text());
    return this.taken();
  }

  /** Keys that were typed and not sent when the recording ended. */
  get hasUnsentKeys(): boolean {
    return this.batches.length > 0;
  }

  private taken(): readonly SessionTurn[] {
    return this.made.splice(0);
  }

  private write(text: string): void {
    if (text === '') return;
    this.screen.write(ENCODER.encode(text));
    const room = RAW_CHARS - this.raw.length;
    this.raw += text.slice(0, room);
    this.rawCut += Math.max(0, text.length - room);
    for (const [, on] of text.matchAll(ALTERNATE)) this.isAlternate = on === 'h';
  }

  private flushHead(): void {
    const { head } = this;
    this.head = '';
    this.write(head);
  }

  private show(text: string): void {
    if (text === '') return;
    if (this.state === 'prompt') {
      this.head += text;
      this.line?.write(text);
      return;
    }
    if (this.state === 'line') {
      const end = this.hasMarks || this.hasInput ? -1 : text.indexOf('\n');
      this.line?.write(end < 0 ? text : text.slice(0, end));
      if (end >= 0) {
        this.write(text.slice(0, end + 1));
        this.sendFound();
        this.show(text.slice(end + 1));
        return;
      }
    }
    if (this.state === 'running' && !this.hasPrinted)
      this.hasPrinted = /\S/.test(text.replace(SEQUENCES, ''));
    this.write(text);
  }

  private beginPrompt(): void {
    this.flushHead();
    this.hasMarks = true;
    this.state = 'prompt';
    this.line = new PromptLine(this.screen.columns);
  }

  /** The prompt is written up to `end` in the held output: the turn before it is over. */
  private endPrompt(end: number): void {
    const { head, line } = this;
    this.head = '';
    this.state = 'line';
    this.write(head.slice(0, end));
    if (line !== null) {
      // In one piece with its echo, the prompt is told by a line of its own.
      const own = end === head.length ? line : new PromptLine(this.screen.columns);
      if (own !== line) own.write(head.slice(0, end));
      const prompt = own.setPrompt();
      if (own !== line) own.write(head.slice(end));
      this.line = own;
      const goesOn = this.isSent && !this.hasPrinted && prompt !== this.primary && continues(prompt);
      this.primary ??= prompt;
      if (this.isSent && !goesOn) this.close(this.screen.text());
      this.isSent = false;
    }
    this.initialScreen ??= this.screen.text();
    this.write(head.slice(end));
  }

  /** The shell says that the line was sent. */
  private sendMarked(): void {
    if (this.state === 'prompt') {
      const end = promptEnd(this.head);
      this.endPrompt(end < 0 ? this.head.length : end);
    }
    if (this.state !== 'line') return;
    if (!this.hasInput) {
      if (this.isAlternate) {
        this.unseenPrograms += 1;
        this.state = 'none';
        return;
      }
      const command = this.line?.command() ?? '';
      const keystrokes = command.endsWith('^C') ? `${command.slice(0, -2)}\x03` : `${command}\n`;
      this.batches.push({ keystrokes, at: this.time });
    }
    this.sent();
  }

  /** A line feed ended the line after a prompt that nothing marks. */
  private sendFound(): void {
    const command = this.line?.command() ?? '';
    if (command === '') {
      this.state = 'none';
      return;
    }
    this.batches.push({ keystrokes: `${command}\n`, at: this.time });
    this.sent();
  }

  private sent(): void {
    this.state = 'running';
    this.line = null;
    this.hasPrinted = false;
    this.isSent = this.batches.length > 0;
  }

  private lookForPrompt(output: string): void {
    if (this.state === 'line' || !/[$#%❯➜»›] (?:\x1b\[[\d;?]*[a-zA-Z])*$/.test(output.slice(-80))) return;
    const { x, y } = this.screen.cursor();
    const row = (this.screen.text().split('\n')[y] ?? '').padEnd(x);
    if (row.length !== x || !isShellPrompt(row)) return;
    if (this.isSent) this.close(this.screen.text());
    this.primary ??= row;
    this.initialScreen ??= this.screen.text();
    this.state = 'line';
    this.line = new PromptLine(this.screen.columns);
    this.line.write(row);
    this.line.setPrompt();
  }

  private close(screen: string | null, endsSession = false): void {
    const { batches, raw, rawCut } = this;
    this.batches = [];
    this.raw = '';
    this.rawCut = 0;
    this.isSent = false;
    const [first] = batches;
    if (first === undefined) return;
    const action = batches.map(({ keystrokes, at }, index) => {
      const seconds = (batches[index + 1]?.at ?? this.time) - at;
      return { keystrokes, duration: Math.round(Math.min(MOST_SECONDS, Math.max(0, seconds)) * 100) / 100 };
    });
    this.made.push({
      action: renderJson(action),
      screen,
      raw,
      rawCut,
      startedAt: first.at,
      endedAt: this.time,
      endsSession,
    });
  }
}
