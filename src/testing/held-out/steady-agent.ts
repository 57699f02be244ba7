/**
 * Follows a world's solution in another way than the other characters do: it looks before and after it writes, compares
 * what it saw, and never repeats a write of which it cannot tell whether it happened.
 *
 * Shares no code with the rules that are measured, with the recovering oracle or with `follower.ts`, so that a mistake
 * they have in common shows. A manner changes what it does; what a manner does wrong it says itself (`deeds`).
 */
import { canonicalJson, isJsonObject, type Json, type JsonObject, parseJson } from '../../core/index.js';
import { parseToolAction } from '../../domains/index.js';
import { inferService, type Plan, type ServiceModel } from '../../engines/index.js';
import type { VerdictId } from '../../stress/index.js';
import type { CharacterSession, SeenResult } from '../characters/character.js';

/** A failing call as a manner sees it. */
export interface Failing {
  readonly name: string;
  readonly args: JsonObject;
  readonly text: string;
  /** From 1. */
  readonly attempt: number;
  readonly retryAfterMs: number | null;
  /** The error says, or its status says, that it may pass. */
  readonly mayPass: boolean;
  readonly writes: boolean;
}

/** How it goes on after a failure. */
export interface Next {
  readonly waitMs: number;
  readonly args?: JsonObject;
  /** Calls again without looking whether it happened. */
  readonly anyway?: boolean;
}

/** What it knows at the end. */
export interface Ending {
  /** The answer of the solution, or null. */
  readonly answer: string | null;
  /** What was left, each as `tool target`. */
  readonly left: readonly string[];
  readonly own: SteadyAgent;
}

/** What makes a character of it. What is left out is done well. */
export interface Manner {
  /** Null leaves the call. */
  next?(failing: Failing, deeds: Set<VerdictId>): Next | null;
  /** Before the first step. */
  first?(own: SteadyAgent): Promise<void>;
  /** After every answer without error. */
  after?(name: string, result: SeenResult, own: SteadyAgent): Promise<void>;
  /** Arguments as it would send them. */
  shape?(name: string, args: JsonObject, own: SteadyAgent): JsonObject;
  /** Reads one page of each list only. */
  readonly onePage?: boolean;
  /** Takes failed items of a batch as they are. */
  readonly oneBatch?: boolean;
  /** Checks each write by reading. Default true. */
  readonly checks?: boolean;
  /** After a call that was left: goes on with the next one. */
  readonly goesOn?: boolean;
  tell(ending: Ending): string | null;
}

const TRIES = 6;
const PAGES = 25;

/** One run. */
export class SteadyAgent {
  readonly left: string[] = [];
  readonly service: ServiceModel;
  /** All answers without error, as texts. */
  readonly saw: string[] = [];
  /** A list said that it goes on, and was not read on. */
  skipped = false;
  /** Tools that showed nothing when it looked. */
  private readonly shut = new Set<string>();
  /** A call was left, and nothing was done after it. */
  ended = false;

  constructor(
    readonly session: CharacterSession,
    private readonly manner: Manner,
    /** The wrong things it really does. */
    readonly deeds: Set<VerdictId>,
  ) {
    const none = { tools: [], data: {}, entities: {}, overrides: {}, strict: false };
    this.service = inferService(session.world.spec ?? none);
  }

  /** Lives the whole episode; gives the final answer. */
  async run(): Promise<string | null> {
    let answer: string | null = null;
    await this.manner.first?.(this);
    for (const action of this.session.world.oracle) {
      const step = parseToolAction(action);
      if (step.kind === 'finish') answer = step.answer;
      else if (step.kind === 'tool-call' && !this.ended) await this.step(step.name, step.arguments);
    }
    return this.manner.tell({ answer, left: this.left, own: this });
  }

  /** The plan of a tool. */
  plan(name: string): Plan | undefined {
    return this.service.plans[name];
  }

  /** What a tool does, as the engine says. */
  operation(name: string): string {
    const plan = this.plan(name);
    return plan?.override?.op ?? plan?.op ?? 'unknown';
  }

  /** It changes something. */
  writes(name: string): boolean {
    return /^(create|update|upsert|delete|append|remove|override|toggle)$/.test(this.operation(name));
  }

  private async step(name: string, args: JsonObject): Promise<void> {
    const sent = this.manner.shape?.(name, args, this) ?? args;
    if (!this.writes(name)) {
      const result = await this.ask(name, sent);
      if (result === null) return this.giveUp(name, sent);
      await this.readOn(name, sent, result);
      return;
    }
    const done = await this.write(name, sent);
    if (!done) this.giveUp(name, sent);
  }

  private giveUp(name: string, args: JsonObject): void {
    const target = Object.values(args).find(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    this.left.push(target === undefined ? name : `${name} ${String(target).slice(0, 60)}`);
    this.ended = this.manner.goesOn !== true;
  }

  /** A read, tried again while that can help; null where there is no answer that can be read. */
  async ask(name: string, args: JsonObject): Promise<SeenResult | null> {
    for (let attempt = 1; ; attempt++) {
      const result = await this.call(name, args);
      if (!result.isError && !isGarbled(result.text)) {
        this.saw.push(result.text);
        await this.manner.after?.(name, result, this);
        return result;
      }
      const next = this.decide({ name, args, result, attempt, writes: false });
      if (next === null) return null;
      await this.session.wait(next.waitMs);
    }
  }

  private decide(of: {
    readonly name: string;
    readonly args: JsonObject;
    readonly result: SeenResult;
    readonly attempt: number;
    readonly writes: boolean;
  }): Next | null {
    const { text, isError } = of.result;
    const failing: Failing = {
      name: of.name,
      args: of.args,
      text,
      attempt: of.attempt,
      retryAfterMs: secondsIn(text) === null ? null : (secondsIn(text) ?? 0) * 1000,
      mayPass: !isError || canPass(text),
      writes: of.writes,
    };
    return (this.manner.next ?? calmly)(failing, this.deeds);
  }

  private async write(name: string, args: JsonObject): Promise<boolean> {
    const before = this.manner.checks === false ? null : await this.look(name, args);
    let unsure = false;
    let sent = args;
    for (let attempt = 1; ; attempt++) {
      const result = await this.call(name, sent);
      if (!result.isError && !isGarbled(result.text)) {
        this.saw.push(result.text);
        await this.manner.after?.(name, result, this);
        if (attempt < 3 && (await this.isUnchanged(name, sent, before))) continue;
        return this.settle(name, sent, result);
      }
      if (unsure && /already|exists|duplicate/i.test(result.text)) return true;
      if (unsure && this.operation(name) === 'delete' && /not found|no such/i.test(result.text)) return true;
      const next = this.decide({ name, args: sent, result, attempt, writes: true });
      if (next === null) return false;
      await this.session.wait(next.waitMs);
      sent = next.args ?? sent;
      const lost = !result.isError || mayHaveHappened(result.text);
      unsure ||= lost;
      if (!lost || next.anyway === true || hasKey(sent)) continue;
      const now = await this.look(name, sent);
      // Not known whether it happened: it is not done twice, unless twice is the same as once.
      if (before === null || now === null) {
        if (
          this.operation(name) === 'delete' ||
          (this.operation(name) === 'update' && isPlain(this.plan(name)))
        )
          continue;
        return false;
      }
      if (now !== before) return true;
    }
  }

  /** A confirmed write of which two looks show nothing. */
  private async isUnchanged(name: string, args: JsonObject, before: string | null): Promise<boolean> {
    if (before === null || hasKey(args)) return false;
    if ((await this.look(name, args)) !== before) return false;
    await this.session.wait(5_000);
    const again = await this.look(name, args);
    // Writing what is there already changes nothing.
    const values = Object.values(args).filter(
      (value) => typeof value === 'string' || typeof value === 'number',
    );
    return again === before && !values.every((value) => again.includes(String(value)));
  }

  /** Calls a tool by the name and with the arguments that it has now. */
  private async call(name: string, args: JsonObject): Promise<SeenResult> {
    const old = this.session.world.spec?.tools.find((tool) => tool.name === name);
    const known = new Set((this.session.world.spec?.tools ?? []).map((tool) => tool.name));
    const now = this.session.tools().filter((tool) => tool.name === name || !known.has(tool.name));
    const tool =
      now.find((one) => one.name === name) ??
      now.find((one) => one.description !== undefined && one.description === old?.description) ??
      now.find((one) => canonicalJson(one.inputSchema) === canonicalJson(old?.inputSchema ?? null));
    if (tool === undefined) return this.session.call(name, args);
    return this.session.call(tool.name, fitted(args, old?.inputSchema ?? {}, tool.inputSchema));
  }

  /** What the service shows of the place that a call writes to, as one text; null where it shows nothing. */
  private async look(name: string, args: JsonObject): Promise<string | null> {
    const place = this.plan(name)?.override?.collection ?? this.plan(name)?.collection;
    const views: string[] = [];
    const plans = Object.values(this.service.plans);
    const closest = [...plans].sort(
      (a, b) => Number(this.operation(b.tool) === 'get') - Number(this.operation(a.tool) === 'get'),
    );
    for (const plan of closest) {
      const op = plan.override?.op ?? plan.op;
      if ((plan.override?.collection ?? plan.collection) !== place || !/^(list|search|get)$/.test(op))
        continue;
      const schema = this.session.world.spec?.tools.find((tool) => tool.name === plan.tool)?.inputSchema;
      const needed = (Array.isArray(schema?.required) ? schema.required : []).map(String);
      if (!needed.every((one) => args[one] !== undefined)) continue;
      const asked = Object.fromEntries(needed.map((one) => [one, args[one] ?? null]));
      // Who could not look once does not knock at that door before and after every write.
      if (this.shut.has(plan.tool)) return null;
      const seen = await this.everything(plan.tool, asked);
      if (seen === null) {
        this.shut.add(plan.tool);
        return null;
      }
      views.push(seen);
      break;
    }
    return views.length === 0 ? null : views.join('\n');
  }

  private async everything(name: string, first: JsonObject): Promise<string | null> {
    const texts: string[] = [];
    let failures = 0;
    let args: JsonObject | null = first;
    for (let page = 0; args !== null && page < PAGES; page++) {
      const result: SeenResult = await this.call(name, args);
      if (result.isError && /not found|no such|does not exist/i.test(result.text)) return 'absent';
      if (result.isError || isGarbled(result.text)) {
        const again = secondsIn(result.text) ?? 4;
        if (!canPass(result.text) || failures++ > 0) return null;
        page--;
        await this.session.wait(again * 1000);
        continue;
      }
      this.saw.push(result.text);
      texts.push(result.text);
      failures = 0;
      args = onward(result.text, args);
    }
    return texts.join('\n');
  }

  /** Repeats the failed items of a batch twice; false where some are left. */
  private async settle(name: string, args: JsonObject, result: SeenResult): Promise<boolean> {
    const argument = this.plan(name)?.override?.batch ?? this.plan(name)?.batch?.argument;
    if (argument === undefined) return true;
    let items = Array.isArray(args[argument]) ? (args[argument] as readonly Json[]) : [];
    let failed = failing(result.text, items);
    for (let round = 0; failed.length > 0 && round < 2 && this.manner.oneBatch !== true; round++) {
      await this.session.wait(3_000);
      const again = await this.call(name, { ...args, [argument]: failed });
      if (again.isError) break;
      items = failed;
      failed = failing(again.text, items);
    }
    for (const item of failed) {
      const named = isJsonObject(item) ? Object.values(item)[0] : item;
      this.left.push(String(named));
    }
    return true;
  }

  private async readOn(name: string, args: JsonObject, result: SeenResult): Promise<void> {
    let next = onward(result.text, args);
    if (next !== null && this.manner.onePage === true) {
      this.skipped = true;
      return;
    }
    let restarts = 0;
    for (let page = 0; next !== null && page < PAGES; page++) {
      const more: SeenResult | null = await this.ask(name, next);
      if (more !== null) {
        next = onward(more.text, next);
        continue;
      }
      // A list that cannot be read on is read again from its beginning.
      const again = restarts++ < 2 ? await this.ask(name, args) : null;
      if (again === null) return this.giveUp(name, args);
      next = onward(again.text, args);
    }
  }
}

/** As long as it is told, else longer each time; leaves what lasts. */
export function calmly(failing: Failing): Next | null {
  if (!failing.mayPass || failing.attempt >= TRIES) return null;
  return { waitMs: Math.max(failing.retryAfterMs ?? 0, 1_500 * 2 ** failing.attempt) };
}

/** Arguments under the names that a schema has now: the n-th unknown name takes the n-th new one. */
function fitted(args: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const [old, now] = [before, after].map((schema) =>
    isJsonObject(schema.properties) ? schema.properties : {},
  ) as [JsonObject, JsonObject];
  const fresh = Object.keys(now).filter((name) => old[name] === undefined);
  const result: Record<string, Json> = {};
  for (const [name, value] of Object.entries(args)) {
    const alike = fresh.find((one) => canonicalJson(now[one] ?? null) === canonicalJson(old[name] ?? null));
    result[now[name] === undefined ? (alike ?? fresh[0] ?? name) : name] = value;
  }
  for (const name of Array.isArray(after.required) ? after.required.map(String) : []) {
    const schema = now[name];
    if (result[name] !== undefined || !isJsonObject(schema)) continue;
    const choice = schema.default ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
    if (choice !== undefined) result[name] = choice;
  }
  return result;
}

function canPass(text: string): boolean {
  const status = /\b([45]\d\d)\b/.exec(text.slice(0, 200))?.[1];
  if (/cursor.{0,60}expired|expired.{0,60}cursor/i.test(text)) return true;
  if (status !== undefined) return /^(408|425|429|500|502|503|504|507)$/.test(status);
  return /time|temporar|unavailable|reset|again|busy|limit|expired/i.test(text);
}

function mayHaveHappened(text: string): boolean {
  return !/\b(4\d\d|503)\b/.test(text.slice(0, 200)) || /\b408\b/.test(text.slice(0, 200));
}

function isGarbled(text: string): boolean {
  const plain = text.trim();
  if (plain === '' || plain.includes('�')) return true;
  return /^[[{]/.test(plain) && !parseJson(plain).ok && !/[\]}]\s*\n/.test(plain);
}

function secondsIn(text: string): number | null {
  const found = /retry.?after\W{0,4}(\d{1,6})/i.exec(text)?.[1] ?? /again in (\d{1,6}) ?s/i.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

function hasKey(args: JsonObject): boolean {
  return Object.keys(args).some((name) => /idempot/i.test(name));
}

/** A change that sets values, so that doing it again changes nothing more. */
function isPlain(plan: Plan | undefined): boolean {
  const text = canonicalJson(Object.values(plan?.override?.set ?? {}).map(String));
  return !text.includes('row.');
}

function onward(text: string, args: JsonObject): JsonObject | null {
  const read = parseJson(text);
  if (!read.ok || !isJsonObject(read.value)) return null;
  const cursor = read.value.next_cursor ?? read.value.nextCursor;
  if (typeof cursor === 'string' && cursor !== '') return { ...args, cursor };
  const more = read.value.has_more ?? read.value.hasMore;
  return more === true ? { ...args, page: Number(args.page ?? 1) + 1 } : null;
}

function failing(text: string, items: readonly Json[]): readonly Json[] {
  const read = parseJson(text);
  if (!read.ok) return [];
  const lists = Array.isArray(read.value)
    ? [read.value]
    : isJsonObject(read.value)
      ? Object.values(read.value).filter(Array.isArray)
      : [];
  const list = lists.find((one) => one.length === items.length) as readonly Json[] | undefined;
  if (list === undefined) return [];
  return items.filter((_item, index) => {
    const result = list[index];
    return isJsonObject(result) && (result.error !== undefined || result.ok === false);
  });
}
