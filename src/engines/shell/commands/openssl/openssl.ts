/**
 * `openssl` of OpenSSL 3.0 for certificates: `x509` looks at one, `req -x509` makes one, `rsa` and `pkey` show a key's modulus.
 *
 * Every other command and option is asked. Source: openssl-x509(1), openssl-req(1). Keys and signatures are seeded numbers
 * of the right size and secure nothing; what is compared between files (dates, names, modulus) is right.
 */
import { randomStream } from '../../../../core/index.js';
import type { Running } from '../../kernel/index.js';
import { SystemError, toText } from '../../kernel/index.js';
import {
  type Certificate,
  decodeCertificate,
  decodePrivateKey,
  encodeCertificate,
  encodePrivateKey,
  newModulus,
  parseSubject,
  randomBytes,
  renderSubject,
} from '../../services/certificate.js';
import { breakTime } from '../program/calendar.js';
import { strftime } from '../program/strftime.js';
import { timeZone } from '../program/time-zone.js';
import { defineTool, type Tool } from '../program/tool.js';
import { unknownProgram } from '../program/unknown-program.js';

const DAY_MS = 86_400_000;
const VERSION = 'OpenSSL 3.0.11 19 Sep 2023 (Library: OpenSSL 3.0.11 19 Sep 2023)\n';

/** The command. */
export const openssl = defineTool(
  'openssl',
  function* (tool) {
    const [command, ...args] = tool.args;
    if (command === 'version' && args.length === 0) {
      tool.out(VERSION);
      return 0;
    }
    if (command === 'x509') {
      const options = readOptions(args, X509);
      if (options !== null) return yield* showCertificate(tool, options);
    }
    if (command === 'req') {
      const options = readOptions(args, REQ);
      if (options?.has('x509') === true && options.has('subj')) return yield* makeCertificate(tool, options);
    }
    if (command === 'rsa' || command === 'pkey') {
      const options = readOptions(args, KEY);
      if (options?.has('in') && (options.has('modulus') || options.has('check')) && options.has('noout'))
        return yield* showKey(tool, options);
    }
    return yield* unknownProgram('openssl')(tool.proc);
  },
  { sizeBytes: 935_536 },
);

/** Options by name: whether they take a word. */
type Options = Readonly<Record<string, boolean>>;
const X509: Options = {
  in: true,
  noout: false,
  enddate: false,
  startdate: false,
  dates: false,
  subject: false,
  issuer: false,
  serial: false,
  checkend: true,
  modulus: false,
  inform: true,
};
const REQ: Options = {
  x509: false,
  newkey: true,
  nodes: false,
  noenc: false,
  keyout: true,
  out: true,
  days: true,
  subj: true,
  key: true,
  sha256: false,
  new: false,
  batch: false,
  set_serial: true,
  addext: true,
};
const KEY: Options = { in: true, noout: false, modulus: false, check: false };

/** Options in order; null where one is not known here. */
function readOptions(args: readonly string[], table: Options): Map<string, string> | null {
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const name = /^--?(\w+)$/.exec(args[at] ?? '')?.[1];
    const takes = name === undefined ? undefined : table[name];
    if (name === undefined || takes === undefined) return null;
    if (takes) at += 1;
    if (takes && args[at] === undefined) return null;
    options.set(name, takes ? (args[at] ?? '') : '');
  }
  return options;
}

function* readInput(tool: Tool, options: ReadonlyMap<string, string>, what: string): Running<string | null> {
  const path = options.get('in');
  try {
    return path === undefined ? toText(yield* tool.proc.readAll(0)) : yield* tool.proc.readText(path);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const [number, word] = error.code === 'EACCES' ? ['13', 'Permission denied'] : ['2', error.text];
    tool.io.err(
      `Could not open file or uri for loading ${what} from ${path}\n40E7A2C1F87F0000:error:16000069:STORE routines:ossl_store_get0_loader_int:unregistered scheme:../crypto/store/store_register.c:237:scheme=file\n40E7A2C1F87F0000:error:80000002:system library:file_open:${word}:../providers/implementations/storemgmt/file_store.c:267:calling stat(${path})\n`.replace(
        '80000002',
        number === '13' ? '8000000D' : '80000002',
      ),
    );
    return null;
  }
}

function* showCertificate(tool: Tool, options: ReadonlyMap<string, string>): Running<number> {
  const text = yield* readInput(tool, options, 'certificate');
  if (text === null) {
    tool.io.err('Unable to load certificate\n');
    return 1;
  }
  const certificate = decodeCertificate(text);
  if (certificate === null) {
    tool.io.err(
      `Could not read certificate from ${options.get('in') ?? '<stdin>'}\nUnable to load certificate\n`,
    );
    return 1;
  }
  for (const name of options.keys()) tool.out(factOf(name, certificate));
  const seconds = options.get('checkend');
  if (seconds !== undefined) {
    const expires = certificate.notAfterMs <= tool.proc.now() / 1000 + Number(seconds) * 1000;
    tool.out(expires ? 'Certificate will expire\n' : 'Certificate will not expire\n');
    tool.status = expires ? 1 : 0;
  }
  if (!options.has('noout'))
    tool.out(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/.exec(text)?.[0] ?? '');
  return tool.status;
}

function factOf(name: string, certificate: Certificate): string {
  const { subject, issuer, notBeforeMs, notAfterMs, serial, modulus } = certificate;
  switch (name) {
    case 'subject':
      return `subject=${renderSubject(subject)}\n`;
    case 'issuer':
      return `issuer=${renderSubject(issuer)}\n`;
    case 'startdate':
      return `notBefore=${timeText(notBeforeMs)}\n`;
    case 'enddate':
      return `notAfter=${timeText(notAfterMs)}\n`;
    case 'dates':
      return `notBefore=${timeText(notBeforeMs)}\nnotAfter=${timeText(notAfterMs)}\n`;
    case 'serial':
      return `serial=${hexText(serial)}\n`;
    case 'modulus':
      return `Modulus=${hexText(modulus)}\n`;
    default:
      return '';
  }
}

function timeText(ms: number): string {
  return strftime('%b %e %H:%M:%S %Y GMT', breakTime(Math.floor(ms / 1000), 0, timeZone('UTC')));
}

function hexText(bytes: Uint8Array): string {
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

function* showKey(tool: Tool, options: ReadonlyMap<string, string>): Running<number> {
  const text = yield* readInput(tool, options, 'private key');
  const modulus = text === null ? null : decodePrivateKey(text);
  if (modulus === null) {
    if (text !== null) tool.io.err(`Could not read private key from ${options.get('in') ?? ''}\n`);
    return 1;
  }
  if (options.has('check')) tool.out('RSA key ok\n');
  if (options.has('modulus')) tool.out(`Modulus=${hexText(modulus)}\n`);
  return 0;
}

function* makeCertificate(tool: Tool, options: ReadonlyMap<string, string>): Running<number> {
  const subject = parseSubject(options.get('subj') ?? '');
  const days = Number(options.get('days') ?? 30);
  const bits = Number(/^rsa:(\d+)$/.exec(options.get('newkey') ?? 'rsa:2048')?.[1] ?? Number.NaN);
  const keyPath = options.get('key');
  const isPlain = options.has('nodes') || options.has('noenc') || keyPath !== undefined;
  const canMake =
    subject !== null && Number.isInteger(days) && [1024, 2048, 3072, 4096].includes(bits) && isPlain;
  if (!canMake) return yield* unknownProgram('openssl')(tool.proc);
  const random = randomStream(Math.floor(tool.proc.random() * 2 ** 31), 'openssl');
  let modulus: Uint8Array | null = null;
  if (keyPath !== undefined) {
    const text = yield* readInput(tool, new Map([['in', keyPath]]), 'private key');
    modulus = text === null ? null : decodePrivateKey(text);
    if (modulus === null) return 1;
  } else {
    modulus = newModulus(random, bits);
    tool.io.err(progressText(() => random.next()));
  }
  try {
    if (keyPath === undefined)
      yield* write(tool, options.get('keyout') ?? 'privkey.pem', {
        text: encodePrivateKey(modulus, random),
        mode: 0o600,
      });
    const nowMs = Math.floor(tool.proc.now() / 1e6) * 1000;
    const serial = randomBytes(random, 20);
    serial[0] = (serial[0] ?? 0) & 0x7f;
    const dates = { notBeforeMs: nowMs, notAfterMs: nowMs + days * DAY_MS };
    const text = encodeCertificate({ subject, issuer: subject, ...dates, serial, modulus }, random);
    const out = options.get('out');
    if (out === undefined) tool.out(text);
    else yield* write(tool, out, { text, mode: 0o644 });
    return 0;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    tool.io.err(`Can't open "${error.path}" for writing, ${error.text}\n`);
    return 1;
  }
}

/** Dots and pluses of the search for primes, as OpenSSL 3 prints them. */
function progressText(next: () => number): string {
  const row = (): string => {
    const dots = Array.from({ length: 20 + Math.floor(next() * 60) }, () => (next() < 0.06 ? '+' : '.')).join(
      '',
    );
    return `${dots}+++++++++++++++++++++++++++++++++++++++*`;
  };
  return `${row()}${row()}+++++\n${row()}${row()}+++++\n-----\n`;
}

function* write(
  tool: Tool,
  path: string,
  { text, mode }: { readonly text: string; readonly mode: number },
): Running<void> {
  const fd = yield* tool.proc.open(path, { write: true, create: true, truncate: true, mode });
  yield* tool.proc.write(fd, text);
  tool.proc.close(fd);
}
