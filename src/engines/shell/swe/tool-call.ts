/**
 * One call of a coding tool: the arguments it gives, the words it is answered with, the machine it works on.
 */
import type { EngineOutcome, HostCall, HostReply, Json, ToolCall } from '../../../core/index.js';
import {
  fillTemplate,
  RESULT_TEXTS,
  type ResultName,
  type ResultTexts,
  type ToolField,
  type ToolUse,
} from '../../../domains/index.js';
import type { MachineWork, WorkResult } from '../session/machine-work.js';
import type { MachineFiles } from './machine-files.js';
import type { SweState } from './swe-state.js';

/** What a tool answers. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool's work that may ask the Host; an outcome where nobody could answer. */
export type Working<T> = Generator<HostCall, T, HostReply>;

/** Raised inside a tool where the step has no observation. */
export class NoAnswer extends Error {
  constructor(readonly outcome: EngineOutcome) {
    super('no answer');
    this.name = 'NoAnswer';
  }
}

/** What tools work with. */
export interface Bench {
  state: SweState;
  /** Simulated milliseconds that the call took. */
  spentMs: number;
  look<T>(read: (files: MachineFiles) => T): T;
  /** Does something on the machine. Raises {@link NoAnswer}. */
  work(work: MachineWork): Working<WorkResult>;
}

/** A call with its arguments under common names. */
export class Call {
  readonly texts: ResultTexts;

  constructor(
    readonly tool: ToolCall,
    readonly use: ToolUse,
    readonly bench: Bench,
    harness: string,
  ) {
    this.texts = RESULT_TEXTS[harness] as ResultTexts;
  }

  /** A text argument; undefined where it is absent or of another type. */
  text(field: ToolField): string | undefined {
    const value = this.use.fields[field];
    return typeof value === 'string' ? value : undefined;
  }

  number(field: ToolField): number | undefined {
    const value = this.use.fields[field];
    return typeof value === 'number'
      ? value
      : typeof value === 'string' && /^\d+$/.test(value)
        ? Number(value)
        : undefined;
  }

  /** An argument by the harness's own name. */
  own(name: string): Json | undefined {
    return this.tool.arguments[name];
  }

  say(name: ResultName, values: Readonly<Record<string, string | number>> = {}): Said {
    return fillTemplate(this.texts.texts[name], values);
  }

  /** A path of an argument, absolute: others are from the current folder. */
  path(text: string): string {
    const parts: string[] = [];
    const from = text.startsWith('/') ? text : `${this.bench.state.folder}/${text}`;
    for (const part of from.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  /** Lines as the harness numbers them, from a number on. */
  numbered(lines: readonly string[], from = 1): string {
    const { lineMark, lineChars } = this.texts;
    const cut = (line: string): string =>
      line.length > lineChars ? `${line.slice(0, lineChars)}... [truncated]` : line;
    if (lineMark === null) return lines.map(cut).join('\n');
    return lines.map((line, at) => `${String(from + at).padStart(6)}${lineMark}${cut(line)}`).join('\n');
  }

  /** Remembers a file's text as known to the agent. */
  remember(path: string, text: string): void {
    this.bench.state = { ...this.bench.state, known: { ...this.bench.state.known, [path]: text } };
  }
}
