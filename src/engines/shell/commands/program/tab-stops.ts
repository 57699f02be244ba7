/**
 * Tab stops of `expand` and `unexpand`: `-t 4`, `-t 2,8,16`, `-t 1,/8`, `-t 1,+4`.
 *
 * Source: expand(1), messages of coreutils 9.1.
 */
import type { Tool } from './tool.js';

/** Where tabs lead: the column of the next stop, or undefined behind the last. */
export class TabStops {
  private readonly list: number[] = [];
  private every = 0;
  private beyond = 0;

  /** Adds what `-t` said; wrong lists end the program. */
  add(tool: Tool, text: string): void {
    for (const word of text.split(/[, \t]+/)) {
      if (word === '') continue;
      const match = /^([/+]?)(\d*)(.*)$/s.exec(word);
      const rest = match?.[3] ?? '';
      if (/^[/+]/.test(rest)) tool.die(`'${rest[0]}' specifier not at start of number: ${tool.quote(rest)}`);
      if (rest !== '') tool.die(`tab size contains invalid character(s): ${tool.quote(rest)}`);
      const stop = Number(match?.[2] ?? 0);
      if (match?.[1] === '/') this.every = stop;
      else if (match?.[1] === '+') this.beyond = stop;
      else {
        if (stop === 0) tool.die('tab size cannot be 0');
        if (stop <= (this.list[this.list.length - 1] ?? 0)) tool.die('tab sizes must be ascending');
        this.list.push(stop);
      }
    }
  }

  /** To be asked once the options are read: one stop means every so many columns. */
  finish(): void {
    if (this.list.length === 0 && this.every === 0 && this.beyond === 0) this.every = 8;
    else if (this.list.length === 1 && this.every === 0 && this.beyond === 0)
      this.every = this.list.pop() ?? 8;
  }

  /** The next stop behind a column. */
  after(column: number): number | undefined {
    const listed = this.list.find((stop) => stop > column);
    if (listed !== undefined) return listed;
    if (this.every > 0) return column + this.every - (column % this.every);
    if (this.beyond === 0) return undefined;
    const last = this.list[this.list.length - 1] ?? 0;
    return column + this.beyond - ((column - last) % this.beyond);
  }
}
