/**
 * Addresses of the web, as programs are given them.
 *
 * Source: RFC 3986, and what curl and wget take besides (a host without a scheme). Not covered: other schemes than http.
 */

/** An address in its parts. */
export interface WebAddress {
  readonly scheme: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query, with a slash at its start. */
  readonly path: string;
  /** `name:password`, where it holds one. */
  readonly user?: string;
  /** Host as it stands in the `Host` header. */
  readonly authority: string;
}

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21 };

/** Reads an address; null where it is none. */
export function readWebAddress(text: string): WebAddress | null {
  const match =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^@/?#]*)@)?(\[[0-9a-f:.]+\]|[^:/?#[\]\s]+)(?::(\d{1,5}))?([/?][^#]*)?(?:#.*)?$/i.exec(
      text,
    );
  if (match === null) return null;
  const [, scheme = 'http', user, host = '', port, rest = '/'] = match;
  const known = PORTS[scheme.toLowerCase()] ?? 0;
  const number = port === undefined ? known : Number(port);
  if (number > 65_535) return null;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  return {
    scheme: scheme.toLowerCase(),
    host: host.replace(/[[\]]/g, ''),
    port: number,
    path,
    authority: number === known ? host : `${host}:${number}`,
    ...(user === undefined ? {} : { user: decodeURIComponent(user.replace(/%(?![0-9a-f]{2})/gi, '%25')) }),
  };
}

/** Where a `Location` leads from an address; null where it is none. */
export function followAddress(from: WebAddress, location: string): WebAddress | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return readWebAddress(location);
  const start = `${from.scheme}://${from.authority}`;
  if (location.startsWith('//')) return readWebAddress(`${from.scheme}:${location}`);
  if (location.startsWith('/')) return readWebAddress(`${start}${location}`);
  const bare = from.path.replace(/\?.*$/, '');
  if (location.startsWith('?')) return readWebAddress(`${start}${bare}${location}`);
  const parts = `${bare.slice(0, bare.lastIndexOf('/') + 1)}${location}`.split('/');
  const kept: string[] = [];
  for (const part of parts) {
    if (part === '..') kept.pop();
    else if (part !== '.') kept.push(part);
  }
  return readWebAddress(`${start}/${kept.filter((part, index) => index > 0 || part !== '').join('/')}`);
}

/** The address as text. */
export function showWebAddress({ scheme, authority, path }: WebAddress): string {
  return `${scheme}://${authority}${path}`;
}
