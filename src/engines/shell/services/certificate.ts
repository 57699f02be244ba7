/**
 * Certificates: made and read as X.509 in PEM, with names, dates, serial number and an RSA modulus.
 *
 * The idea: what a machine's programs look at (names, dates, which key belongs to which certificate) is real; the numbers
 * of keys and signatures are seeded bytes of the right size, so nothing here secures anything.
 * Source: RFC 5280, RFC 7468, RFC 8017. Not covered: extensions but "is an authority", chains, other keys than RSA.
 */
import type { RandomStream } from '../../../core/index.js';
import { toBytes, toText } from '../kernel/index.js';
import { type Der, decodeDer, decodeOid, encodeDer, encodeInteger, encodeOid, TAG } from './der.js';

/** A name: pairs such as `['CN', 'example.org']`, in order. */
export type DistinguishedName = readonly (readonly [kind: string, value: string])[];

/** What a certificate says. */
export interface Certificate {
  readonly subject: DistinguishedName;
  readonly issuer: DistinguishedName;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly serial: Uint8Array;
  readonly modulus: Uint8Array;
}

const KINDS: Readonly<Record<string, string>> = {
  CN: '2.5.4.3',
  C: '2.5.4.6',
  L: '2.5.4.7',
  ST: '2.5.4.8',
  O: '2.5.4.10',
  OU: '2.5.4.11',
  emailAddress: '1.2.840.113549.1.9.1',
};
const RSA = '1.2.840.113549.1.1.1';
const SHA256_RSA = '1.2.840.113549.1.1.11';
const BASIC_CONSTRAINTS = '2.5.29.19';
const NOTHING = encodeDer(TAG.nothing);
/** 65537, of every key. */
const EXPONENT = Uint8Array.from([1, 0, 1]);
/** Years from here on are written as GeneralizedTime. */
const LAST_UTC_YEAR = 2049;

/** Reads `/C=DE/O=Example/CN=example.org`; null where it is none. */
export function parseSubject(text: string): DistinguishedName | null {
  if (!text.startsWith('/')) return null;
  const pairs = text
    .slice(1)
    .split('/')
    .filter((one) => one !== '')
    .map((one) => {
      const at = one.indexOf('=');
      return [one.slice(0, at), one.slice(at + 1)] as const;
    });
  return pairs.every(([kind]) => KINDS[kind] !== undefined) ? pairs : null;
}

/** A name as openssl 3 prints it: `C = DE, CN = example.org`. */
export function renderSubject(name: DistinguishedName): string {
  return name.map(([kind, value]) => `${kind} = ${value}`).join(', ');
}

/** The modulus of a new key of so many bits. */
export function newModulus(random: RandomStream, bits: number): Uint8Array {
  const bytes = randomBytes(random, bits >> 3);
  bytes[0] = (bytes[0] ?? 0) | 0xc0;
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 1;
  return bytes;
}

/** Seeded bytes. */
export function randomBytes(random: RandomStream, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, () => random.integer(0, 255));
}

/** A certificate in PEM. */
export function encodeCertificate(certificate: Certificate, random: RandomStream): string {
  const { subject, issuer, notBeforeMs, notAfterMs, serial, modulus } = certificate;
  const algorithm = encodeDer(TAG.sequence, encodeOid(SHA256_RSA), NOTHING);
  const body = encodeDer(
    TAG.sequence,
    encodeDer(0xa0, encodeInteger(Uint8Array.from([2]))),
    encodeInteger(serial),
    algorithm,
    encodeName(issuer),
    encodeDer(TAG.sequence, encodeTime(notBeforeMs), encodeTime(notAfterMs)),
    encodeName(subject),
    encodePublicKey(modulus),
    encodeDer(0xa3, encodeDer(TAG.sequence, authority())),
  );
  const signature = encodeDer(TAG.bits, Uint8Array.from([0]), randomBytes(random, modulus.length));
  return renderPem('CERTIFICATE', encodeDer(TAG.sequence, body, algorithm, signature));
}

function authority(): Uint8Array {
  const yes = encodeDer(0x01, Uint8Array.from([0xff]));
  return encodeDer(
    TAG.sequence,
    encodeOid(BASIC_CONSTRAINTS),
    yes,
    encodeDer(TAG.octets, encodeDer(TAG.sequence, yes)),
  );
}

function encodePublicKey(modulus: Uint8Array): Uint8Array {
  const key = encodeDer(TAG.sequence, encodeInteger(modulus), encodeInteger(EXPONENT));
  return encodeDer(
    TAG.sequence,
    encodeDer(TAG.sequence, encodeOid(RSA), NOTHING),
    encodeDer(TAG.bits, Uint8Array.from([0]), key),
  );
}

/** A private key in PEM (PKCS #8) that belongs to a modulus. */
export function encodePrivateKey(modulus: Uint8Array, random: RandomStream): string {
  const half = modulus.length >> 1;
  const numbers = [modulus.length, half, half, half, half, half].map((count) =>
    encodeInteger(randomBytes(random, count)),
  );
  const [exponent = NOTHING, ...primes] = numbers;
  const key = encodeDer(
    TAG.sequence,
    encodeInteger(Uint8Array.from([0])),
    encodeInteger(modulus),
    encodeInteger(EXPONENT),
    exponent,
    ...primes,
  );
  return renderPem(
    'PRIVATE KEY',
    encodeDer(
      TAG.sequence,
      encodeInteger(Uint8Array.from([0])),
      encodeDer(TAG.sequence, encodeOid(RSA), NOTHING),
      encodeDer(TAG.octets, key),
    ),
  );
}

function encodeName(name: DistinguishedName): Uint8Array {
  const parts = name.map(([kind, value]) => {
    const tag = kind === 'C' ? TAG.printable : kind === 'emailAddress' ? TAG.ia5 : TAG.utf8;
    const pair = encodeDer(TAG.sequence, encodeOid(KINDS[kind] ?? ''), encodeDer(tag, toBytes(value)));
    return encodeDer(TAG.set, pair);
  });
  return encodeDer(TAG.sequence, ...parts);
}

function encodeTime(ms: number): Uint8Array {
  const digits = new Date(ms).toISOString().slice(0, 19).replace(/[-:T]/g, '');
  return Number(digits.slice(0, 4)) <= LAST_UTC_YEAR
    ? encodeDer(TAG.utcTime, toBytes(`${digits.slice(2)}Z`))
    : encodeDer(TAG.time, toBytes(`${digits}Z`));
}

/** The first certificate of a PEM text; null where there is none that can be read. */
export function decodeCertificate(text: string): Certificate | null {
  const bytes = parsePem(text, 'CERTIFICATE');
  const outer = bytes === null ? undefined : decodeDer(bytes)?.[0];
  const inner = outer === undefined ? undefined : decodeDer(outer.value)?.[0];
  const fields = inner === undefined ? null : decodeDer(inner.value);
  if (fields === null) return null;
  const [serial, , issuer, dates, subject, key] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const [notBefore, notAfter] = dates === undefined ? [] : (decodeDer(dates.value) ?? []);
  const modulus = key === undefined ? null : decodePublicKey(key);
  if (serial === undefined || issuer === undefined || subject === undefined || modulus === null) return null;
  return {
    subject: decodeName(subject),
    issuer: decodeName(issuer),
    notBeforeMs: decodeTime(notBefore),
    notAfterMs: decodeTime(notAfter),
    serial: withoutZero(serial.value),
    modulus,
  };
}

/** The modulus of a private key in PEM; null where there is none that can be read. */
export function decodePrivateKey(text: string): Uint8Array | null {
  const bytes = parsePem(text, 'PRIVATE KEY');
  const outer = bytes === null ? undefined : decodeDer(bytes)?.[0];
  const octets = outer === undefined ? undefined : decodeDer(outer.value)?.[2];
  const key = octets === undefined ? undefined : decodeDer(octets.value)?.[0];
  const modulus = key === undefined ? undefined : decodeDer(key.value)?.[1];
  return modulus === undefined ? null : withoutZero(modulus.value);
}

function decodePublicKey(key: Der): Uint8Array | null {
  const bits = decodeDer(key.value)?.[1];
  const pair = bits === undefined ? undefined : decodeDer(bits.value.subarray(1))?.[0];
  const modulus = pair === undefined ? undefined : decodeDer(pair.value)?.[0];
  return modulus === undefined ? null : withoutZero(modulus.value);
}

function withoutZero(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0 && bytes.length > 1 ? bytes.subarray(1) : bytes;
}

function decodeName(name: Der): DistinguishedName {
  return (decodeDer(name.value) ?? []).flatMap((set) => {
    const pair = decodeDer(set.value)?.[0];
    const [oid, value] = pair === undefined ? [] : (decodeDer(pair.value) ?? []);
    if (oid === undefined || value === undefined) return [];
    const dotted = decodeOid(oid.value);
    const kind = Object.keys(KINDS).find((one) => KINDS[one] === dotted) ?? dotted;
    return [[kind, toText(value.value)] as const];
  });
}

function decodeTime(time: Der | undefined): number {
  if (time === undefined) return Number.NaN;
  const digits = toText(time.value);
  const year = Number(digits.slice(0, 2));
  const whole = time.tag === TAG.time ? digits : `${year < 50 ? '20' : '19'}${digits}`;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(whole);
  if (match === null) return Number.NaN;
  const [, ...parts] = match.map(Number);
  const [y = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  return Date.UTC(y, month - 1, day, hour, minute, second);
}

function renderPem(label: string, bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  const lines = text.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function parsePem(text: string, label: string): Uint8Array | null {
  const match = new RegExp(`-----BEGIN ${label}-----([A-Za-z0-9+/=\\s]*)-----END ${label}-----`).exec(text);
  const digits = match?.[1]?.replace(/\s/g, '');
  if (digits === undefined || digits === '' || digits.length % 4 !== 0 || !/^[^=]*={0,2}$/.test(digits))
    return null;
  return Uint8Array.from(atob(digits), (one) => one.charCodeAt(0));
}
