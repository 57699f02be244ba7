/**
 * Answers of the `dict_memory` tool: what was done to which keys, or the stored pairs themselves.
 *
 * Read: `Successfully added items of ['a', 'b'] to memory.` and its kin; pairs as a JSON object or as Python shows a
 * dictionary. Words about keys that are not there, and anything else, are no such answer and stay a page of text. Source:
 * published prompt of the search domain, table of operations.
 */
import { isJsonObject, type Json, type JsonObject, parseJson, renderJson } from '../../core/index.js';
import { pythonValue, readPythonValue } from '../python-literals.js';

/** What was done to the memory. */
export interface MemoryDone {
  readonly kind: 'memory';
  readonly done: 'added' | 'updated' | 'removed' | 'cleared';
  /** The keys it was done to; empty for `cleared`. */
  readonly keys: readonly string[];
  /** The text, where it is not the usual one. */
  readonly written?: string;
}

/** Stored pairs. */
export interface MemoryPairs {
  readonly kind: 'pairs';
  readonly pairs: JsonObject;
  /** The text, where it is not the usual one (one line of JSON). */
  readonly written?: string;
}

const PLACES = { added: 'to', updated: 'in', removed: 'from' } as const;
const DONE =
  /^\s*Successfully (added|updated|removed) items? (?:of|with keys?):? ?(\[[\s\S]*\]|[^[\]]*?) (?:to|in|from) (?:the )?memory\.?\s*$/i;
const CLEARED = /^\s*Successfully cleared (?:all|the) (?:of )?(?:the )?memory\.?\s*$/i;

/** Reads an answer of the memory; null where the text is none. */
export function parseMemory(text: string): MemoryDone | MemoryPairs | null {
  const read = readDone(text) ?? readPairs(text);
  if (read === null) return null;
  return memoryText(read) === text ? read : { ...read, written: text };
}

function readDone(text: string): MemoryDone | null {
  if (text.length > 100_000) return null;
  if (CLEARED.test(text)) return { kind: 'memory', done: 'cleared', keys: [] };
  const match = DONE.exec(text);
  if (match === null) return null;
  const done = (match[1] ?? '').toLowerCase() as 'added' | 'updated' | 'removed';
  const said = match[2] ?? '';
  const list = said.startsWith('[') ? readPythonValue(said, 0) : null;
  if (list?.ok === true && list.value.end === said.length && Array.isArray(list.value.value)) {
    return { kind: 'memory', done, keys: (list.value.value as readonly Json[]).map(keyText) };
  }
  const inner = said.replace(/^\[|\]$/g, '').trim();
  return { kind: 'memory', done, keys: inner === '' ? [] : inner.split(/\s*,\s*/) };
}

function keyText(key: Json): string {
  return typeof key === 'string' ? key : renderJson(key);
}

function readPairs(text: string): MemoryPairs | null {
  if (!/^\s*\{/.test(text)) return null;
  const json = parseJson(text);
  if (json.ok) return isJsonObject(json.value) ? { kind: 'pairs', pairs: json.value } : null;
  const python = readPythonValue(text, 0);
  const isWhole = python.ok && text.slice(python.value.end).trim() === '';
  return isWhole && isJsonObject(python.value.value) ? { kind: 'pairs', pairs: python.value.value } : null;
}

/** The usual text of an answer. */
export function memoryText(memory: MemoryDone | MemoryPairs): string {
  if (memory.kind === 'pairs') return renderJson(memory.pairs);
  if (memory.done === 'cleared') return 'Successfully cleared all memory.';
  const keys = pythonValue(memory.keys);
  return `Successfully ${memory.done} items of ${keys} ${PLACES[memory.done]} memory.`;
}
