/**
 * Follows a world's solution and deals with what goes wrong as a policy says.
 *
 * The policies of good characters wait as long as they are told, look before they write again what may have been
 * written, read lists to their end, try failed items again, and say what they could not do.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import { parseToolAction } from '../../domains/index.js';
import { inferService, type Plan, type ServiceModel } from '../../engines/index.js';
import type { VerdictId } from '../../stress/index.js';
import type { World } from '../../worlds/index.js';
import type { CharacterSession, SeenResult } from './character.js';

/** A failing call, as a policy sees it. */
export interface Trouble {
  readonly name: string;
  readonly args: JsonObject;
  readonly text: string;
  /** How often this call has failed, from 1. */
  readonly attempt: number;
  readonly retryAfterMs: number | null;
  /** It may pass by itself. */
  readonly passing: boolean;
  readonly writes: boolean;
}

/** What a policy knows at the end. */
export interface Wrapup {
  /** The solution's own answer. */
  readonly answer: string | null;
  /** Names of what was not done: targets of calls and items. */
  readonly notDone: readonly string[];
  readonly sawTrouble: boolean;
  readonly tool: string | null;
}

/** How to deal with what goes wrong. Everything has a good default. */
export interface Policy {
  /** How to try again, or null to leave it. */
  again?(
    trouble: Trouble,
    deeds: Set<VerdictId>,
  ): { readonly waitMs: number; readonly args?: JsonObject } | null;
  /** Looks whether a write whose answer was lost has happened, before trying again. */
  readonly looksFirst?: boolean;
  readonly readsAllPages?: boolean;
  readonly retriesItems?: boolean;
  /** After a call that was left: stop everything. */
  readonly stops?: boolean;
  /** Acts only on rows whose key it has seen. */
  readonly actsOnSeen?: boolean;
  /** Called with every good answer, for what a character does besides. */
  besides?(result: SeenResult, own: Follower): Promise<void>;
  /** Called once, before the first step. */
  begin?(own: Follower): Promise<void>;
  /** Called when a call fails, before it is tried again. */
  onTrouble?(trouble: Trouble, own: Follower): Promise<void>;
  answer(wrapup: Wrapup, own: Follower): string | null;
}

const PASSING =
  /timed? ?out|\b(408|425|429|5\d\d)\b|temporar|unavailable|reset|try again|busy|rate.?limit|too many/i;
const UNSURE = /timed? ?out|reset|\b5\d\d\b|temporar|unavailable|closed/i;
const TRIES = 5;

/** One run of one character. */
export class Follower {
  readonly notDone: string[] = [];
  readonly service: ServiceModel;
  readonly world: World;
  /** Every good answer so far. */
  readonly seen: string[] = [];
  private sawTrouble = false;
  private lastFailing: string | null = null;
  private stopped = false;
  /** Tools that were left after many tries: they get one more, not many. */
  private readonly hopeless = new Set<string>();
  /** A list went on and was left. */
  leftPages = false;

  constructor(
    readonly session: CharacterSession,
    private readonly policy: Policy,
    /** The wrong things it really does, when they are done. */
    readonly deeds: Set<VerdictId>,
  ) {
    this.world = session.world;
    this.service = inferService(
      session.world.spec ?? { tools: [], data: {}, entities: {}, overrides: {}, strict: false },
    );
  }

  /** Lives the whole episode. */
  async run(): Promise<string | null> {
    let answer: string | null = null;
    await this.policy.begin?.(this);
    for (const action of this.world.oracle) {
      const parsed = parseToolAction(action);
      if (parsed.kind === 'finish') answer = parsed.answer;
      if (parsed.kind === 'tool-call' && !this.stopped) await this.step(parsed.name, parsed.arguments);
    }
    const wrapup = { answer, notDone: this.notDone, sawTrouble: this.sawTrouble, tool: this.lastFailing };
    return this.policy.answer(wrapup, this);
  }

  /** The plan of a tool, as the engine infers it. */
  plan(name: string): Plan | undefined {
    return this.service.plans[name];
  }

  /** True for tools that change something. */
  writes(name: string): boolean {
    const plan = this.plan(name);
    const op = plan?.override?.op ?? plan?.op ?? 'unknown';
    return ['create', 'update', 'upsert', 'delete', 'append', 'remove', 'override'].includes(op);
  }

  /** One step of the solution, tried as the policy says. */
  private async step(name: string, args: JsonObject): Promise<void> {
    if (this.policy.actsOnSeen === true && this.writes(name) && !this.hasSeenTarget(name, args)) {
      // It does not know of what it has not seen.
      if (this.leftPages) this.deeds.add('pages-unread');
      return;
    }
    const at = this.plan(name)?.paging?.at;
    if (this.policy.readsAllPages === false && at !== undefined && args[at] !== undefined) return;
    const result = await this.insist(name, args);
    if (result === null) return;
    this.seen.push(result.text);
    await this.policy.besides?.(result, this);
    if (this.plan(name)?.override?.batch !== undefined || this.plan(name)?.batch !== undefined)
      await this.items(name, args, result);
    if (this.policy.readsAllPages !== false) await this.pages(name, args, result);
    else if (this.plan(name) !== undefined && /"(has_?more|next_?cursor)": ("|true)/i.test(result.text))
      this.leftPages = true;
  }

  private hasSeenTarget(name: string, args: JsonObject): boolean {
    const keys = Object.keys(this.plan(name)?.key ?? this.plan(name)?.override?.key ?? {});
    const text = this.seen.join('\n');
    const named = keys.length > 0 ? keys : Object.keys(args).filter((one) => /(^|_)id$/.test(one));
    return named.every((key) => text.includes(String(args[key])));
  }

  /** Calls until it goes well or the policy leaves it; null where it was left. */
  async insist(name: string, first: JsonObject): Promise<SeenResult | null> {
    let args = first;
    const writes = this.writes(name);
    for (let attempt = 1; ; attempt++) {
      const result = await this.session.call(name, args);
      if (!result.isError) return result;
      this.sawTrouble = true;
      this.lastFailing = name;
      if (attempt > 1 && writes && /already|duplicate|conflict/i.test(result.text)) return result;
      const trouble: Trouble = {
        name,
        args,
        text: result.text,
        attempt: this.hopeless.has(name) ? attempt + TRIES - 1 : attempt,
        retryAfterMs: retryAfter(result.text),
        passing: PASSING.test(result.text),
        writes,
      };
      await this.policy.onTrouble?.(trouble, this);
      if (this.policy.looksFirst !== false && writes && UNSURE.test(result.text)) {
        const happened = await this.happened(name, args);
        if (happened === true) return { text: 'it had happened', isError: false };
        if (happened === null) return this.leave(name, args);
      }
      const again = (this.policy.again ?? patiently)(trouble, this.deeds);
      if (again === null) return this.leave(name, args);
      if (again.waitMs > 0) await this.session.wait(again.waitMs);
      args = again.args ?? args;
    }
  }

  private leave(name: string, args: JsonObject): null {
    this.hopeless.add(name);
    if (this.policy.stops === true) this.stopped = true;
    // A failed look does not matter to one who knows the solution, where there is something to do.
    const acts = this.world.oracle.some((action) => this.writes(toolOf(action)));
    if (!this.writes(name) && acts && this.policy.stops !== true && this.policy.actsOnSeen !== true)
      return null;
    const keys = Object.keys(this.plan(name)?.key ?? this.plan(name)?.override?.key ?? {});
    const value = args[keys[0] ?? Object.keys(args)[0] ?? ''];
    this.notDone.push(typeof value === 'string' || typeof value === 'number' ? `${name} ${value}` : name);
    return null;
  }

  /**
   * Looks for a row with everything that the call writes. An idempotency key makes looking needless. Null where there is
   * nothing to look with.
   */
  private async happened(name: string, args: JsonObject): Promise<boolean | null> {
    const plan = this.plan(name);
    if (plan?.idempotencyKey !== undefined && args[plan.idempotencyKey] !== undefined) return false;
    const op = plan?.override?.op ?? plan?.op;
    const wanted = Object.entries(args).filter(([, value]) => typeof value !== 'object');
    if (op === 'delete' || wanted.length === 0) return false;
    const reader = this.readerOf(plan, args);
    if (reader === null) return op === 'create' || op === 'append' ? null : false;
    const rows: JsonObject[] = [];
    await this.everyRow(reader, rows);
    return rows.some((row) => {
      const values = Object.values(row).map(String);
      return wanted.every(([, value]) => values.includes(String(value)));
    });
  }

  /** A list of the rows that a call writes, with the arguments it needs taken from the call. */
  private readerOf(plan: Plan | undefined, args: JsonObject): Reader | null {
    const collection = plan?.collection ?? plan?.override?.collection;
    for (const one of Object.values(this.service.plans)) {
      if ((one.collection ?? one.override?.collection) !== collection) continue;
      if ((one.override?.op ?? one.op) !== 'list') continue;
      const required = this.world.spec?.tools.find((tool) => tool.name === one.tool)?.inputSchema.required;
      const names = (Array.isArray(required) ? required : []).map(String);
      if (names.every((given) => args[given] !== undefined)) {
        return { plan: one, args: Object.fromEntries(names.map((given) => [given, args[given] ?? null])) };
      }
    }
    return null;
  }

  private async everyRow(reader: Reader, rows: JsonObject[]): Promise<void> {
    let { args } = reader;
    for (let pages = 0; pages < 12; pages++) {
      const result = await this.session.call(reader.plan.tool, args);
      if (result.isError) return;
      this.seen.push(result.text);
      const parsed = parseJson(result.text);
      if (parsed.ok) rows.push(...rowsIn(parsed.value));
      const next = nextPage(result.text, args, reader.plan);
      if (next === null) return;
      args = next;
    }
  }

  /** Tries failed items once more, then names them. */
  private async items(name: string, args: JsonObject, result: SeenResult): Promise<void> {
    const argument = this.plan(name)?.override?.batch ?? this.plan(name)?.batch?.argument ?? '';
    let list = Array.isArray(args[argument]) ? (args[argument] as readonly Json[]) : [];
    let failed = failedItems(result.text, list);
    for (let tries = 0; failed.length > 0 && this.policy.retriesItems !== false && tries < 2; tries++) {
      list = failed;
      const again = await this.insist(name, { ...args, [argument]: failed });
      if (again === null) break;
      failed = failedItems(again.text, list);
    }
    for (const item of failed) {
      this.sawTrouble = true;
      const named = isJsonObject(item) ? Object.values(item)[0] : item;
      this.notDone.push(String(named));
    }
  }

  private async pages(name: string, args: JsonObject, result: SeenResult): Promise<void> {
    const plan = this.plan(name);
    const given = this.world.oracle.filter((action) => action.includes(`"${name}"`)).length;
    // Where the solution itself asks for the next pages, it is not done twice.
    if (plan === undefined || (given > 1 && plan.paging?.style === 'page')) return;
    let next = nextPage(result.text, args, plan);
    for (let pages = 0; next !== null && pages < 12; pages++) {
      const more = await this.insist(name, next);
      if (more === null) return;
      this.seen.push(more.text);
      await this.policy.besides?.(more, this);
      next = nextPage(more.text, next, plan);
    }
  }
}

interface Reader {
  readonly plan: Plan;
  readonly args: JsonObject;
}

/** The tool that an action text calls, or the empty text. */
export function toolOf(action: string): string {
  const parsed = parseToolAction(action);
  return parsed.kind === 'tool-call' ? parsed.name : '';
}

/** Waits as told, or a little longer each time; leaves what lasts. */
export function patiently(trouble: Trouble): { readonly waitMs: number; readonly args?: JsonObject } | null {
  if (!trouble.passing || trouble.attempt >= TRIES) return null;
  // What may have been written and cannot be looked up is not written again without a key.
  return { waitMs: trouble.retryAfterMs ?? 1_000 * 2 ** trouble.attempt };
}

function retryAfter(text: string): number | null {
  const found = /retry[-_ ]after["']?\s*[:=]?\s*(\d+(?:\.\d+)?)/i.exec(text)?.[1];
  return found === undefined ? null : Number(found) * 1000;
}

function nextPage(text: string, args: JsonObject, plan: Plan): JsonObject | null {
  const parsed = parseJson(text);
  const at = plan.paging?.at;
  if (!parsed.ok || !isJsonObject(parsed.value) || at === undefined) return null;
  const value = parsed.value;
  const cursor = value.next_cursor ?? value.nextCursor;
  if (plan.paging?.style === 'cursor') return typeof cursor === 'string' ? { ...args, [at]: cursor } : null;
  const more = value.has_more ?? value.hasMore;
  if (more !== true) return null;
  const offset = value.next_offset ?? value.nextOffset;
  if (typeof offset === 'number') return { ...args, [at]: offset };
  return { ...args, [at]: Number(args[at] ?? 1) + 1 };
}

function rowsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return (value as readonly Json[]).filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  return Object.values(value).flatMap((member) =>
    Array.isArray(member) ? (member as readonly Json[]).filter(isJsonObject) : [],
  );
}

function failedItems(text: string, list: readonly Json[]): readonly Json[] {
  const parsed = parseJson(text);
  if (!parsed.ok) return [];
  const results = rowsIn(parsed.value);
  if (results.length !== list.length) return [];
  return list.filter((_item, index) => {
    const result = results[index];
    return result !== undefined && result.error !== undefined;
  });
}
