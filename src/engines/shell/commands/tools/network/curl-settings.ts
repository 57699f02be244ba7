/**
 * curl's command line: what it asks for, or that it asks for something that is not computed.
 *
 * Source: curl(1) 7.88.1.
 */

import { joinBytes } from '../../../kernel/byte-text.js';
import { type Process, type Running, SystemError, toBytes, toText } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';

const OPTIONS = defineOptions(
  's,silent S,show-error f,fail fail-with-body i,include I,head o,output: O,remote-name L,location X,request: ' +
    'd,data: data-raw: data-binary: data-ascii: data-urlencode: json: H,header: w,write-out: m,max-time: connect-timeout: ' +
    'A,user-agent: k,insecure G,get retry: retry-delay: retry-connrefused retry-all-errors v,verbose u,user: e,referer: ' +
    'b,cookie: no-progress-meter N,no-buffer 4,ipv4 6,ipv6 max-redirs: url: create-dirs D,dump-header: http1.1 0,http1.0 no-keepalive',
  '',
);

/** What a command line asks for. */
export interface CurlSettings {
  readonly has: (key: string) => boolean;
  readonly value: (key: string) => string | undefined;
  readonly urls: readonly string[];
  readonly outputs: readonly (string | null)[];
  /** Lines of `-H`. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | null;
  readonly isJson: boolean;
}

/** Reads it; null where something in it is not computed; a text where it is wrong. */
export function* readCurlSettings(
  proc: Process,
): Running<CurlSettings | { readonly error: string; readonly status: number } | null> {
  const line = parseLine(proc.argv.slice(1), OPTIONS);
  if (line.error !== undefined) return null;
  const flags = new Map<string, string>();
  const headers: string[] = [];
  const outputs: (string | null)[] = [];
  const urls = [...line.operands];
  const parts: Uint8Array[] = [];
  let isJson = false;
  for (const { key, value = '' } of line.hits) {
    flags.set(key, value);
    if (key === 'H') {
      if (value.startsWith('@')) return null;
      headers.push(value);
    } else if (key === 'o') outputs.push(value);
    else if (key === 'O') outputs.push(null);
    else if (key === 'url') urls.push(value);
    else if (key === 'b' && !value.includes('=')) return null;
    else if (DATA.has(key)) {
      const data = yield* dataOf(proc, key, value);
      if (data === null) return { error: `Failed to open ${value.replace(/^[^@]*@/, '')}`, status: 26 };
      if (parts.length > 0 && key !== 'json') parts.push(toBytes('&'));
      parts.push(data);
      if (key === 'json') isJson = true;
    }
  }
  const body = parts.length === 0 ? null : joinBytes(parts);
  if (body !== null && body.length > MAX_PLAIN_BODY) return null;
  return {
    has: (key) => flags.has(key),
    value: (key) => flags.get(key),
    urls,
    outputs,
    headers,
    body,
    isJson,
  };
}

const DATA = new Set(['d', 'data-raw', 'data-binary', 'data-ascii', 'data-urlencode', 'json']);
/** Longer bodies are announced with `Expect: 100-continue`. */
const MAX_PLAIN_BODY = 1024 * 1024;

/** The bytes of one option with data; null where its file cannot be read. */
function* dataOf(proc: Process, key: string, value: string): Running<Uint8Array | null> {
  if (key === 'data-raw') return toBytes(value);
  if (key === 'data-urlencode') return yield* encodedOf(proc, value);
  if (!value.startsWith('@')) return toBytes(value);
  const bytes = yield* fileOf(proc, value.slice(1));
  if (bytes === null || key === 'data-binary' || key === 'json') return bytes;
  return bytes.filter((byte) => byte !== 10 && byte !== 13 && byte !== 0);
}

function* encodedOf(proc: Process, value: string): Running<Uint8Array | null> {
  const at = value.search(/[=@]/);
  const name = at < 0 ? '' : value.slice(0, at);
  const rest = at < 0 ? value : value.slice(at + 1);
  const content = value[at] === '@' ? yield* fileOf(proc, rest) : toBytes(rest);
  if (content === null) return null;
  const encoded = encodeURIComponent(toText(content)).replace(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return toBytes(name === '' ? encoded : `${name}=${encoded}`);
}

function* fileOf(proc: Process, path: string): Running<Uint8Array | null> {
  try {
    return path === '-' ? yield* proc.readAll(0) : yield* proc.readFile(path);
  } catch (error) {
    if (error instanceof SystemError) return null;
    throw error;
  }
}
