/**
 * Seeded texts that fit a format or a field's name.
 *
 * The last word of the name decides (`assignee_email`, `due_date`), the row's noun helps with titles. Hosts and
 * addresses are of documentation ranges that nobody owns.
 */
import type { RandomStream } from '../../../core/index.js';
import { singularOf, splitWords } from '../infer/words.js';
import { faker, withStream } from './values-faker.js';
import { MEETINGS, PRODUCTS, SENTENCES, TASKS, THINGS } from './values-words.js';

/** What a value is made with. */
export interface ValueContext {
  readonly random: RandomStream;
  /** The latest time of dates in the past, milliseconds since 1970 UTC. Default: 2026-01-01. */
  readonly nowMs?: number;
  /** Singular words of what the row is, for example `pull request`. */
  readonly singular?: string;
}

const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);

/** A {@link ValueContext} with the field's description. */
export type Making = ValueContext & { readonly description?: string };

/** A text of a JSON Schema format; undefined for formats that are not known. */
export function formatFor(format: string, context: ValueContext): string | undefined {
  const { random } = context;
  const now = context.nowMs ?? DEFAULT_NOW_MS;
  const past = (): string => new Date(now - random.integer(1, 90 * 24 * 60) * 60_000).toISOString();
  switch (format) {
    case 'date-time':
      return past();
    case 'date':
      return past().slice(0, 10);
    case 'time':
      return `${past().slice(11, 19)}Z`;
    case 'duration':
      return `PT${random.integer(5, 120)}M`;
    case 'email':
    case 'idn-email':
      return withStream(random, () => emailOf(faker.person.firstName(), faker.person.lastName()));
    case 'uri':
    case 'url':
    case 'iri':
    case 'uri-reference':
    case 'iri-reference':
      return withStream(random, () => `https://example.com/${faker.lorem.slug(2)}`);
    case 'uuid':
      return withStream(random, () => faker.string.uuid());
    case 'hostname':
    case 'idn-hostname':
      return withStream(random, () => `${faker.lorem.word()}.example.com`);
    case 'ipv4':
      return `192.0.2.${random.integer(1, 254)}`;
    case 'ipv6':
      return `2001:db8::${random.integer(1, 65_535).toString(16)}`;
    case 'byte':
      return 'aGVsbG8=';
    case 'json-pointer':
      return '/0';
    case 'relative-json-pointer':
      return '0';
    case 'regex':
      return '.*';
    case 'uri-template':
      return 'https://example.com/{id}';
    default:
      return undefined;
  }
}

/** Addresses of a domain that nobody owns. */
function emailOf(first: string, last: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return `${plain(first)}.${plain(last)}@example.com`;
}

const past = (making: Making, days = 90): string =>
  new Date(
    (making.nowMs ?? DEFAULT_NOW_MS) - making.random.integer(1, days * 24 * 60) * 60_000,
  ).toISOString();
const future = (making: Making): string =>
  new Date((making.nowMs ?? DEFAULT_NOW_MS) + making.random.integer(1, 30 * 24 * 4) * 900_000).toISOString();

/** A text that fits a name: the last word decides, the row's noun helps. */
export function named(name: string, making: Making): string {
  const words = splitWords(name).map(singularOf);
  const last = words.at(-1) ?? '';
  const whole = words.join('');
  const { random } = making;
  const noun = singularOf(splitWords(making.singular ?? '').at(-1) ?? '');
  const exact = Object.hasOwn(THINGS, whole) ? THINGS[whole] : undefined;
  const alike = Object.hasOwn(THINGS, last) ? THINGS[last] : undefined;
  if (exact !== undefined) return random.pick(exact);
  if (last === 'title' && noun === 'employee') return faker.person.jobTitle();
  return (
    personText(last, whole) ??
    techText({ last, whole, random }) ??
    (alike === undefined ? undefined : random.pick(alike)) ??
    timeText({ words, last, whole, making }) ??
    placeText(last, whole) ??
    proseText({ last, noun, random })
  );
}

function personText(last: string, whole: string): string | undefined {
  if (
    /email$/.test(whole) ||
    ['from', 'sender', 'to', 'recipient', 'cc', 'bcc', 'attendee', 'invitee'].includes(last)
  ) {
    return emailOf(faker.person.firstName(), faker.person.lastName());
  }
  if (/first ?name|given ?name/.test(whole)) return faker.person.firstName();
  if (/lastname|surname|familyname/.test(whole)) return faker.person.lastName();
  if (['username', 'login', 'handle', 'nickname'].includes(whole) || last === 'username')
    return faker.person.firstName().toLowerCase() + faker.string.numeric(2);
  if (
    [
      'assignee',
      'author',
      'owner',
      'reporter',
      'creator',
      'reviewer',
      'user',
      'member',
      'createdby',
    ].includes(last) ||
    last === 'by'
  )
    return faker.person.firstName().toLowerCase();
  if (
    [
      'fullname',
      'displayname',
      'realname',
      'contactname',
      'customername',
      'payee',
      'manager',
      'organizer',
    ].includes(whole)
  )
    return faker.person.fullName();
  if (last === 'phone' || last === 'mobile' || whole === 'phonenumber')
    return `+1-555-01${faker.string.numeric(2)}`;
  if (whole === 'jobtitle' || last === 'position' || last === 'job') return faker.person.jobTitle();
  if (
    last === 'company' ||
    last === 'organization' ||
    whole === 'companyname' ||
    last === 'vendor' ||
    last === 'supplier'
  )
    return faker.company.name();
  return undefined;
}

function techText(of: {
  readonly last: string;
  readonly whole: string;
  readonly random: RandomStream;
}): string | undefined {
  const { last, whole, random } = of;
  if (last === 'url' || last === 'link' || last === 'website' || last === 'href')
    return `https://example.com/${faker.lorem.slug(2)}`;
  if (last === 'sha' || last === 'commit' || whole === 'commitid' || last === 'hash')
    return faker.string.hexadecimal({ length: 40, casing: 'lower', prefix: '' });
  if (last === 'uuid' || last === 'guid') return faker.string.uuid();
  if (last === 'slug') return faker.lorem.slug(2);
  if (last === 'domain' || last === 'host' || last === 'hostname') return `${faker.lorem.word()}.example.com`;
  if (last === 'ip') return `192.0.2.${random.integer(1, 254)}`;
  if (whole === 'mimetype' || whole === 'contenttype')
    return random.pick(['text/plain', 'application/pdf', 'image/png', 'text/markdown']);
  if (last === 'version') return `${random.integer(0, 4)}.${random.integer(0, 12)}.${random.integer(0, 9)}`;
  if (last === 'path' || last === 'file')
    return `/${random.pick(['docs', 'src', 'data', 'notes'])}/${faker.lorem.slug(2)}.${random.pick(['md', 'txt', 'json', 'csv'])}`;
  if (last === 'filename') return `${faker.lorem.slug(2)}.${random.pick(['pdf', 'md', 'txt', 'csv', 'png'])}`;
  if (last === 'sku') return `SKU-${faker.string.numeric(4)}`;
  if (last === 'iban') return `DE${faker.string.numeric(20)}`;
  if (last === 'repo' || last === 'repository')
    return random.pick(['atlas', 'website', 'billing-api', 'mobile-app']);
  if (last === 'org' || last === 'workspace' || last === 'tenant')
    return random.pick(['acme', 'globex', 'initech']);
  if (
    last === 'id' ||
    last === 'key' ||
    last === 'token' ||
    last === 'code' ||
    last === 'number' ||
    last === 'reference'
  )
    return faker.string.alphanumeric({ length: 10, casing: 'lower' });
  return undefined;
}

function timeText(of: {
  readonly words: readonly string[];
  readonly last: string;
  readonly whole: string;
  readonly making: Making;
}): string | undefined {
  const { words, last, whole, making } = of;
  const later = words.some((word) =>
    ['due', 'deadline', 'expire', 'expiry', 'start', 'begin', 'scheduled', 'next'].includes(word),
  );
  const day = /format.{0,20}YYYY-MM-DD|ISO date/i.test(making.description ?? '');
  if (last === 'date' || last === 'birthday' || last === 'day' || day)
    return (later ? future(making) : past(making)).slice(0, 10);
  if (last === 'ts')
    return `${Math.floor(Date.parse(past(making)) / 1000)}.${String(making.random.integer(0, 999_999)).padStart(6, '0')}`;
  const timed =
    ['at', 'time', 'timestamp', 'datetime', 'on'].includes(last) ||
    ['start', 'end', 'created', 'updated', 'modified', 'deadline', 'due', 'published'].includes(whole);
  return timed ? (later || whole === 'end' ? future(making) : past(making)) : undefined;
}

function placeText(last: string, whole: string): string | undefined {
  if (last === 'city') return faker.location.city();
  if (last === 'country') return faker.location.country();
  if (whole === 'countrycode') return faker.location.countryCode();
  if (last === 'zip' || last === 'postcode' || whole === 'postalcode' || whole === 'zipcode')
    return faker.string.numeric(5);
  if (last === 'street') return faker.location.streetAddress();
  if (last === 'address') return `${faker.location.streetAddress()}, ${faker.location.city()}`;
  if (last === 'location' || last === 'place' || last === 'venue') return faker.location.city();
  if (last === 'room') return `Room ${faker.string.numeric(3)}`;
  return undefined;
}

const PEOPLE = new Set([
  'user',
  'person',
  'contact',
  'customer',
  'employee',
  'member',
  'payee',
  'patient',
  'student',
  'author',
  'me',
  'attendee',
  'entity',
  'guest',
  'doctor',
  'lead',
]);
const EVENTS = new Set(['event', 'meeting', 'appointment', 'booking', 'reservation']);

function proseText(of: {
  readonly last: string;
  readonly noun: string;
  readonly random: RandomStream;
}): string {
  const { last, noun, random } = of;
  if (['title', 'subject', 'summary', 'name', 'label', 'headline'].includes(last))
    return titleText(noun, random);
  if (
    [
      'body',
      'content',
      'description',
      'text',
      'note',
      'message',
      'comment',
      'detail',
      'bio',
      'observation',
      'reason',
      'markdown',
      'log',
      'logs',
      'insight',
      'feedback',
      'answer',
      'question',
    ].includes(last)
  ) {
    return paragraph(random, last === 'body' || last === 'content' ? 3 : 2);
  }
  if (last === 'html') return `<p>${paragraph(random, 2)}</p>`;
  return faker.lorem.words(2);
}

function titleText(noun: string, random: RandomStream): string {
  if (PEOPLE.has(noun)) return faker.person.fullName();
  if (EVENTS.has(noun)) return random.pick(MEETINGS);
  if (['product', 'item', 'cart', 'listing'].includes(noun)) return random.pick(PRODUCTS);
  if (['company', 'organization', 'account', 'vendor', 'supplier', 'client'].includes(noun))
    return faker.company.name();
  if (noun === 'file' || noun === 'attachment' || noun === 'artifact')
    return `${faker.lorem.slug(2)}.${random.pick(['pdf', 'md', 'csv', 'png'])}`;
  if (Object.hasOwn(THINGS, noun)) return random.pick(THINGS[noun] ?? [noun]);
  return random.pick(TASKS);
}

function paragraph(random: RandomStream, sentences: number): string {
  const start = random.integer(0, SENTENCES.length - 1);
  return Array.from(
    { length: sentences },
    (_, i) => SENTENCES[(start + i * 5) % SENTENCES.length] ?? '',
  ).join(' ');
}
