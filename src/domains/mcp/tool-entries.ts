/**
 * Finds the tools in whatever envelope a list of tools comes in.
 *
 * Envelopes: a bare list, `{tools:[…]}`, a JSON-RPC reply `{result:{tools}}` (or several pages of them), registry
 * entries `{tools:{server:{tools:[…]}}}`, `{tools:{name:{…}}}` by name, a list of any of these, and one tool alone.
 * Only the places are found here; reading a tool is in `tool-list.ts`.
 */
import { isJsonObject } from '../../core/index.js';

/** A value that stands where a tool should, with its place, for example `tools[3]`. */
export interface ToolEntry {
  readonly path: string;
  readonly value: unknown;
  /** The tool's name where it stands outside the value, as a key. */
  readonly key?: string;
}

/** Envelopes within envelopes that are opened. */
const LEVELS = 6;

/** The tool entries of a value in order, or null if nothing in it looks like a list of tools. */
export function findToolEntries(value: unknown): readonly ToolEntry[] | null {
  return search(value, '', LEVELS);
}

/** The message of a JSON-RPC error reply, or null if the value is none. */
export function rpcError(value: unknown): string | null {
  if (!isJsonObject(value) || !isJsonObject(value.error) || Object.hasOwn(value, 'result')) return null;
  const { code, message } = value.error;
  if (typeof message !== 'string') return null;
  return typeof code === 'number' ? `${message} (code ${code})` : message;
}

function search(value: unknown, path: string, levels: number): readonly ToolEntry[] | null {
  if (levels === 0) return null;
  if (Array.isArray(value)) return searchList(value, path, levels);
  if (!isJsonObject(value)) return null;
  if (Object.hasOwn(value, 'tools')) {
    const at = join(path, 'tools');
    return isJsonObject(value.tools)
      ? searchMap(value.tools, at, levels - 1)
      : search(value.tools, at, levels - 1);
  }
  for (const key of ['result', 'functions', 'data']) {
    if (!isJsonObject(value[key]) && !Array.isArray(value[key])) continue;
    const found = search(value[key], join(path, key), levels - 1);
    if (found !== null) return found;
  }
  return looksLikeTool(value) ? [{ path, value }] : null;
}

/** Items are tools unless they are envelopes themselves (registry entries, pages). */
function searchList(values: readonly unknown[], path: string, levels: number): readonly ToolEntry[] {
  return values.flatMap((value, i) => {
    const at = `${path}[${i}]`;
    const isEnvelope = isJsonObject(value) && (hasList(value, 'tools') || hasList(value, 'result'));
    const inner = isEnvelope ? search(value, at, levels - 1) : null;
    return inner ?? [{ path: at, value }];
  });
}

/** `tools` as an object: servers by name that hold tools, or tools by name. */
function searchMap(map: object, path: string, levels: number): readonly ToolEntry[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const at = join(path, key);
    const isServer = Array.isArray(value) || (isJsonObject(value) && hasList(value, 'tools'));
    const inner = isServer ? search(value, at, levels - 1) : null;
    return inner ?? [{ path: at, value, key }];
  });
}

function hasList(value: object, key: string): boolean {
  const inner = (value as Readonly<Record<string, unknown>>)[key];
  return Object.hasOwn(value, key) && typeof inner === 'object' && inner !== null;
}

function looksLikeTool(value: object): boolean {
  const fields = value as Readonly<Record<string, unknown>>;
  if (isJsonObject(fields.function)) return true;
  const keys = ['inputSchema', 'input_schema', 'parameters', 'arguments', 'description'];
  return typeof fields.name === 'string' && keys.some((key) => Object.hasOwn(value, key));
}

function join(path: string, key: string): string {
  const plain = /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
  return path === '' ? plain : `${path}.${plain}`;
}
