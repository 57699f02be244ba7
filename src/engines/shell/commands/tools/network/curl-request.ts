/**
 * The head of curl's requests: its own headers in its order, those of `-H` in their place.
 *
 * Source: `lib/http.c` of curl 7.88.1.
 */
import { toBytes } from '../../../kernel/index.js';
import type { CurlSettings } from './curl-settings.js';
import type { WebAddress } from './web-address.js';

/** What is asked. */
interface CurlRequest {
  readonly address: WebAddress;
  readonly method: string;
  readonly body: Uint8Array | null;
}

/** The head, with the empty line. */
export function requestHead(settings: CurlSettings, { address, method, body }: CurlRequest): string {
  const user = settings.value('u') ?? address.user;
  const own: [string, string][] = [['Host', address.authority]];
  if (user !== undefined)
    own.push([
      'Authorization',
      `Basic ${Buffer.from(toBytes(user.includes(':') ? user : `${user}:`)).toString('base64')}`,
    ]);
  own.push(['User-Agent', settings.value('A') ?? 'curl/7.88.1']);
  own.push(['Accept', settings.isJson ? 'application/json' : '*/*']);
  const referer = settings.value('e');
  if (referer !== undefined) own.push(['Referer', referer]);
  const cookie = settings.value('b');
  if (cookie !== undefined) own.push(['Cookie', cookie]);
  const after: [string, string][] = [];
  if (settings.isJson) after.push(['Content-Type', 'application/json']);
  if (body !== null) after.push(['Content-Length', String(body.length)]);
  if (body !== null && !settings.isJson) after.push(['Content-Type', 'application/x-www-form-urlencoded']);
  const nameOf = (line: string): string =>
    line
      .replace(/[:;].*$/s, '')
      .trim()
      .toLowerCase();
  const named = new Set(settings.headers.map(nameOf));
  const isOwn = ([name]: readonly [string, string]): boolean => !named.has(name.toLowerCase());
  const given = settings.headers.flatMap((line) => {
    if (/^[^:]*;\s*$/.test(line)) return [`${line.replace(/;\s*$/, '')}:`];
    return /:\s*\S/.test(line) ? [line] : [];
  });
  // A Host of one's own stands where curl's stands.
  const host = given.find((line) => nameOf(line) === 'host');
  const lines = [
    ...(host === undefined ? [] : [host]),
    ...own.filter(isOwn).map(([name, value]) => `${name}: ${value}`),
    ...given.filter((line) => line !== host),
    ...after.filter(isOwn).map(([name, value]) => `${name}: ${value}`),
  ];
  const version = settings.has('0') ? '1.0' : '1.1';
  return `${method} ${address.path} HTTP/${version}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}
