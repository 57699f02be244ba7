/**
 * A terminal: the line discipline between a keyboard, the processes in front of it, and a screen.
 *
 * Typed bytes come in through {@link Terminal.type}; what processes write goes to the sink, newlines translated. Control
 * characters send signals to the foreground group. Programs that edit lines themselves (a shell's prompt) switch
 * `icanon` and `echo` off.
 * Source: termios(3), tty_ioctl(4). Not covered: flow control (^S, ^Q), several terminals of one machine.
 */
import { toBytes } from './byte-text.js';
import { FIRST_PTS } from './device.js';
import { SystemError } from './errors.js';
import type { Inode } from './inode.js';
import { OpenFile, type OpenMode } from './open-file.js';
import { SIG } from './signals.js';
import { CONTROL, COOKED, type TerminalSettings } from './terminal-settings.js';
import { WaitQueue } from './wait.js';

const NEWLINE = 10;
const RETURN = 13;
/** Bytes that may wait to be read; more typing is dropped, as the kernel does. */
const MAX_INPUT_BYTES = 65_536;

/** What a terminal needs of its machine. */
export interface TerminalHost {
  /** Sends a signal to a process group. */
  signal(pgid: number, signal: number): void;
  /** Takes what is shown. */
  show(bytes: Uint8Array): void;
  /** Counts the time that showing takes, in ticks. */
  spend(ticks: number): void;
}

/** Everything of a terminal that changes, as plain data. */
export interface TerminalState {
  readonly settings: TerminalSettings;
  readonly rows: number;
  readonly columns: number;
  readonly sid: number;
  readonly foreground: number;
  readonly line: readonly number[];
  /** Complete lines (or raw pieces) that wait; an empty one is an end of file. */
  readonly waiting: readonly (readonly number[])[];
}

/** One terminal. */
export class Terminal {
  settings: TerminalSettings = COOKED;
  rows = 40;
  columns = 80;
  /** The session it controls, 0 for none. */
  sid = 0;
  /** The process group in the foreground. */
  foreground = 0;
  readonly readable = new WaitQueue();
  private line: number[] = [];
  private waiting: number[][] = [];
  /** How much of the first waiting piece was read. */
  private taken = 0;
  private isLiteral = false;

  readonly inode: Inode;

  constructor(
    private readonly host: TerminalHost,
    owner: { readonly uid: number; readonly nowUs: number },
  ) {
    this.inode = terminalInode(owner);
  }

  /** What it is now, to be restored. */
  state(): TerminalState {
    const { settings, rows, columns, sid, foreground } = this;
    return {
      settings,
      rows,
      columns,
      sid,
      foreground,
      line: [...this.line],
      waiting: this.waiting.map((piece, index) => (index === 0 ? piece.slice(this.taken) : [...piece])),
    };
  }

  /** Goes on from a state. */
  restore(state: TerminalState): void {
    this.settings = state.settings;
    this.rows = state.rows;
    this.columns = state.columns;
    this.sid = state.sid;
    this.foreground = state.foreground;
    this.line = [...state.line];
    this.waiting = state.waiting.map((piece) => [...piece]);
    this.taken = 0;
  }

  /** Types bytes on the keyboard. */
  type(bytes: Uint8Array): void {
    for (const byte of bytes) this.typeByte(byte);
    if (this.hasInput()) this.readable.wake();
  }

  /** True where a read would not wait. */
  hasInput(): boolean {
    return this.waiting.length > 0;
  }

  /** Up to `max` bytes of one line, or of what was typed raw; null where a read would wait. */
  take(max: number): Uint8Array | null {
    const first = this.waiting[0];
    if (first === undefined) return null;
    const end = Math.min(first.length, this.taken + max);
    const piece = Uint8Array.from(first.slice(this.taken, end));
    this.taken = end;
    if (end >= first.length) {
      this.waiting.shift();
      this.taken = 0;
    }
    return piece;
  }

  /** Writes on the screen. */
  write(bytes: Uint8Array): void {
    const { opost, onlcr } = this.settings;
    this.host.spend(showTicks(bytes));
    this.host.show(opost && onlcr && bytes.includes(NEWLINE) ? withReturns(bytes) : bytes.slice());
  }

  /** Changes settings. Leaving canonical mode gives out what was typed so far. */
  change(settings: Partial<TerminalSettings>): void {
    const wasCanonical = this.settings.icanon;
    this.settings = { ...this.settings, ...settings };
    if (wasCanonical && !this.settings.icanon && this.line.length > 0) {
      this.waiting.push(this.line);
      this.line = [];
      this.readable.wake();
    }
  }

  private typeByte(typed: number): void {
    const { icanon, icrnl, isig } = this.settings;
    const byte = typed === RETURN && icrnl ? NEWLINE : typed;
    if (this.isLiteral) {
      this.isLiteral = false;
      this.append(byte);
      return;
    }
    if (isig && this.sendSignal(byte)) return;
    if (icanon) this.edit(byte);
    else this.appendRaw(byte);
  }

  private sendSignal(byte: number): boolean {
    const signals: Readonly<Record<number, number>> = {
      [CONTROL.interrupt]: SIG.INT,
      [CONTROL.quit]: SIG.QUIT,
      [CONTROL.suspend]: SIG.TSTP,
    };
    const signal = signals[byte];
    if (signal === undefined) return false;
    this.line = [];
    this.waiting = [];
    this.taken = 0;
    this.echo(byte);
    if (this.foreground > 0) this.host.signal(this.foreground, signal);
    return true;
  }

  /** Canonical mode: one byte of a line that is being typed. */
  private edit(byte: number): void {
    if (byte === CONTROL.erase) this.eraseWhile(() => false);
    else if (byte === CONTROL.kill) this.eraseWhile(() => true);
    else if (byte === CONTROL.werase) this.eraseWord();
    else if (byte === CONTROL.literalNext) this.isLiteral = true;
    else if (byte === CONTROL.reprint) this.reprint();
    else if (byte === CONTROL.endOfFile) this.complete();
    else if (byte === NEWLINE) {
      this.line.push(byte);
      if (this.settings.echo) this.write(Uint8Array.of(NEWLINE));
      this.complete();
    } else this.append(byte);
  }

  private complete(): void {
    this.waiting.push(this.line);
    this.line = [];
  }

  private append(byte: number): void {
    if (!this.settings.icanon) {
      this.appendRaw(byte);
      return;
    }
    if (this.line.length >= 4095) return;
    this.line.push(byte);
    this.echo(byte);
  }

  private appendRaw(byte: number): void {
    const last = this.waiting[this.waiting.length - 1];
    if (last === undefined) this.waiting.push([byte]);
    else if (last.length < MAX_INPUT_BYTES) last.push(byte);
    this.echo(byte);
  }

  private reprint(): void {
    this.write(toBytes('^R\n'));
    for (const byte of this.line) this.echo(byte);
  }

  private echo(byte: number): void {
    if (!this.settings.echo) return;
    const isControl = byte < 32 && byte !== NEWLINE && byte !== 9;
    if ((isControl || byte === 127) && this.settings.echoctl)
      this.write(toBytes(`^${String.fromCharCode(byte ^ 64)}`));
    else this.write(Uint8Array.of(byte));
  }

  private eraseWord(): void {
    const isSpace = (byte: number): boolean => byte === 32 || byte === 9;
    while (this.line.length > 0 && isSpace(this.line[this.line.length - 1] as number)) this.eraseOne();
    while (this.line.length > 0 && !isSpace(this.line[this.line.length - 1] as number)) this.eraseOne();
  }

  private eraseWhile(goesOn: () => boolean): void {
    do this.eraseOne();
    while (goesOn() && this.line.length > 0);
  }

  /** Takes the last character off the line and off the screen; UTF-8 sequences go whole. */
  private eraseOne(): void {
    let byte = this.line.pop();
    while (byte !== undefined && (byte & 0xc0) === 0x80) byte = this.line.pop();
    if (byte === undefined || !this.settings.echo) return;
    const width = byte < 32 && this.settings.echoctl ? 2 : 1;
    this.write(toBytes('\b \b'.repeat(width)));
  }
}

/** A screen takes about 8 MB or a million lines a second. */
function showTicks(bytes: Uint8Array): number {
  if (bytes.length < 16) return 1;
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines += 1;
  return (bytes.length >> 3) + lines;
}

/** Newlines as carriage return and newline. */
function withReturns(bytes: Uint8Array): Uint8Array {
  let count = 0;
  for (const byte of bytes) if (byte === NEWLINE) count += 1;
  const shown = new Uint8Array(bytes.length + count);
  let at = 0;
  for (const byte of bytes) {
    if (byte === NEWLINE) shown[at++] = RETURN;
    shown[at++] = byte;
  }
  return shown;
}

/** The inode of `/dev/pts/0`. */
function terminalInode(owner: { readonly uid: number; readonly nowUs: number }): Inode {
  const times = { atimeUs: owner.nowUs, mtimeUs: owner.nowUs, ctimeUs: owner.nowUs, btimeUs: owner.nowUs };
  const ids = { ino: 3, uid: owner.uid, gid: 5, dev: 0x18, parent: 0, owner: 0 };
  return { kind: 'char', mode: 0o620, nlink: 1, rdev: FIRST_PTS, ...times, ...ids };
}

/** An open terminal. */
export class OpenTerminal extends OpenFile {
  constructor(
    readonly terminal: Terminal,
    mode: OpenMode,
    path: string,
  ) {
    super(mode, path, terminal.readable);
  }

  override get isTerminal(): boolean {
    return true;
  }

  override stat(): Inode {
    return this.terminal.inode;
  }

  override hasInput(): boolean {
    return this.terminal.hasInput();
  }

  override readNow(max: number): Uint8Array | null {
    if (!this.mode.read) throw new SystemError('EBADF');
    return this.terminal.take(max);
  }

  override writeNow(bytes: Uint8Array): number {
    if (!this.mode.write) throw new SystemError('EBADF');
    this.terminal.write(bytes);
    return bytes.length;
  }
}
