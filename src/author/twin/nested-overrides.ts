/**
 * Writes what each tool of a service with nested rows does: making a whole with its parts, adding parts, changing, reading
 * and deleting one part or one whole.
 *
 * Parts are a collection of their own whose rows name their whole. What a tool does is taken from the inferred plan and
 * from its arguments; what it says when a row is missing from the recording, also of like tools. Refusals by state are in
 * `learn-refusals.ts`. Not covered: parts that move between wholes, batches of names.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { EntitySpec, OverrideSpec, Plan, ServiceModel } from '../../engines/index.js';
import type { Example } from './examples.js';
import { idSpec } from './learn-entities.js';
import { expressionOf, learnParts } from './learn-text.js';
import type { NestedNames } from './nested-names.js';
import type { NestedService } from './nested-service.js';
import { looksFailed } from './soft-failures.js';
import type { TwinCall, TwinSource } from './twin-source.js';

/** What was found out about nested rows, as a world file says it. */
export interface NestedSpec {
  readonly entities: Readonly<Record<string, EntitySpec>>;
  readonly overrides: Readonly<Record<string, OverrideSpec>>;
  readonly names: NestedNames;
}

type Tool = TwinSource['tools'][number];

/** The specification of a service with nested rows; `infer` gives the model with what is known of its rows. */
export function nestedSpec(
  source: TwinSource,
  nested: NestedService,
  infer: (entities: NestedSpec['entities']) => ServiceModel,
): NestedSpec {
  const names = namesOf(source, infer({}), nested);
  const model = infer(entitiesOf(nested, names, new Map()));
  const writer = new Writer(source, model, { nested, names });
  const overrides = source.tools.flatMap((tool): [string, OverrideSpec][] => {
    const override = writer.overrideOf(tool);
    return override === undefined ? [] : [[tool.name, override]];
  });
  const entities = entitiesOf(nested, names, writer.setFields);
  return { entities, overrides: Object.fromEntries(overrides), names };
}

function namesOf({ tools }: TwinSource, model: ServiceModel, nested: NestedService): NestedNames {
  const collectionOf = (argument: string, without: string): string | undefined =>
    tools
      .filter(
        ({ inputSchema }) => argumentsOf(inputSchema).has(argument) && !argumentsOf(inputSchema).has(without),
      )
      .map(({ name }) => model.plans[name])
      .find((plan) => Object.hasOwn(plan?.key ?? {}, argument))?.collection;
  const stem = (argument: string) => `${argument.replace(/[_-]?id$/i, '')}s`;
  const parts = collectionOf(nested.partArgument, '') ?? nested.list;
  const found = collectionOf(nested.wholeArgument, nested.partArgument);
  const wholes = found === undefined || found === parts ? stem(nested.wholeArgument) : found;
  return { wholes, parts, wholeKey: nested.wholeKey, partKey: nested.partKey, ref: nested.wholeArgument };
}

function argumentsOf(schema: Tool['inputSchema']): ReadonlySet<string> {
  const { properties } = schema as JsonObject;
  return new Set(isJsonObject(properties) ? Object.keys(properties) : []);
}

function entitiesOf(
  nested: NestedService,
  names: NestedNames,
  setFields: ReadonlyMap<string, Json>,
): Readonly<Record<string, EntitySpec>> {
  const made = [...nested.made.values()];
  const wholeId = idSpec([...new Set(made.map(({ whole }) => whole))]);
  const partId = idSpec(made.flatMap(({ parts }) => parts));
  const starting = (fields: ReadonlyMap<string, Json>) =>
    Object.fromEntries(
      [...fields].map(([name, value]) => {
        // A field that a tool turns on was off before, whatever was seen first.
        const isTurned = typeof value === 'boolean' && setFields.get(name) === value;
        return [name, { initial: (isTurned ? !value : value) as never }] as const;
      }),
    );
  return {
    [names.wholes]: {
      key: names.wholeKey,
      ...(wholeId !== undefined && { id: wholeId }),
      fields: starting(nested.wholeFields),
    },
    [names.parts]: {
      key: names.partKey,
      ...(partId !== undefined && { id: partId }),
      fields: starting(nested.partFields),
    },
  };
}

class Writer {
  /** What tools set fields to. */
  readonly setFields = new Map<string, Json>();
  private readonly alive: ReadonlyMap<TwinCall, Alive>;

  constructor(
    private readonly source: TwinSource,
    private readonly model: ServiceModel,
    private readonly of: { readonly nested: NestedService; readonly names: NestedNames },
  ) {
    this.alive = aliveAt(source, model, of.nested);
  }

  overrideOf(tool: Tool): OverrideSpec | undefined {
    const { nested } = this.of;
    const args = argumentsOf(tool.inputSchema);
    if (tool.name === nested.maker) return this.making(tool, args);
    const plan = this.model.plans[tool.name];
    if (args.has(nested.partArgument)) return this.onPart(tool, args, plan);
    if (!args.has(nested.wholeArgument)) {
      const isList = args.size === 0 && plan?.op === 'list' && plan.collection === this.of.names.wholes;
      return isList ? { op: 'list', collection: this.of.names.wholes } : undefined;
    }
    return args.has(nested.list) ? this.adding(tool) : this.onWhole(tool, plan);
  }

  private making(tool: Tool, args: ReadonlySet<string>): OverrideSpec {
    const { nested, names } = this.of;
    const set: Record<string, string> = { [nested.list]: '[]' };
    for (const name of args) {
      const fallback = name === nested.list ? undefined : this.defaultOf(tool.name, name);
      if (fallback !== undefined) set[name] = `get(args, ${JSON.stringify(name)}, ${fallback})`;
    }
    return {
      op: 'create',
      collection: names.wholes,
      set,
      also: [
        {
          op: 'create',
          collection: names.parts,
          each: `args[${JSON.stringify(nested.list)}]`,
          set: { ...this.itemFields('args.item'), [names.ref]: `row[${JSON.stringify(names.wholeKey)}]` },
        },
      ],
    };
  }

  /** What a field held that no argument gave: the value of another argument, else what was seen. */
  private defaultOf(tool: string, argument: string): string | undefined {
    const calls = this.source.sessions.flat();
    const without = calls.filter((one) => one.tool === tool && !Object.hasOwn(one.args, argument));
    for (const call of without) {
      const id = this.of.nested.made.get(call)?.whole;
      if (id === undefined) continue;
      const shown = calls.map(({ text }) => memberOf(text, argument)).find((value) => value !== undefined);
      if (shown === undefined) continue;
      const other = Object.entries(call.args).find(([, value]) => value === shown)?.[0];
      return other === undefined ? JSON.stringify(shown) : `args[${JSON.stringify(other)}]`;
    }
    return undefined;
  }

  private itemFields(item: string): Record<string, string> {
    const { nested } = this.of;
    const first = [...nested.made.keys()].flatMap(
      ({ args }) => (args[nested.list] ?? []) as readonly Json[],
    )[0];
    const names = isJsonObject(first) ? Object.keys(first) : [];
    return Object.fromEntries(names.map((name) => [name, `get(${item}, ${JSON.stringify(name)}, null)`]));
  }

  private adding(tool: Tool): OverrideSpec {
    const { nested, names } = this.of;
    const missing = this.words(tool.name, 'whole');
    return {
      op: 'create',
      collection: names.parts,
      batch: nested.list,
      set: { ...this.itemFields('args.item'), [names.ref]: `args[${JSON.stringify(nested.wholeArgument)}]` },
      ...(missing !== undefined && {
        require: [{ expr: this.wholeIsThere(), error: `{${missing}}`, cause: 'not-found' as const }],
      }),
    };
  }

  private onPart(tool: Tool, args: ReadonlySet<string>, plan: Plan | undefined): OverrideSpec {
    const { nested, names } = this.of;
    const hasWhole = args.has(nested.wholeArgument);
    const mine = `row[${JSON.stringify(names.partKey)}] == args[${JSON.stringify(nested.partArgument)}]`;
    const within = `row[${JSON.stringify(names.ref)}] == args[${JSON.stringify(nested.wholeArgument)}]`;
    const noWhole = hasWhole ? this.words(tool.name, 'whole') : undefined;
    const noPart = this.words(tool.name, 'part') ?? this.inOtherWords(noWhole);
    const either = noWhole === undefined ? noPart : `(${this.wholeIsThere()} ? ${noPart} : ${noWhole})`;
    const words = noPart === undefined || either === undefined ? undefined : `{${either}}`;
    return {
      op: plan?.op === 'delete' ? 'delete' : plan?.op === 'get' ? 'get' : 'update',
      collection: names.parts,
      key: { [nested.partArgument]: names.partKey },
      match: hasWhole ? `${mine} && ${within}` : mine,
      ...(words !== undefined && { notFound: words }),
      ...(plan?.op !== 'delete' && plan?.op !== 'get' && { set: this.changes(tool.name, args, plan) }),
    };
  }

  private changes(tool: string, args: ReadonlySet<string>, plan: Plan | undefined): Record<string, string> {
    const { nested } = this.of;
    const fields = new Set([...nested.partFields.keys(), ...Object.keys(this.itemFields('args.item'))]);
    const set: Record<string, string> = {};
    for (const name of args) {
      const old = `get(row, ${JSON.stringify(name)}, null)`;
      if (fields.has(name)) set[name] = `get(args, ${JSON.stringify(name)}, ${old})`;
    }
    const turned = [...nested.partFields].find(
      ([name, value]) => typeof value === 'boolean' && isMeant(name, tool),
    );
    const named = turned === undefined ? {} : { [turned[0]]: true };
    for (const [name, value] of Object.entries({ ...named, ...plan?.sets })) {
      if (!fields.has(name)) continue;
      set[name] = JSON.stringify(value);
      this.setFields.set(name, value);
    }
    return set;
  }

  private onWhole(tool: Tool, plan: Plan | undefined): OverrideSpec {
    const { nested, names } = this.of;
    const missing = this.words(tool.name, 'whole');
    const op = plan?.op === 'delete' || plan?.op === 'update' ? plan.op : 'get';
    const field =
      op === 'update' ? [...nested.wholeFields.keys()].find((name) => isMeant(name, tool.name)) : undefined;
    if (field !== undefined) this.setFields.set(field, true);
    const own = `row[${JSON.stringify(names.ref)}] == args[${JSON.stringify(nested.wholeArgument)}]`;
    return {
      op: op === 'update' && field === undefined ? 'get' : op,
      collection: names.wholes,
      key: { [nested.wholeArgument]: names.wholeKey },
      match: `row[${JSON.stringify(names.wholeKey)}] == args[${JSON.stringify(nested.wholeArgument)}]`,
      ...(missing !== undefined && { notFound: `{${missing}}` }),
      ...(field !== undefined && { set: { [field]: 'true' } }),
      ...(op === 'delete' && { also: [{ op: 'delete', collection: names.parts, match: own }] }),
    };
  }

  private wholeIsThere(): string {
    const { nested, names } = this.of;
    return `state.data[${JSON.stringify(names.wholes)}].exists(k, k[${JSON.stringify(names.wholeKey)}] == args[${JSON.stringify(nested.wholeArgument)}])`;
  }

  /** What a tool, or one that takes the same names, says where a whole or a part is missing; as an expression. */
  private words(tool: string, missing: 'whole' | 'part'): string | undefined {
    const examples = this.source.sessions.flat().flatMap((call): (Example<string> & { tool: string })[] => {
      const alive = this.alive.get(call);
      if (alive === undefined || !looksFailed(call) || missingIn(call, alive, this.of.nested) !== missing)
        return [];
      return [{ tool: call.tool, scope: { args: call.args }, wanted: call.text }];
    });
    const own = examples.filter((one) => one.tool === tool);
    const asked = [...this.argumentsFor(tool)].filter((name) => this.isName(name)).join();
    const like = examples.filter(
      (one) => [...this.argumentsFor(one.tool)].filter((name) => this.isName(name)).join() === asked,
    );
    const any = missing === 'whole' ? examples : [];
    const used = own.length > 0 ? own : (like.length > 0 ? like : any).slice(0, 1);
    const parts = used.length === 0 ? null : (learnParts(used) ?? learnParts(used.slice(0, 1)));
    return parts === null ? undefined : expressionOf(parts);
  }

  /** "Request not found" of a whole is "Task not found" of a part. */
  private inOtherWords(words: string | undefined): string | undefined {
    const { wholeArgument, partArgument } = this.of.nested;
    const nouns = [wholeArgument, partArgument].map((name) => name.replace(/[_-]?id$/i, '').toLowerCase());
    const [whole = '', part = ''] = nouns;
    if (words === undefined || whole === '' || part === '' || words.includes('args')) return undefined;
    const swapped = words.replace(new RegExp(`\\b${whole.replace(/\W/g, '\\$&')}\\b`, 'gi'), (word) =>
      word[0] === word[0]?.toLowerCase() ? part : part[0]?.toUpperCase() + part.slice(1),
    );
    return swapped === words ? undefined : swapped;
  }

  private isName(argument: string): boolean {
    return argument === this.of.nested.wholeArgument || argument === this.of.nested.partArgument;
  }

  private argumentsFor(tool: string): ReadonlySet<string> {
    const known = this.source.tools.find(({ name }) => name === tool);
    return known === undefined ? new Set() : argumentsOf(known.inputSchema);
  }
}

/** True if the name of a tool speaks of a yes or no: `approve_task` of approved, `mark_task_done` of done. */
function isMeant(field: string, tool: string): boolean {
  const words = tool
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const plain = field.toLowerCase();
  return words.some((word) => {
    if (word === plain) return true;
    const least = Math.max(5, Math.min(word.length, plain.length) - 2);
    return word.length >= least && plain.length >= least && word.slice(0, least) === plain.slice(0, least);
  });
}

/** Which ids there are when a call comes: whole by part, and all wholes. */
interface Alive {
  readonly wholes: ReadonlySet<Json>;
  readonly parts: ReadonlyMap<Json, Json>;
}

function aliveAt(
  source: TwinSource,
  model: ServiceModel,
  nested: NestedService,
): ReadonlyMap<TwinCall, Alive> {
  const all = new Map<TwinCall, Alive>();
  for (const calls of source.sessions) {
    const wholes = new Set<Json>();
    const parts = new Map<Json, Json>();
    for (const call of calls) {
      all.set(call, { wholes: new Set(wholes), parts: new Map(parts) });
      const made = nested.made.get(call);
      if (made !== undefined) {
        wholes.add(made.whole);
        for (const part of made.parts) parts.set(part, made.whole);
      }
      if (model.plans[call.tool]?.op !== 'delete' || looksFailed(call)) continue;
      const part = call.args[nested.partArgument];
      if (part !== undefined) parts.delete(part);
      else wholes.delete(call.args[nested.wholeArgument] ?? null);
    }
  }
  return all;
}

/** What a call names that is not there. */
function missingIn(call: TwinCall, alive: Alive, nested: NestedService): 'whole' | 'part' | undefined {
  const whole = call.args[nested.wholeArgument];
  const part = call.args[nested.partArgument];
  if (whole !== undefined && !alive.wholes.has(whole)) return 'whole';
  if (part === undefined) return undefined;
  const holder = alive.parts.get(part);
  return holder === undefined || (whole !== undefined && holder !== whole) ? 'part' : undefined;
}

function memberOf(text: string, name: string): string | undefined {
  const found = new RegExp(`"${name.replace(/\W/g, '\\$&')}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(
    text,
  )?.[1];
  if (found === undefined) return undefined;
  try {
    return JSON.parse(`"${found}"`) as string;
  } catch {
    return undefined;
  }
}
