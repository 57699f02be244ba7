/**
 * Names of hosts, as `/etc/hosts` of the machine has them.
 *
 * Source: hosts(5). Not covered: DNS; there is nobody to ask.
 */
import { isLocal, type Process, toText } from '../../kernel/index.js';

interface Row {
  readonly address: string;
  readonly names: readonly string[];
}

function rows(proc: Process): Row[] {
  const content = proc.find('/etc/hosts')?.content;
  const text = toText(content?.read(0, content.size) ?? new Uint8Array(0));
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return address === '' ? [] : [{ address, names }];
  });
}

/** The addresses of a name, in the order of the file; `localhost` is always known. */
export function resolveHost(proc: Process, host: string): string[] {
  if (isAddress(host)) return [host];
  const wanted = host.toLowerCase().replace(/\.$/, '');
  const found = rows(proc)
    .filter(({ names }) => names.some((name) => name.toLowerCase() === wanted))
    .map(({ address }) => address);
  if (found.length > 0) return [...new Set(found)];
  return wanted === 'localhost' || wanted.endsWith('.localhost') ? ['127.0.0.1'] : [];
}

/** The names of an address; none where nobody knows it. */
export function namesOf(proc: Process, address: string): string[] {
  const names = rows(proc).flatMap((row) => (row.address === address ? row.names : []));
  return names.length === 0 && isLocal(address) && address.startsWith('127.') ? ['localhost'] : names;
}

function isAddress(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || host.includes(':');
}
