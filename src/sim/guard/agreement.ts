/**
 * Does what a model said agree with what the engine computed for the same action?
 *
 * JSON is compared value by value: what is said must be so, and what is known must be said; more may be said.
 * Texts agree where they show every value that was computed and no number that nobody knows. Ids that the call itself makes
 * may be others, if they are free. Screens agree after normalising, but for times and process numbers. Not covered: what a
 * sentence means beyond its values.
 */
import {
  type Answer,
  canonicalJson,
  type Domain,
  isJsonObject,
  type Json,
  parseJson,
  renderJson,
} from '../../core/index.js';
import { type DomainFormat, isRuntimeName, isRuntimeText } from '../../domains/index.js';

/** What the engine computed for the action, and what may be known about it. */
export interface Draft {
  readonly answer: Answer;
  /** The call changed the state. */
  readonly wrote: boolean;
  /** The state before the call. */
  readonly before: Json;
  /** The arguments of the call. */
  readonly args: Json;
}

/** How words compare with a draft. */
export interface Agreement {
  /** The first contradiction, as a sentence for the model; undefined where there is none. */
  readonly problem?: string;
  /** Every value is the draft's, ids included, or nothing was changed: the draft's state is the state. */
  readonly exact: boolean;
}

/** Compares. */
export function compareWithDraft(
  said: string,
  draft: Draft,
  by: { readonly domain: Domain; readonly format: DomainFormat },
): Agreement {
  const computed = draft.answer.text.text;
  if (said === computed) return { exact: true };
  if (by.domain !== 'mcp') return compareTexts(said, computed, by.format);
  const saidJson = structured(said);
  const ownJson = structured(computed);
  const work = new Comparison(draft);
  if (saidJson !== undefined && ownJson !== undefined) work.match(ownJson, saidJson, '');
  else work.matchWords(ownJson ?? computed, said);
  return work.result();
}

function structured(text: string): Json | undefined {
  const json = parseJson(text.trim());
  return json.ok && typeof json.value === 'object' && json.value !== null ? json.value : undefined;
}

function compareTexts(said: string, computed: string, format: DomainFormat): Agreement {
  const [theirs, own] = [said, computed].map((text) => format.normaliseObservation(text).split('\n'));
  if (theirs === undefined || own === undefined) return { exact: false };
  if (theirs.length !== own.length) {
    const problem = `the answer has ${theirs.length} rows; what is computed has ${own.length}`;
    return { problem, exact: false };
  }
  const at = own.findIndex((row, index) => withoutRuntime(row) !== withoutRuntime(theirs[index] ?? ''));
  if (at < 0) return { exact: true };
  const problem = `row ${at + 1} is ${brief(theirs[at] ?? '')}; the state says ${brief(own[at] ?? '')}`;
  return { problem, exact: false };
}

/** A row without what nobody can predict, which is told by its form. */
function withoutRuntime(row: string): string {
  return row
    .trimEnd()
    .split(/(\s+)/)
    .map((word) => (isRuntimeText(word) ? '#' : word))
    .join('');
}

const ID_NAME = /(?:^|[_-]|[a-z])(?:id|Id|ID|number|key|code|ref|slug|uuid)$|^(?:id|key|number|code)$/;

class Comparison {
  private problem: string | undefined;
  private hasOther = false;
  private readonly taken: ReadonlySet<string>;
  private readonly given: ReadonlySet<string>;

  constructor(private readonly draft: Draft) {
    this.taken = new Set(leavesOf(draft.before).map(({ value }) => canonicalJson(value)));
    this.given = new Set(leavesOf(draft.args).map(({ value }) => canonicalJson(value)));
  }

  result(): Agreement {
    const isDrafts = !this.hasOther || !this.draft.wrote;
    return this.problem === undefined ? { exact: isDrafts } : { problem: this.problem, exact: false };
  }

  match(own: Json, said: Json, path: string): void {
    if (this.problem !== undefined) return;
    if (Array.isArray(own) && Array.isArray(said)) this.matchLists(own, said, path);
    else if (isJsonObject(own) && isJsonObject(said)) this.matchObjects(own, said, path);
    else if (Array.isArray(own) || Array.isArray(said)) this.matchWrapped(own, said, path);
    else if (typeof own === 'object' && own !== null) this.matchWords(own, renderJson(said));
    else this.matchScalar(own, said, path);
  }

  private matchLists(own: readonly Json[], said: readonly Json[], path: string): void {
    if (own.length !== said.length) {
      this.problem = `${place(path)} has ${said.length} items; the state has ${own.length}`;
      return;
    }
    const order = pairs(own, said);
    for (const [index, item] of own.entries()) {
      const other = said[order[index] ?? index];
      this.match(item, other === undefined ? null : other, `${path}[${index}]`);
    }
  }

  private matchObjects(
    own: { readonly [key: string]: Json },
    said: { readonly [key: string]: Json },
    path: string,
  ): void {
    const shared = Object.keys(said).filter((name) => Object.hasOwn(own, name));
    const lists = Object.keys(own).filter((name) => Array.isArray(own[name]));
    const missing = lists.find((name) => !Object.hasOwn(said, name));
    const saidLists = Object.keys(said).filter((name) => Array.isArray(said[name]));
    if (shared.length === 0 && lists.length === 1 && saidLists.length === 1) {
      this.match(own[lists[0] ?? ''] ?? null, said[saidLists[0] ?? ''] ?? null, path);
      return;
    }
    if (missing !== undefined && (own[missing] as readonly Json[]).length > 0) {
      this.problem = `${place(path)} leaves out the list ${missing}`;
      return;
    }
    if (shared.length === 0 && Object.keys(said).length > 0) {
      this.matchWords(own, renderJson(said));
      return;
    }
    const left = Object.keys(own).find(
      (name) => !Object.hasOwn(said, name) && isSaid(own[name] ?? null, name),
    );
    if (left !== undefined) {
      this.problem = `${place(path)} leaves out ${left}, which the state has`;
      return;
    }
    for (const name of shared)
      this.match(own[name] ?? null, said[name] ?? null, path === '' ? name : `${path}.${name}`);
  }

  /** One side is a bare list, the other wraps it. */
  private matchWrapped(own: Json, said: Json, path: string): void {
    const inner = onlyList(own);
    const theirs = onlyList(said);
    if (inner !== undefined && theirs !== undefined) this.matchLists(inner, theirs, path);
    else
      this.problem = `${place(path)} is ${brief(renderJson(said))}; the state has ${brief(renderJson(own))}`;
  }

  private matchScalar(own: Json, said: Json, path: string): void {
    if (canonicalJson(own) === canonicalJson(said) || String(own) === String(said)) return;
    const name = /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
    if (this.isFree(name, own, said)) {
      this.hasOther = true;
      return;
    }
    this.problem = `${place(path)} is ${brief(renderJson(said))}; the state says ${brief(renderJson(own))}`;
  }

  /** An id that the call made may be another that nobody has; a time of now another time. */
  private isFree(name: string, own: Json, said: Json): boolean {
    const { draft, taken, given } = this;
    if (!draft.wrote || typeof own !== typeof said) return false;
    const isNew = (value: Json): boolean =>
      !taken.has(canonicalJson(value)) && !given.has(canonicalJson(value));
    if (!isNew(own) || !isNew(said)) return false;
    if (ID_NAME.test(name)) return true;
    return isRuntimeName(name) && typeof said === 'string' && isRuntimeText(said);
  }

  /** Values in words: each computed one is said, and no number is said that nobody knows. */
  matchWords(own: Json, said: string): void {
    const words = said.toLowerCase();
    const leaves = typeof own === 'string' ? [{ name: '', value: own as Json }] : leavesOf(own);
    const values = leaves.filter(({ name, value }) => isTelling(value) && !isRuntimeName(name));
    const numbers = said.match(/(?<![\w.-])\d+(?:\.\d+)?(?![\w-])/g) ?? [];
    const all = new Set([...leaves, ...leavesOf(this.draft.args)].map(({ value }) => String(value)));
    const sayable = new Set([...[...all].flatMap((text) => text.match(/\d+(?:\.\d+)?/g) ?? []), ...all]);
    const unknown = numbers.find((number) => !sayable.has(number));
    if (unknown !== undefined) {
      this.problem = `the answer says ${unknown}; the state says ${brief(typeof own === 'string' ? own : renderJson(own))}`;
      return;
    }
    const missed = values.find(({ value }) => !words.includes(String(value).toLowerCase()));
    if (missed === undefined) return;
    // A short word for done says nothing, which is no lie about a change.
    if (this.draft.wrote && numbers.length === 0 && said.trim().length <= 200) return;
    this.problem = `the answer does not say ${brief(renderJson(missed.value))}, which the state has`;
  }
}

/** A member that an answer may not leave out: a value, not a time of now. */
function isSaid(value: Json, name: string): boolean {
  return !isRuntimeName(name) && (isTelling(value) || (Array.isArray(value) && value.length > 0));
}

function isTelling(value: Json): boolean {
  return (
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value.length >= 2)
  );
}

/** Items of one list may come in another order; they are told apart by their first id. */
function pairs(own: readonly Json[], said: readonly Json[]): readonly number[] {
  const idOf = (item: Json): string | undefined => {
    if (!isJsonObject(item)) return undefined;
    const name = Object.keys(item).find((key) => ID_NAME.test(key));
    return name === undefined ? undefined : canonicalJson(item[name] ?? null);
  };
  const places = new Map(said.map((item, index) => [idOf(item), index]));
  const used = own.map((item, index) => places.get(idOf(item) ?? '') ?? index);
  return new Set(used).size === own.length ? used : own.map((_, index) => index);
}

function onlyList(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isJsonObject(value)) return undefined;
  const lists = Object.values(value).filter((part) => Array.isArray(part));
  return lists.length === 1 ? (lists[0] as readonly Json[]) : undefined;
}

/** The scalar values in a value with the names of their members. */
export function leavesOf(value: Json, name = ''): readonly { readonly name: string; readonly value: Json }[] {
  if (Array.isArray(value)) return value.flatMap((item: Json) => leavesOf(item, name));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([key, part]) => leavesOf(part as Json, key));
  return value === null || typeof value === 'boolean' ? [] : [{ name, value }];
}

function place(path: string): string {
  return path === '' ? 'the answer' : path;
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
