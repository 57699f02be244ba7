/**
 * The text the parser reads, one character at a time, with line numbers and alias text spliced in.
 *
 * The idea: a stack of frames. The bottom one is the script; an alias that is being expanded is a frame on top,
 * and it may not expand itself again while it is there. Lines count in the script only, as in bash.
 */

/** A text being read. */
interface Frame {
  readonly text: string;
  pos: number;
  /** Name of the alias that this text is the value of; empty for the script. */
  readonly alias: string;
  /** An alias value that ends in a blank: the word after it is looked up as well. */
  readonly expandNext: boolean;
}

/** A place in the text that reading can go back to. */
export interface Mark {
  readonly frames: readonly Frame[];
  readonly line: number;
}

/** The text of a script with a place in it. */
export class Input {
  private frames: Frame[];
  /** Number of the line that is read now, counted from `firstLine`. */
  line: number;
  /** The last alias that ended in a blank has just been left. */
  nextMayBeAlias = false;
  /** Reading went past the end of the text. */
  hitEnd = false;
  /** A backslash joined two lines. */
  continued = false;

  constructor(text: string, firstLine: number) {
    this.frames = [{ text, pos: 0, alias: '', expandNext: false }];
    this.line = firstLine;
  }

  private get top(): Frame {
    return this.frames[this.frames.length - 1] as Frame;
  }

  /** The character `ahead` places on, or '' at the end. */
  peek(ahead = 0): string {
    let left = ahead;
    for (let depth = this.frames.length - 1; depth >= 0; depth -= 1) {
      const frame = this.frames[depth] as Frame;
      const rest = frame.text.length - frame.pos;
      if (left < rest) return frame.text[frame.pos + left] as string;
      left -= rest;
    }
    this.hitEnd = true;
    return '';
  }

  /** Takes one character; '' at the end. Leaves alias texts that are used up. */
  next(): string {
    this.leaveFinished();
    const frame = this.top;
    if (frame.pos >= frame.text.length) {
      this.hitEnd = true;
      return '';
    }
    const char = frame.text[frame.pos] as string;
    frame.pos += 1;
    if (char === '\n' && frame.alias === '') this.line += 1;
    return char;
  }

  /** Takes what a sticky pattern without newlines matches here, in this frame only. */
  take(pattern: RegExp): string {
    this.leaveFinished();
    const frame = this.top;
    pattern.lastIndex = frame.pos;
    const found = pattern.exec(frame.text);
    if (found === null) return '';
    frame.pos += found[0].length;
    return found[0];
  }

  private leaveFinished(): void {
    while (this.frames.length > 1 && this.top.pos >= this.top.text.length) {
      if (this.top.expandNext) this.nextMayBeAlias = true;
      this.frames.pop();
    }
  }

  /** The aliases whose values are being read now. */
  activeAliases(): readonly string[] {
    this.leaveFinished();
    return this.frames.length === 1 ? [] : this.frames.map((frame) => frame.alias);
  }

  /** Lets reading go on in the value of an alias; false when too many are open already. */
  splice(name: string, value: string): boolean {
    if (this.frames.length > 200) return false;
    this.frames.push({ text: value, pos: 0, alias: name, expandNext: /[ \t]$/.test(value) });
    return true;
  }

  /** Notes this place. */
  mark(): Mark {
    return { frames: this.frames.map((frame) => ({ ...frame })), line: this.line };
  }

  /** Goes back to a place noted before. */
  reset(mark: Mark): void {
    this.frames = mark.frames.map((frame) => ({ ...frame }));
    this.line = mark.line;
  }

  /** How far the script itself has been read, in characters. */
  get scriptPosition(): number {
    return (this.frames[0] as Frame).pos;
  }

  /** Whether the character read last was a newline, or nothing was read. */
  endsWithNewline(): boolean {
    const { text, pos } = this.frames[0] as Frame;
    return pos === 0 || text[pos - 1] === '\n';
  }

  /** The line of the script that was read last: what bash quotes under a syntax error. */
  currentLine(): string {
    const { text, pos } = this.frames[0] as Frame;
    const at = Math.max(0, pos - 1);
    const start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
    const end = text.indexOf('\n', Math.max(start, at));
    return text.slice(start, end === -1 ? undefined : end);
  }
}
