/**
 * Seeded values that fit a field: its schema first, then its name and description.
 *
 * The library is faker with English words only. It draws from the stream that the caller gives, never from the
 * host's clock or its own state, so a value depends on the stream alone. Values of enums, formats and bounds obey
 * the schema; names choose among plausible texts. Not covered: patterns beyond simple ones (see `sample-pattern`),
 * other languages, values that must agree with each other (see `seed`).
 */
import type { Faker, Randomizer } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';
import type { Json, JsonObject, RandomStream } from '../../core/index.js';
import { own, typesOf } from './infer-schema.js';
import { samplePattern } from './sample-pattern.js';
import type { Field } from './service.js';
import { singularOf, splitWords } from './words.js';

/** Draws from whatever stream is set; one instance of faker serves all streams. */
class StreamRandomizer implements Randomizer {
  stream: RandomStream | undefined;

  next(): number {
    return this.stream?.next() ?? 0;
  }

  /** Streams are seeded by their names, not here. */
  seed(): void {}
}

const randomizer = new StreamRandomizer();
const faker = createFaker();

function createFaker(): Faker {
  const Made = english.constructor as new (options: { locale: unknown; randomizer: Randomizer }) => Faker;
  return new Made({ locale: english.rawDefinitions, randomizer });
}

/** What a value is made with. */
export interface ValueContext {
  readonly random: RandomStream;
  /** The latest time of dates in the past, milliseconds since 1970 UTC. Default: 2026-01-01. */
  readonly nowMs?: number;
  /** Singular words of what the row is, for example `pull request`. */
  readonly singular?: string;
}

const DEFAULT_NOW_MS = Date.UTC(2026, 0, 1);

/** A value for a field. Obeys enum, const, format, bounds and simple patterns; `null` only where nothing else is allowed. */
export function valueFor(field: Pick<Field, 'name' | 'schema' | 'description'>, context: ValueContext): Json {
  randomizer.stream = context.random;
  try {
    return valueOfSchema(field.name, field.schema, {
      ...context,
      ...(field.description === undefined ? {} : { description: field.description }),
    });
  } finally {
    randomizer.stream = undefined;
  }
}

type Making = ValueContext & { readonly description?: string };

function valueOfSchema(name: string, schema: JsonObject, making: Making): Json {
  const only = own(schema, 'const');
  if (only !== undefined) return only;
  const choices = own(schema, 'enum');
  if (Array.isArray(choices) && choices.length > 0)
    return pickChoice(choices as readonly Json[], making.random);
  const [type] = typesOf(schema);
  switch (type) {
    case 'integer':
    case 'number':
      return numberFor(name, schema, { integer: type === 'integer', random: making.random });
    case 'boolean':
      return making.random.chance(TRUE_MOSTLY.test(name) ? 0.8 : 0.25);
    case 'array':
      return listFor(name, schema, making);
    case 'object':
      return objectFor(schema, making);
    case 'null':
      return null;
    default:
      return textFor(name, schema, making);
  }
}

const TRUE_MOSTLY = /active|enabled|available|in_?stock|verified|published|visible/i;

function pickChoice(choices: readonly Json[], random: RandomStream): Json {
  const telling = choices.filter((choice) => choice !== null && choice !== '');
  return random.pick(telling.length > 0 ? telling : choices);
}

function listFor(name: string, schema: JsonObject, making: Making): Json {
  const items = own(schema, 'items');
  const item =
    typeof items === 'object' && items !== null && !Array.isArray(items)
      ? (items as JsonObject)
      : { type: 'string' };
  const least = boundOf(schema, 'minItems') ?? 0;
  const most = Math.max(least, Math.min(boundOf(schema, 'maxItems') ?? 3, least + 3));
  const count = making.random.integer(least, most);
  const inner = singularOf(splitWords(name).at(-1) ?? name);
  const values = Array.from({ length: count }, () =>
    valueOfSchema(LIST_ITEMS.has(inner) ? inner : inner, item, making),
  );
  const unique = own(schema, 'uniqueItems') === true || typesOf(item)[0] === 'string';
  return unique && least === 0
    ? [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
    : values;
}

const LIST_ITEMS = new Set(['tag', 'label']);

function objectFor(schema: JsonObject, making: Making): Json {
  const properties = own(schema, 'properties');
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return {};
  const pairs = Object.entries(properties as JsonObject)
    .slice(0, 50)
    .map(([name, value]): [string, Json] => {
      const inner =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
      return [name, valueOfSchema(name, inner, making)];
    });
  return Object.fromEntries(pairs);
}

function boundOf(schema: JsonObject, key: string): number | undefined {
  const value = own(schema, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Usual ranges of numbers by the last words of their names. */
const RANGES: readonly (readonly [RegExp, number, number, number])[] = [
  [/(?:price|amount|cost|total|subtotal|fee|balance|salary|budget|revenue|tax)$/i, 5, 500, 2],
  [/(?:percent|percentage|progress)$/i, 0, 100, 0],
  [/rating$/i, 1, 5, 1],
  [/(?:quantity|qty|count|stock|seats|guests)$/i, 0, 40, 0],
  [/age$/i, 18, 80, 0],
  [/year$/i, 2015, 2025, 0],
  [/(?:lat|latitude)$/i, -60, 60, 5],
  [/(?:lon|lng|longitude)$/i, -150, 150, 5],
  [/(?:size|bytes)$/i, 200, 250_000, 0],
  [/(?:duration|minutes|seconds|timeout)$/i, 5, 120, 0],
  [/(?:port)$/i, 1024, 9999, 0],
  [/(?:priority|level|severity|position|order|rank)$/i, 1, 5, 0],
  [/(?:weight|height|width|distance)(?:_?kg|_?cm|_?km)?$/i, 1, 100, 1],
  [/(?:score|points)$/i, 0, 100, 0],
];

function numberFor(
  name: string,
  schema: JsonObject,
  how: { readonly integer: boolean; readonly random: RandomStream },
): number {
  const [, low, high, digits] = RANGES.find(([words]) => words.test(name)) ?? [/./, 1, 100, 0];
  const step = boundOf(schema, 'multipleOf');
  const given = boundsOf(schema, how.integer ? 1 : 0.01);
  const min = given.min ?? (given.max === undefined ? low : Math.min(low, given.max));
  const max = given.max ?? Math.max(high, min);
  if (step !== undefined && step > 0) {
    const first = Math.ceil(min / step);
    return how.random.integer(first, Math.max(first, Math.floor(max / step))) * step;
  }
  if (how.integer || digits === 0) {
    const first = Math.ceil(min);
    const last = Math.floor(max);
    if (first <= last) return how.random.integer(first, Math.min(last, first + 4_000_000_000));
  }
  const raw = min + how.random.next() * (max - min);
  const rounded = Number(raw.toFixed(digits === 0 ? 2 : digits));
  return rounded >= min && rounded <= max ? rounded : raw;
}

/** Bounds of a schema, exclusive ones moved inwards by a step. */
function boundsOf(
  schema: JsonObject,
  step: number,
): { readonly min: number | undefined; readonly max: number | undefined } {
  const above = own(schema, 'exclusiveMinimum');
  const below = own(schema, 'exclusiveMaximum');
  const min = boundOf(schema, 'minimum');
  const max = boundOf(schema, 'maximum');
  const lows = [
    min === undefined ? undefined : above === true ? min + step : min,
    typeof above === 'number' ? above + step : undefined,
  ];
  const highs = [
    max === undefined ? undefined : below === true ? max - step : max,
    typeof below === 'number' ? below - step : undefined,
  ];
  const low = lows.filter((value): value is number => value !== undefined);
  const high = highs.filter((value): value is number => value !== undefined);
  return {
    min: low.length === 0 ? undefined : Math.max(...low),
    max: high.length === 0 ? undefined : Math.min(...high),
  };
}

function textFor(name: string, schema: JsonObject, making: Making): string {
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') {
    const text = samplePattern(pattern, making.random);
    if (text !== undefined && fitsLength(text, schema)) return text;
  }
  const format = own(schema, 'format');
  const formatted = typeof format === 'string' ? formatFor(format, making) : undefined;
  if (formatted !== undefined) return formatted;
  return lengthened(named(name, making), schema);
}

function fitsLength(text: string, schema: JsonObject): boolean {
  const length = [...text].length;
  return (
    length >= (boundOf(schema, 'minLength') ?? 0) &&
    length <= (boundOf(schema, 'maxLength') ?? Number.MAX_SAFE_INTEGER)
  );
}

function lengthened(text: string, schema: JsonObject): string {
  const min = boundOf(schema, 'minLength') ?? 0;
  const max = boundOf(schema, 'maxLength') ?? Number.MAX_SAFE_INTEGER;
  let letters = [...text];
  while (letters.length < min && letters.length < 10_000)
    letters = [...letters, ...(letters.length === 0 ? 'text' : ` ${text}`)];
  return letters
    .slice(0, Math.max(min, Math.min(max, letters.length)))
    .join('')
    .slice(0, 100_000);
}

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

/** Runs with a stream set; restores what was set before, so that calls nest. */
function withStream<T>(random: RandomStream, make: () => T): T {
  const before = randomizer.stream;
  randomizer.stream = random;
  try {
    return make();
  } finally {
    randomizer.stream = before;
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

const THINGS: Readonly<Record<string, readonly string[]>> = {
  channel: [
    'general',
    'random',
    'engineering',
    'support',
    'announcements',
    'design',
    'sales',
    'incidents',
    'on-call',
    'hiring',
  ],
  label: [
    'bug',
    'feature',
    'urgent',
    'documentation',
    'question',
    'wontfix',
    'duplicate',
    'enhancement',
    'security',
    'performance',
  ],
  tag: ['home', 'work', 'important', 'later', 'idea', 'finance', 'travel', 'reading', 'health', 'project'],
  folder: [
    'Inbox',
    'Archive',
    'Drafts',
    'Receipts',
    'Projects',
    'Travel',
    'Contracts',
    'Photos',
    'Reports',
    'Personal',
  ],
  calendar: ['Work', 'Personal', 'Team', 'Holidays', 'On-call', 'Birthdays'],
  board: ['Roadmap', 'Sprint 14', 'Backlog', 'Marketing', 'Hiring', 'Platform'],
  column: ['To do', 'In progress', 'Review', 'Done', 'Blocked', 'Backlog'],
  space: ['Engineering', 'Handbook', 'Product', 'Support', 'Operations', 'Design'],
  branch: [
    'main',
    'develop',
    'release/1.4',
    'fix/login-timeout',
    'feature/export',
    'feature/dark-mode',
    'hotfix/cache',
    'docs/setup',
  ],
  team: ['Platform', 'Growth', 'Mobile', 'Data', 'Infrastructure', 'Support'],
  department: ['Engineering', 'Sales', 'Marketing', 'Finance', 'Operations', 'People'],
  pipeline: ['build-and-test', 'deploy-staging', 'deploy-production', 'nightly', 'lint', 'release'],
  category: ['Electronics', 'Books', 'Garden', 'Toys', 'Clothing', 'Kitchen'],
  industry: ['Software', 'Logistics', 'Healthcare', 'Retail', 'Energy', 'Education'],
  role: ['admin', 'member', 'viewer', 'editor', 'owner'],
  stage: ['lead', 'qualified', 'proposal', 'won', 'lost'],
  priority: ['low', 'medium', 'high'],
  severity: ['low', 'medium', 'high', 'critical'],
  status: ['open', 'in_progress', 'closed'],
  state: ['open', 'closed'],
  reaction: ['thumbsup', 'heart', 'eyes', 'rocket', 'tada', 'smile'],
  type: ['standard', 'internal', 'external', 'other'],
  language: ['en', 'de', 'fr', 'es', 'ja'],
  locale: ['en-US', 'en-GB', 'de-DE', 'fr-FR'],
  timezone: ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Tokyo'],
  color: ['d73a4a', '0075ca', 'a2eeef', '7057ff', '008672', 'e4e669'],
  currency: ['USD', 'EUR', 'GBP'],
  environment: ['production', 'staging', 'development'],
  entitytype: ['person', 'organization', 'project', 'place', 'event'],
  relationtype: ['works_at', 'knows', 'owns', 'located_in', 'part_of'],
  unit: ['piece', 'kg', 'box', 'hour'],
  gender: ['female', 'male', 'other'],
};

const TASKS = [
  'Fix the login timeout',
  'Update the onboarding guide',
  'Review the quarterly budget',
  'Prepare the release notes',
  'Call the supplier',
  'Clean up old branches',
  'Plan the team offsite',
  'Export fails for large files',
  'Add dark mode to settings',
  'Renew the domain',
  'Migrate the database',
  'Write tests for the parser',
  'Answer customer feedback',
  'Order new monitors',
  'Search is slow on mobile',
  'Broken link in the footer',
  'Draft the hiring plan',
  'Check the backup restore',
  'Translate the help pages',
  'Typo on the pricing page',
];
const SENTENCES = [
  'Works on the second try.',
  'Seen by two customers this week.',
  'Please have a look before Friday.',
  'The numbers in the last report were off.',
  'This came up in the weekly call.',
  'No action is needed from other teams.',
  'See the linked notes for the details.',
  'It started after the last update.',
  'A short summary follows below.',
  'We agreed to revisit this next month.',
  'The draft is ready for comments.',
  'Steps to reproduce are attached.',
];
const PRODUCTS = [
  'Desk lamp',
  'Oak bookshelf',
  'Wireless mouse',
  'Ceramic mug',
  'Standing desk',
  'Canvas backpack',
  'Travel kettle',
  'Noise-cancelling headphones',
  'Notebook set',
  'Garden hose',
  'Rain jacket',
  'Mechanical keyboard',
];
const MEETINGS = [
  'Weekly sync',
  'Design review',
  'Dentist',
  'Interview',
  'Lunch with Sam',
  'Quarterly planning',
  'One-on-one',
  'Release retrospective',
  'Budget talk',
  'Customer call',
];

/** A text that fits a name: the last word decides, the row's noun helps. */
function named(name: string, making: Making): string {
  const words = splitWords(name).map(singularOf);
  const last = words.at(-1) ?? '';
  const whole = words.join('');
  const { random } = making;
  const noun = singularOf(splitWords(making.singular ?? '').at(-1) ?? '');
  const table = THINGS[whole] ?? (last in THINGS && Object.hasOwn(THINGS, last) ? THINGS[last] : undefined);
  if (table !== undefined) return random.pick(table);
  return (
    personText(last, whole) ??
    techText({ last, whole, random, making }) ??
    timeText({ words, last, whole, making }) ??
    placeText(last, whole) ??
    proseText({ last, whole, noun, random })
  );
}

function personText(last: string, whole: string): string | undefined {
  if (
    /email$/.test(whole) ||
    ['from', 'sender', 'recipient', 'cc', 'bcc', 'attendee', 'invitee'].includes(last)
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
  readonly making: Making;
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
  'guest',
  'doctor',
  'lead',
]);
const EVENTS = new Set(['event', 'meeting', 'appointment', 'booking', 'reservation']);

function proseText(of: {
  readonly last: string;
  readonly whole: string;
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
