/**
 * Checks names of a world file against each other: ids that must be unique, tools and collections that must exist,
 * faults that must make sense, actions that the domain must be able to read.
 */
import { compileSchedule, type FaultSpec, FaultSpecSchema } from '../control/index.js';
import { canonicalJson, type Domain, isJsonObject, type Json, renderJson } from '../core/index.js';
import { domainFormat, type ToolDefinition, ToolDefinitionSchema } from '../domains/index.js';
import { inferService } from '../engines/index.js';
import type { CheckContext } from './check-context.js';
import type { PathPart } from './world-problem.js';
import { wrongActionLists } from './wrong-scripts.js';

const NAMED = [['overrides'], ['entities'], ['state', 'data'], ['state', 'generate'], ['state', 'services']];

/**
 * Runs the checks. `domain` is null where the file's own is not known; then actions are not read. `takenIn` is false
 * where the list of tools could not be taken in; then nothing is said about names of tools.
 */
export function checkNames(context: CheckContext, domain: Domain | null, takenIn: boolean): void {
  for (const [path, key] of [
    [['success'], 'id'],
    [['facts'], 'id'],
    [['wrong'], 'id'],
    [['tools'], 'name'],
  ] as const) {
    checkUnique(context, path, key);
  }
  checkFaults(context, domain ?? undefined);
  for (const map of NAMED) {
    for (const { name, path } of context.members(map)) {
      // such a key does not survive the schema library's copies; refusing it is better than losing it
      if (name === '__proto__') context.error(path, 'this name cannot be used', { atKey: true });
    }
  }
  const tools = takenIn ? toolNames(context) : null;
  if (domain === 'mcp') {
    if (context.at(['tools']) === undefined) {
      context.error([], 'key `tools` is missing; a world of domain mcp has a list of tools', {
        wanted: 'tools',
      });
    }
    // names cannot be judged where the list itself is wrong or could not be taken in; that has been said
    if (tools !== null) checkTools(context, tools);
    for (const data of context.members(['state', 'data'])) checkKeys(context, data);
    for (const { path } of context.items(['success'])) {
      const run = [...path, 'run'];
      if (context.text(run) === undefined) continue;
      context.error(run, 'domain mcp has no shell to run commands in; write an `expr`', {
        wanted: 'expr',
        atKey: true,
      });
    }
  }
  if (domain !== null) checkScripts(context, domain, tools);
}

/** The names of the tools, or null where they are not known: no list, or one that could not be taken in. */
function toolNames(context: CheckContext): string[] | null {
  const tools = context.at(['tools']);
  if (tools !== undefined && !Array.isArray(tools)) return null;
  return context.items(['tools']).flatMap((tool) => context.text([...tool.path, 'name']) ?? []);
}

function checkUnique(context: CheckContext, list: readonly PathPart[], key: string): void {
  const first = new Map<string, number>();
  for (const [index, item] of context.items(list).entries()) {
    const path = [...item.path, key];
    const id = context.text(path);
    if (id === undefined) continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else context.error(path, `${key} ${JSON.stringify(id)} is already used by ${list.join('.')}[${earlier}]`);
  }
}

function checkTools(context: CheckContext, tools: readonly string[]): void {
  const collections = new Collections(context);
  for (const override of context.members(['overrides'])) {
    if (!tools.includes(override.name)) {
      context.unknownName(override.path, override.name, { noun: 'tool', known: tools, atKey: true });
    }
    checkArguments(context, override);
    collection(context, [...override.path, 'collection'], collections);
    for (const effect of context.items([...override.path, 'also'])) {
      collection(context, [...effect.path, 'collection'], collections);
    }
  }
  for (const tool of context.members(['files', 'tools'])) {
    if (!tools.includes(tool.name)) {
      context.unknownName(tool.path, tool.name, { noun: 'tool', known: tools, atKey: true });
    }
  }
  for (const shape of context.members(['shapes'])) {
    if (!tools.includes(shape.name)) {
      context.unknownName(shape.path, shape.name, { noun: 'tool', known: tools, atKey: true });
    }
  }
  for (const entity of context.members(['entities'])) {
    for (const field of context.members([...entity.path, 'fields'])) {
      collection(context, [...field.path, 'refersTo'], collections);
    }
  }
  for (const list of [['effects'], ['logins'], ['state', 'permissions']]) {
    for (const item of context.items(list)) {
      collection(context, [...item.path, 'collection'], collections);
      for (const effect of context.items([...item.path, 'do'])) {
        collection(context, [...effect.path, 'collection'], collections);
      }
    }
  }
  for (const count of context.members(['state', 'generate'])) {
    if (collections.has(count.name)) continue;
    context.unknownName(count.path, count.name, {
      noun: 'collection',
      known: collections.all(),
      atKey: true,
    });
  }
}

/** Arguments that an override names are arguments of its tool, where the tool's schema lists them. */
function checkArguments(
  context: CheckContext,
  override: { readonly name: string; readonly path: readonly PathPart[] },
): void {
  const tool = context.items(['tools']).find(({ path }) => context.text([...path, 'name']) === override.name);
  const properties = tool === undefined ? undefined : context.at([...tool.path, 'inputSchema', 'properties']);
  if (!isJsonObject(properties)) return;
  const known = Object.keys(properties);
  for (const { name, path } of context.members([...override.path, 'key'])) {
    if (name === context.text([...override.path, 'batch'])) {
      // the items are called `item`; the list itself is no key of any row
      context.error(path, `is the whole list of the batch; one item of it is called \`item\``, {
        seen: JSON.stringify(name),
        wanted: 'item, or a member of the items',
        nearest: 'item',
        atKey: true,
      });
      continue;
    }
    // what the rules call `item` is an item of the batch, whose own fields are not looked at here
    if (known.includes(name) || context.at([...override.path, 'batch']) !== undefined) continue;
    context.unknownName(path, name, { noun: 'argument', known, atKey: true });
  }
  const batch = [...override.path, 'batch'];
  const list = context.text(batch);
  if (list !== undefined && !known.includes(list)) {
    context.unknownName(batch, list, { noun: 'argument', known });
  }
}

/** Rows of a collection whose entity names its key have that key, each another; a scope makes this the engine's. */
function checkKeys(
  context: CheckContext,
  data: { readonly name: string; readonly path: readonly PathPart[] },
): void {
  const entity = context.at(['entities', data.name]);
  const given = isJsonObject(entity) && entity.scope === undefined ? entity.key : undefined;
  const key = Array.isArray(given) ? given : [given];
  if (!key.every((field): field is string => typeof field === 'string')) return;
  const first = new Map<string, number>();
  for (const [index, row] of context.items(data.path).entries()) {
    const { value } = row;
    if (!isJsonObject(value)) continue;
    const values = key.map((field) => (Object.hasOwn(value, field) ? (value[field] ?? null) : null));
    const missing = key.find((_field, at) => values[at] === null);
    if (missing !== undefined) {
      context.error(row.path, `has no ${missing}, which is the key of ${data.name}`, { wanted: missing });
      continue;
    }
    const text = canonicalJson(values as Json);
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else
      context.error(
        [...row.path, key[0] ?? ''],
        `row ${earlier} of ${data.name} has the same ${key.join(', ')}`,
      );
  }
}

function collection(context: CheckContext, path: readonly PathPart[], known: Collections): void {
  const name = context.text(path);
  if (name === undefined || known.has(name)) return;
  context.unknownName(path, name, { noun: 'collection', known: known.all() });
}

/** Collections of the data, of the entities, and (only asked when a name is in neither) those inferred from tools. */
class Collections {
  private readonly named: ReadonlySet<string>;
  private inferred: readonly string[] | undefined;

  constructor(private readonly context: CheckContext) {
    const members = [...context.members(['state', 'data']), ...context.members(['entities'])];
    this.named = new Set(members.map(({ name }) => name));
  }

  has(name: string): boolean {
    return this.named.has(name) || this.infer().includes(name);
  }

  all(): string[] {
    return [...new Set([...this.named, ...this.infer()])];
  }

  private infer(): readonly string[] {
    if (this.inferred === undefined) {
      const tools = this.context.items(['tools']).flatMap(({ value }): ToolDefinition[] => {
        const tool = ToolDefinitionSchema.safeParse(value);
        return tool.success ? [tool.data] : [];
      });
      const spec = { tools, data: {}, entities: {}, overrides: {}, strict: false };
      this.inferred = Object.keys(inferService(spec).collections);
    }
    return this.inferred;
  }
}

function checkFaults(context: CheckContext, domain: Domain | undefined): void {
  for (const item of context.items(['faults'])) {
    const fault = FaultSpecSchema.safeParse(item.value);
    if (!fault.success) continue; // the schema check has said so
    const schedule = compileSchedule([fault.data satisfies FaultSpec], 0, domain);
    if (schedule.ok) continue;
    for (const problem of schedule.error) {
      const path = [...item.path, ...problem.path.slice(1)];
      if (problem.planned === true) context.warn(path, problem.message);
      else
        context.error(
          path,
          problem.message,
          problem.nearest === undefined ? {} : { nearest: problem.nearest },
        );
    }
  }
}

function checkScripts(context: CheckContext, domain: Domain, tools: readonly string[] | null): void {
  for (const action of context.items(['oracle']))
    checkAction(context, action, { domain, tools, mustExist: true });
  for (const list of wrongActionLists(context.at(['wrong']))) {
    for (const action of context.items(list)) {
      checkAction(context, action, { domain, tools, mustExist: false });
    }
  }
}

function checkAction(
  context: CheckContext,
  action: { readonly value: Json; readonly path: readonly PathPart[] },
  how: { domain: Domain; tools: readonly string[] | null; mustExist: boolean },
): void {
  const format = domainFormat(how.domain);
  if (!format.ok) return; // no grammar yet for this domain
  const parsed = format.value.parseAction(actionText(action.value));
  if (parsed.kind === 'malformed') {
    context.error(action.path, `is no action of domain ${how.domain}: ${parsed.reason}`, {
      wanted: 'an action',
    });
  } else if (
    parsed.kind === 'tool-call' &&
    how.domain === 'mcp' &&
    how.tools?.includes(parsed.name) === false
  ) {
    const path = isJsonObject(action.value) ? [...action.path, 'name'] : action.path;
    if (how.mustExist) context.unknownName(path, parsed.name, { noun: 'tool', known: how.tools });
    else context.warn(path, `no tool is called ${JSON.stringify(parsed.name)}`);
  }
}

/** The exact text an agent would send for a script's action: a text as it is, an object as one line of JSON. */
export function actionText(action: Json): string {
  return typeof action === 'string' ? action : renderJson(action);
}
