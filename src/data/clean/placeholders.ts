/**
 * What stands in the place of a secret: a value of the same length and shape that is known again as a placeholder.
 *
 * Without a seed values are numbered in order of appearance in their trajectory, so nothing about a value is in its
 * placeholder. With a seed the number is drawn from (seed, kind, value): the same value has the same placeholder in the
 * whole set, and whoever knows the seed can test a guess, so it is as secret as the data. Short values have few
 * placeholders; where they run out, values share one.
 */
import { hashText } from '../../core/index.js';

/** How a value is imitated. */
export type PlaceholderShape =
  | 'body'
  | 'digits'
  | 'card'
  | 'iban'
  | 'email-name'
  | 'email-domain'
  | 'ipv4'
  | 'ipv6'
  | 'mac';

/** Characters of a value that may hold its number. */
const MOST_NUMBER = 12;
const MOST_TRIES = 2_000;

/** True for a value that only a placeholder has: filled with x or 0 from its start. */
export function isFilled(value: string): boolean {
  const word = value.replace(/[\s.]/g, '');
  const filler = /^x+/i.exec(word)?.[0].length ?? 0;
  if (filler > 0) return filler >= Math.min(4, Math.ceil(word.length / 2));
  const zeros = /^[0-9]?(0*)/.exec(word)?.[1]?.length ?? 0;
  return word.length > 1 && zeros >= Math.min(6, Math.ceil((word.length - 1) / 2));
}

/** True if the number passes the check of card numbers (ISO/IEC 7812). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    if (i % 2 === 1) digit = digit > 4 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 === 0;
}

/** Gives placeholders of one trajectory. */
export class Placeholders {
  private readonly known = new Map<string, string>();
  private readonly given = new Set<string>();
  private readonly counters = new Map<string, number>();
  /** Values that had to share a placeholder. */
  shared = 0;

  /** `taken` are placeholders that the trajectory had before. */
  constructor(
    private readonly seed: string | undefined,
    private readonly taken: ReadonlySet<string>,
  ) {}

  /** True if a placeholder found in the text was given to another value here. */
  hasGiven(placeholder: string): boolean {
    return this.given.has(placeholder);
  }

  /** The placeholder of a value. */
  of(shape: PlaceholderShape, value: string): string {
    const key = `${shape}\0${value}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const made = this.seed === undefined ? this.numbered(shape, value) : drawn(this.seed, shape, value);
    this.known.set(key, made);
    this.given.add(made);
    return made;
  }

  private numbered(shape: PlaceholderShape, value: string): string {
    const group = `${shape} ${value.length}`;
    let number = this.counters.get(group) ?? 0;
    let made = value;
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      number += 1;
      made = imitate(shape, value, BigInt(number));
      if (isUsable(shape, made) && !this.given.has(made) && !this.taken.has(made)) {
        this.counters.set(group, number);
        return made;
      }
    }
    this.shared += 1;
    return made;
  }
}

function drawn(seed: string, shape: PlaceholderShape, value: string): string {
  let made = value;
  for (let tries = 0; tries < 20; tries++) {
    const hash = hashText(JSON.stringify([seed, shape, value, tries]));
    made = imitate(shape, value, BigInt(`0x${hash.slice(0, 24)}`));
    if (isUsable(shape, made)) break;
  }
  return made;
}

function isUsable(shape: PlaceholderShape, made: string): boolean {
  return shape !== 'card' || !passesLuhn(made.replace(/\D/g, ''));
}

function imitate(shape: PlaceholderShape, value: string, number: bigint): string {
  if (shape === 'email-name') return numbered(value.length, { filler: 'x', radix: 36, number, all: true });
  if (shape === 'email-domain') return likeDomain(value, number);
  if (shape === 'ipv4') return likeIpv4(value, number);
  if (shape === 'ipv6') return `fd00${likeHex(value.slice(4), number)}`;
  if (shape === 'mac') return likeHex(value, number % 0xffffffn);
  if (shape === 'iban') return `${value.slice(0, 2)}00${likeDigits(value.slice(4), number, /[A-Z0-9]/i)}`;
  if (shape === 'digits' || shape === 'card') {
    const first = value.search(/\d/);
    return value.slice(0, first + 1) + likeDigits(value.slice(first + 1), number, /\d/);
  }
  return likeBody(value, number);
}

interface Filling {
  readonly filler: string;
  readonly radix: number;
  readonly number: bigint;
  /** The whole may be the number, not only its second half. */
  readonly all?: boolean;
}

/** `length` characters: filler, then the number in as many digits as there is room for. */
function numbered(length: number, { filler, radix, number, all = false }: Filling): string {
  const room = Math.min(MOST_NUMBER, all ? length : Math.floor(length / 2));
  if (room === 0) return filler.repeat(length);
  const digits = (number % BigInt(radix) ** BigInt(room)).toString(radix).padStart(room, '0');
  return filler.repeat(length - room) + digits;
}

/** Puts `filled` in the places of characters that match; the others stay. */
function inPlaces(value: string, filled: string, places: RegExp): string {
  let at = 0;
  return Array.from({ length: value.length }, (_, i) =>
    places.test(value[i] as string) ? (filled[at++] as string) : value[i],
  ).join('');
}

function countOf(value: string, places: RegExp): number {
  let count = 0;
  for (let i = 0; i < value.length; i++) if (places.test(value[i] as string)) count += 1;
  return count;
}

function likeDigits(value: string, number: bigint, places: RegExp): string {
  const filled = numbered(countOf(value, places), { filler: '0', radix: 10, number });
  return inPlaces(value, filled, places);
}

function likeHex(value: string, number: bigint): string {
  const places = /[0-9a-fA-F]/;
  return inPlaces(value, numbered(countOf(value, places), { filler: '0', radix: 16, number }), places);
}

/** White space and full stops stay, so that blocks keep their lines and tokens their parts. */
function likeBody(value: string, number: bigint): string {
  const places = /[^\s.]/;
  const length = countOf(value, places);
  if (/^[0-9]+$/.test(value)) return value[0] + likeDigits(value.slice(1), number, /\d/);
  if (length >= 16 && /^[0-9a-f]+$/.test(value)) return numbered(length, { filler: '0', radix: 16, number });
  const filled = numbered(length, { filler: 'x', radix: 36, number });
  return inPlaces(value, /[a-z]/.test(value) ? filled : filled.toUpperCase(), places);
}

/** The last label becomes z, which no top-level domain is; the others are filled. */
function likeDomain(domain: string, number: bigint): string {
  const dot = domain.lastIndexOf('.');
  const places = /[^.-]/;
  const names = domain.slice(0, dot);
  const filled = numbered(countOf(names, places), { filler: 'x', radix: 36, number, all: true });
  return `${inPlaces(names, filled, places)}.${'z'.repeat(domain.length - dot - 1)}`;
}

/** Octets of the same widths in 0.0.0.0/8, 10.0.0.0/8 or 240.0.0.0/4, which nobody has on the network. */
function likeIpv4(address: string, number: bigint): string {
  const [first = '', ...others] = address.split('.');
  let left = number;
  const made = others.reverse().map((octet) => {
    const [base, count] = octet.length === 1 ? [0n, 10n] : octet.length === 2 ? [10n, 90n] : [100n, 156n];
    const digit = base + (left % count);
    left /= count;
    return String(digit);
  });
  return [first.length === 1 ? '0' : first.length === 2 ? '10' : '240', ...made.reverse()].join('.');
}
