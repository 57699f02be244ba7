/**
 * Finds a tool again after its list was changed: by its words and arguments, as an agent does that reads the list.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';

/** A call of a tool. */
export interface Call {
  readonly name: string;
  readonly arguments: JsonObject;
}

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/**
 * The call in terms of the list as it is now; `known` is the list in whose terms it was written. Null where no tool
 * of the list can be the one that was meant.
 */
export function adaptCall(call: Call, known: Json, now: Json): Call | null {
  if (known === now) return call;
  const [old, fresh] = [toolsOf(known), toolsOf(now)];
  const was = old.find(({ name }) => name === call.name);
  const tool = fresh.find(({ name }) => name === call.name) ?? (was === undefined ? undefined : sameTool(was, old, fresh));
  if (was === undefined || tool === undefined) return null;
  return { name: tool.name, arguments: adaptArguments(call.arguments, was.inputSchema, tool.inputSchema) };
}

/** A tool that is new in the list, with the same arguments and the nearest words. */
function sameTool(was: Listed, old: readonly Listed[], fresh: readonly Listed[]): Listed | undefined {
  const names = new Set(old.map(({ name }) => name));
  const candidates = fresh.filter(({ name }) => !names.has(name));
  const same = (tool: Listed): boolean => {
    const [own, other] = [was.description ?? '', tool.description ?? ''];
    return own === other || (own !== '' && other.includes(own));
  };
  return (
    candidates.find((tool) => same(tool) && tool.name.includes(was.name)) ??
    candidates.find(
      (tool) => same(tool) && sameNames(tool.inputSchema, was.inputSchema),
    )
  );
}

function sameNames(a: JsonObject, b: JsonObject): boolean {
  return Object.keys(propertiesOf(a)).sort().join('\n') === Object.keys(propertiesOf(b)).sort().join('\n');
}

function adaptArguments(args: JsonObject, was: JsonObject, now: JsonObject): JsonObject {
  const [old, fresh] = [propertiesOf(was), propertiesOf(now)];
  const added = Object.keys(fresh).filter((name) => !Object.hasOwn(old, name));
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(fresh, name));
  const entries = Object.entries(args).map(([name, value]): [string, Json] => {
    const at = gone.indexOf(name);
    const fit = at < 0 ? name : (added.find((other) => typeOf(fresh[other]) === typeOf(old[name])) ?? name);
    const needsText = typeOf(fresh[fit]) === 'string' && typeof value !== 'string';
    return [fit, needsText ? String(value) : value];
  });
  const needed = Array.isArray(now.required) ? (now.required as readonly Json[]) : [];
  const missing = needed.filter(
    (name): name is string => typeof name === 'string' && !entries.some(([given]) => given === name) && added.includes(name),
  );
  return Object.fromEntries([...entries, ...missing.map((name): [string, Json] => [name, 'again-1'])]);
}

function propertiesOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema.properties) ? schema.properties : {};
}

function typeOf(schema: Json | undefined): Json | undefined {
  return isJsonObject(schema) ? schema.type : undefined;
}

function toolsOf(list: Json): readonly Listed[] {
  return Array.isArray(list) ? (list as unknown as readonly Listed[]) : [];
}
