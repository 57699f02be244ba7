/**
 * Runs a sed script over its input: the cycle, pattern and hold space, addresses, appended text, jumps.
 *
 * Source: the manual of GNU sed 4.8, "Execution cycle" and "Command reference". What appends, reads and writes queue is
 * written at the end of the cycle or when n and N read on. Work is counted, so that an endless loop lets others run.
 */
import { type Io, type Process, type Running, SystemError, toText } from '../../../kernel/index.js';
import type { Regex, RegexMatch } from '../regex/regex.js';
import type { SedInput } from './input.js';
import { shownLine } from './list-line.js';
import type { SedOutput } from './output.js';
import { expandReplacement } from './replacement.js';
import {
  type SedAddress,
  type SedCommand,
  type SedScript,
  SedScriptError,
  type Substitution,
} from './script.js';
import { shellOutput } from './shell-output.js';

/** What a run needs. */
export interface SedRunParts {
  readonly proc: Process;
  readonly io: Io;
  readonly script: SedScript;
  readonly input: SedInput;
  readonly output: SedOutput;
  readonly quiet: boolean;
  readonly lineLength: number;
  readonly unbuffered: boolean;
  readonly end: string;
}

/** Where execution goes after a command. */
type Next = number | 'cycle' | 'restart' | 'quit';

/** Runs until the input ends or a command quits; gives the exit status. */
export function* runSed(parts: SedRunParts): Running<number> {
  return yield* new SedRun(parts).run();
}

class SedRun {
  private pattern = '';
  private ended = true;
  private hold = '';
  private holdEnded = true;
  private replaced = false;
  private status = 0;
  private readonly queue: { readonly kind: 'text' | 'file'; readonly text: string }[] = [];
  /** For each command with two addresses: the line its range ends at, or why not yet. */
  private readonly ranges = new Map<SedCommand, number | 'open'>();
  private readonly readers = new Map<string, { lines: ReturnType<Io['lines']> | null }>();
  private lastRegex: Regex | undefined;

  constructor(private readonly parts: SedRunParts) {}

  *run(): Running<number> {
    let restart = false;
    for (;;) {
      if (!restart && !(yield* this.readLine())) break;
      restart = false;
      this.replaced = false;
      const how = yield* this.cycle();
      if (how === 'quit') break;
      restart = how === 'restart';
    }
    yield* this.parts.input.finish();
    yield* this.parts.output.flush();
    return this.status;
  }

  private *readLine(): Running<boolean> {
    const line = yield* this.parts.input.next();
    if (line === undefined) return false;
    this.pattern = line.text;
    this.ended = line.ended;
    return true;
  }

  private *cycle(): Running<'cycle' | 'restart' | 'quit'> {
    const { commands } = this.parts.script;
    let at = 0;
    while (at < commands.length) {
      const command = commands[at];
      if (command === undefined) break;
      if (this.parts.proc.tick()) yield* this.parts.proc.pause();
      if ((yield* this.selects(command)) === command.negated) {
        at = command.name === '{' ? (command.target ?? at + 1) : at + 1;
        continue;
      }
      const next = yield* this.execute(command, at);
      if (typeof next === 'number') at = next;
      else if (next === 'cycle') {
        yield* this.writeQueue();
        return 'cycle';
      } else return next;
    }
    yield* this.endCycle();
    return 'cycle';
  }

  /** What happens at the end of every cycle. */
  private *endCycle(): Running<void> {
    if (!this.parts.quiet) this.parts.output.line(this.pattern, this.ended);
    yield* this.writeQueue();
    if (this.parts.unbuffered) yield* this.parts.io.flush();
    else if (this.parts.io.mustDrain) yield* this.parts.io.drain();
  }

  private *writeQueue(): Running<void> {
    for (const { kind, text } of this.queue.splice(0)) {
      if (kind === 'text') this.parts.output.text(text);
      else yield* this.copyFile(text);
    }
  }

  private *copyFile(name: string): Running<void> {
    const { proc, output } = this.parts;
    try {
      const bytes = name === '/dev/stdin' ? yield* proc.readAll(0) : yield* proc.readFile(name);
      output.text(toText(bytes));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
    }
  }

  // ---- addresses ----

  private *selects(command: SedCommand): Running<boolean> {
    const { first, second } = command;
    if (first === undefined) return true;
    if (second === undefined) return yield* this.matches(first);
    const { lineNumber } = this.parts.input;
    const range = this.ranges.get(command);
    if (range !== undefined) return yield* this.inRange(command, second, range);
    const startsAtZero = first.kind === 'line' && first.line === 0;
    if (startsAtZero && lineNumber === 1) {
      this.ranges.set(command, 'open');
      return yield* this.inRange(command, second, 'open');
    }
    if (!(yield* this.matches(first))) return false;
    if (second.kind === 'line' && second.line <= lineNumber) return true;
    if (second.kind === 'plus') {
      if (second.count > 0) this.ranges.set(command, lineNumber + second.count);
    } else if (second.kind === 'multiple') {
      const end = second.of <= 0 ? lineNumber : (Math.floor(lineNumber / second.of) + 1) * second.of;
      if (end > lineNumber) this.ranges.set(command, end);
    } else if (second.kind === 'line') this.ranges.set(command, second.line);
    else this.ranges.set(command, 'open');
    return true;
  }

  private *inRange(command: SedCommand, second: SedAddress, range: number | 'open'): Running<boolean> {
    const { lineNumber } = this.parts.input;
    if (typeof range === 'number') {
      if (lineNumber >= range) this.ranges.delete(command);
      if (lineNumber > range && second.kind === 'line') {
        const { first } = command;
        return first !== undefined && (yield* this.matches(first));
      }
      return lineNumber <= range;
    }
    if (yield* this.matches(second)) this.ranges.set(command, -1);
    if (this.ranges.get(command) === -1) this.ranges.delete(command);
    return true;
  }

  private *matches(address: SedAddress): Running<boolean> {
    const { input } = this.parts;
    switch (address.kind) {
      case 'line':
        return input.lineNumber === address.line;
      case 'step':
        return input.lineNumber >= address.first && (input.lineNumber - address.first) % address.step === 0;
      case 'last':
        return yield* input.isLast();
      case 'regex':
        return this.regex(address.regex).test(this.pattern);
      default:
        return false;
    }
  }

  private regex(regex: Regex | undefined): Regex {
    const used = regex ?? this.lastRegex;
    if (used === undefined) throw new SedScriptError('no previous regular expression');
    this.lastRegex = used;
    return used;
  }

  // ---- commands ----

  private *execute(command: SedCommand, at: number): Running<Next> {
    const { output, input } = this.parts;
    switch (command.name) {
      case '{':
      case '}':
        return at + 1;
      case 's':
        if (command.substitution !== undefined) yield* this.substitute(command.substitution);
        return at + 1;
      case 'd':
        return 'cycle';
      case 'D':
        return yield* this.deleteFirstLine();
      case 'p':
        output.line(this.pattern, this.ended);
        return at + 1;
      case 'P':
        output.line(this.firstLine(), this.hasBreak() || this.ended);
        return at + 1;
      case 'n':
        return (yield* this.nextLine()) ? at + 1 : 'quit';
      case 'N':
        return (yield* this.appendLine()) ? at + 1 : 'quit';
      case 'b':
        return command.target ?? at + 1;
      case 't':
      case 'T': {
        const jumps = this.replaced === (command.name === 't');
        this.replaced = false;
        return jumps ? (command.target ?? at + 1) : at + 1;
      }
      case 'a':
        this.queue.push({ kind: 'text', text: command.text ?? '' });
        return at + 1;
      case 'i':
        output.text(command.text ?? '');
        return at + 1;
      case 'c':
        return this.change(command);
      case 'q':
        this.status = command.number ?? 0;
        yield* this.endCycle();
        return 'quit';
      case 'Q':
        this.status = command.number ?? 0;
        return 'quit';
      case '=':
        output.text(`${input.lineNumber}\n`);
        return at + 1;
      default:
        yield* this.executeRare(command);
        return at + 1;
    }
  }

  private *executeRare(command: SedCommand): Running<void> {
    const { output, input, end } = this.parts;
    const glue = end;
    switch (command.name) {
      case 'g':
        this.pattern = this.hold;
        this.ended = this.holdEnded;
        return;
      case 'G':
        this.pattern += glue + this.hold;
        this.ended = this.holdEnded;
        return;
      case 'h':
        this.hold = this.pattern;
        this.holdEnded = this.ended;
        return;
      case 'H':
        this.hold += glue + this.pattern;
        this.holdEnded = this.ended;
        return;
      case 'x':
        [this.pattern, this.hold] = [this.hold, this.pattern];
        [this.ended, this.holdEnded] = [this.holdEnded, this.ended];
        return;
      case 'z':
        this.pattern = '';
        return;
      case 'l':
        output.text(shownLine(this.pattern, command.number ?? this.parts.lineLength));
        return;
      case 'y':
        this.pattern = [...this.pattern].map((one) => command.table?.get(one) ?? one).join('');
        return;
      case 'r':
        this.queue.push({ kind: 'file', text: command.text ?? '' });
        return;
      case 'R':
        yield* this.queueLine(command.text ?? '');
        return;
      case 'w':
        output.line(this.pattern, this.ended, command.text);
        return;
      case 'W':
        output.line(this.firstLine(), this.hasBreak() || this.ended, command.text);
        return;
      case 'F':
        output.text(`${input.fileName}\n`);
        return;
      case 'e':
        yield* this.runShell(command.text ?? '');
        return;
      default:
        if (command.name === 'L') throw new SedScriptError('INTERNAL ERROR: Bad cmd L', 4);
    }
  }

  private hasBreak(): boolean {
    return this.pattern.includes(this.parts.end);
  }

  private firstLine(): string {
    const at = this.pattern.indexOf(this.parts.end);
    return at < 0 ? this.pattern : this.pattern.slice(0, at);
  }

  private *deleteFirstLine(): Running<Next> {
    const at = this.pattern.indexOf(this.parts.end);
    if (at < 0) return 'cycle';
    this.pattern = this.pattern.slice(at + 1);
    yield* this.writeQueue();
    return 'restart';
  }

  private *nextLine(): Running<boolean> {
    if (yield* this.parts.input.isEnd()) {
      yield* this.endCycle();
      return false;
    }
    if (!this.parts.quiet) this.parts.output.line(this.pattern, this.ended);
    yield* this.writeQueue();
    return yield* this.readLine();
  }

  private *appendLine(): Running<boolean> {
    if (yield* this.parts.input.isEnd()) {
      yield* this.endCycle();
      return false;
    }
    yield* this.writeQueue();
    const before = this.pattern;
    if (!(yield* this.readLine())) return false;
    this.pattern = `${before}${this.parts.end}${this.pattern}`;
    return true;
  }

  private change(command: SedCommand): Next {
    const isInside = command.second !== undefined && this.ranges.has(command);
    if (command.second === undefined || command.negated || !isInside)
      this.parts.output.text(command.text ?? '');
    return 'cycle';
  }

  private *queueLine(name: string): Running<void> {
    const { proc, io } = this.parts;
    let reader = this.readers.get(name);
    if (reader === undefined) {
      reader = { lines: null };
      this.readers.set(name, reader);
      try {
        reader.lines = io.lines(name === '/dev/stdin' ? 0 : yield* proc.open(name));
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
      }
    }
    const line = reader.lines === null ? null : yield* reader.lines.line();
    if (line === null) return;
    const end = reader.lines?.endedWithSeparator === false ? '' : this.parts.end;
    this.queue.push({ kind: 'text', text: `${line}${end}` });
  }

  private *runShell(text: string): Running<void> {
    const { proc, io, output } = this.parts;
    yield* output.flush();
    yield* io.flush();
    if (text !== '') output.text(yield* shellOutput(proc, text));
    else this.pattern = (yield* shellOutput(proc, this.pattern)).replace(/\n$/, '');
  }

  private *substitute(how: Substitution): Running<void> {
    const regex = this.regex(how.regex);
    const text = this.pattern;
    let out = '';
    let copied = 0;
    let count = 0;
    let lastEnd = -1;
    let hit = false;
    for (let from = 0; from <= text.length; ) {
      const match = regex.search(text, from);
      if (match === null) break;
      const [start, end] = spanOf(match);
      if (this.parts.proc.tick(1 + ((end - from) >> 6))) yield* this.parts.proc.pause();
      const width = start < end ? 0 : (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
      from = end + width;
      // An empty match right behind another match does not count.
      if (start === end && start === lastEnd) continue;
      lastEnd = end;
      if (++count < how.number) continue;
      out += text.slice(copied, start) + expandReplacement(how.parts, text, match);
      copied = end;
      hit = true;
      if (!how.global) break;
    }
    if (!hit) return;
    this.pattern = out + text.slice(copied);
    this.replaced = true;
    yield* this.afterSubstitution(how);
  }

  private *afterSubstitution(how: Substitution): Running<void> {
    const { output, proc } = this.parts;
    if (how.print === 2) output.line(this.pattern, this.ended);
    if (how.evaluate) this.pattern = (yield* shellOutput(proc, this.pattern)).replace(/\n$/, '');
    if (how.print === 1) output.line(this.pattern, this.ended);
    if (how.file !== undefined) output.line(this.pattern, this.ended, how.file);
  }
}

function spanOf(match: RegexMatch): readonly [number, number] {
  return [match[0] ?? 0, match[1] ?? 0];
}
