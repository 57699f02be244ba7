/**
 * The ledger of an episode: which pinned facts were revealed, and what the model authored.
 *
 * It does not repeat the state; it holds what the state cannot know. The same question over an unchanged state gets
 * the same answer, with the origins it had. Persistent maps, so a fork shares it and a null step forgets it by
 * dropping the new version. `revision` is the episode's count of state changes.
 */
import { Map as PersistentMap } from 'immutable';
import { type Answer, canonicalJson, type Json, type Operation, type Span } from '../core/index.js';

/** An answer that a model authored: what, in which turn, and over which revision of the state. */
export interface AuthoredAnswer {
  readonly answer: Answer;
  readonly turn: number;
  readonly revision: number;
}

/** The name under which an operation is remembered and asked: kind, name, target and canonical arguments. */
export function operationKey(op: Operation): string {
  const target = op.target === undefined ? '' : ` ${op.target}`;
  const index = op.index === undefined ? '' : ` #${op.index}`;
  const mark = op.stateMark === undefined ? '' : ` @${op.stateMark}`;
  return `${op.kind} ${op.name}${target}${index}${mark} ${canonicalJson(op.args)}`;
}

/** Immutable: every change gives a new ledger. */
export class Ledger {
  /** The ledger of an episode that has not begun. */
  static readonly empty = new Ledger(PersistentMap(), PersistentMap());

  private readonly reveals: PersistentMap<string, number>;
  private readonly authored: PersistentMap<string, AuthoredAnswer>;

  private constructor(
    reveals: PersistentMap<string, number>,
    authored: PersistentMap<string, AuthoredAnswer>,
  ) {
    this.reveals = reveals;
    this.authored = authored;
  }

  /** Remembers that a fact was revealed; the first turn counts. */
  reveal(factId: string, turn: number): Ledger {
    return this.reveals.has(factId) ? this : new Ledger(this.reveals.set(factId, turn), this.authored);
  }

  /** Remembers what the model answered to an operation; the last answer counts. */
  author(key: string, entry: AuthoredAnswer): Ledger {
    return new Ledger(this.reveals, this.authored.set(key, entry));
  }

  /** The answer given to the same operation over the same revision of the state, if there is one. */
  find(key: string, revision: number): Answer | undefined {
    const entry = this.authored.get(key);
    return entry?.revision === revision ? entry.answer : undefined;
  }

  /** Fact id → the turn that first revealed it, ordered by id. */
  revealed(): readonly (readonly [string, number])[] {
    return [...this.reveals.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** How many operations the model has authored an answer to. */
  get authoredCount(): number {
    return this.authored.size;
  }

  /** The ledger as a JSON value, for snapshots. Equal ledgers give equal values. */
  encode(): Json {
    const authored = [...this.authored.entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      revealed: this.revealed(),
      authored: authored.map(([key, { answer, turn, revision }]) => [
        key,
        { turn, revision, answer: encodeAnswer(answer) },
      ]),
    };
  }

  /** A ledger from the value that `encode` gave. */
  static decode(value: Json): Ledger {
    const { revealed, authored } = value as unknown as {
      readonly revealed: readonly (readonly [string, number])[];
      readonly authored: readonly (readonly [string, AuthoredAnswer])[];
    };
    return new Ledger(PersistentMap(revealed), PersistentMap(authored));
  }
}

function encodeAnswer(answer: Answer): Json {
  const { text, value, isError } = answer;
  const origins = text.origins.map((span: Span) => ({ ...span })) as unknown as Json;
  return { text: { text: text.text, origins }, isError, ...(value === undefined ? {} : { value }) };
}
