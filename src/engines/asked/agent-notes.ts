/**
 * The agent's own notes in a search world (`dict_memory`): a small store of keys and values, computed.
 *
 * Source: the published prompt of the search domain names the operations (add, update, retrieve, retrieve_all, remove,
 * remove_all) and how they answer. Several forms of arguments are accepted.
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';

/** The name of the tool. */
export const NOTES_TOOL = 'dict_memory';

/** What an operation answers, and the notes after it. */
export interface NotesAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly notes: JsonObject;
}

/** Carries an operation out. */
export function runNotes(notes: JsonObject, args: JsonObject): NotesAnswer {
  const op = [args.operation, args.op, args.action, args.method].find((one) => typeof one === 'string');
  const given = [args.dict, args.items, args.data].find((one) => isJsonObject(one as Json));
  const keys = [args.key_list, args.keys].find((one) => Array.isArray(one)) as readonly Json[] | undefined;
  const named = (keys ?? (typeof args.key === 'string' ? [args.key] : [])).map(String);
  const failed = (text: string): NotesAnswer => ({ text: `Error: ${text}`, isError: true, notes });
  if (op === 'add' || op === 'update') {
    if (!isJsonObject(given))
      return failed(`the operation '${op}' needs 'dict', an object of keys and values`);
    const names = Object.keys(given);
    const missing = op === 'update' ? names.filter((name) => !Object.hasOwn(notes, name)) : [];
    if (missing.length > 0) return { text: `Key not found: ${missing.join(', ')}`, isError: true, notes };
    const verb = op === 'add' ? 'added items of' : 'updated items of';
    const place = op === 'add' ? 'to' : 'in';
    return done(`Successfully ${verb} ${renderJson(names)} ${place} memory.`, { ...notes, ...given });
  }
  if (op === 'retrieve_all') return done(renderJson(notes), notes);
  if (op === 'remove_all') return done('Successfully cleared all memory.', {});
  if (op !== 'retrieve' && op !== 'remove')
    return failed(
      `dict_memory has no operation ${renderJson((op ?? null) as Json)}; wanted add, update, retrieve, retrieve_all, remove or remove_all`,
    );
  if (named.length === 0) return failed(`the operation '${op}' needs 'key_list', a list of keys`);
  const missing = named.filter((name) => !Object.hasOwn(notes, name));
  if (missing.length > 0) return { text: `Key not found: ${missing.join(', ')}`, isError: true, notes };
  if (op === 'retrieve')
    return done(renderJson(Object.fromEntries(named.map((name) => [name, notes[name] ?? null]))), notes);
  const rest = Object.fromEntries(Object.entries(notes).filter(([name]) => !named.includes(name)));
  return done(`Successfully removed items of ${renderJson(named)} from memory.`, rest);
}

function done(text: string, notes: JsonObject): NotesAnswer {
  return { text, isError: false, notes };
}
