/**
 * The forms in which a text may hide another: other case, other spaces, invisible characters, escapes, encodings.
 *
 * Everything is linear in the text. Not covered: translations, paraphrases, ciphers with a key, numbers in words.
 */

/**
 * Small letters of other scripts that look like Latin ones. Source: Unicode Technical Standard 39, confusables (letters of
 * the Cyrillic, Greek and Armenian scripts only).
 */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  [
    ...[
      'аa',
      'ьb',
      'сc',
      'ԁd',
      'еe',
      'ёe',
      'һh',
      'іi',
      'їi',
      'ӏl',
      'јj',
      'кk',
      'мm',
      'нh',
      'оo',
      'рp',
      'ԛq',
      'гr',
    ],
    ...[
      'ѕs',
      'тt',
      'уy',
      'ѵv',
      'ԝw',
      'хx',
      'вb',
      'αa',
      'βb',
      'εe',
      'ηn',
      'ιi',
      'κk',
      'μu',
      'νv',
      'οo',
      'ρp',
      'σo',
    ],
    ...['τt', 'υu', 'χx', 'γy', 'ζz', 'օo', 'ոn', 'սu', 'հh', 'ցg', 'քf'],
  ].map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
);

/** Letters that look like Latin ones as these; the text is in small letters already. */
function likeLatin(text: string): string {
  return text.replace(/[\u0370-\u058f]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter);
}

/** Lower case, look-alike forms unified, invisible characters gone, white space as single spaces. */
export function plainForm(text: string): string {
  const visible = text.normalize('NFKC').replace(/\p{Cf}/gu, '');
  return likeLatin(visible.toLowerCase()).replace(/\s+/g, ' ').trim();
}

/** Letters and digits only, lower case: what is left when separators, line breaks and marks are taken out. */
export function squeezedForm(text: string): string {
  return likeLatin(
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase(),
  );
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** The text as it reads once JSON escapes, HTML entities and URL escapes are resolved, wherever they stand. */
function withoutEscapes(text: string): string {
  const json = text.replace(
    /\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gi,
    (_whole, four, two, letter?: string) => {
      const code: string | undefined = four ?? two;
      return code === undefined
        ? (ESCAPED[letter ?? ''] ?? letter ?? '')
        : String.fromCharCode(Number.parseInt(code, 16));
    },
  );
  const html = json.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, dec, hex, name) => {
    const code =
      dec === undefined ? (hex === undefined ? Number.NaN : Number.parseInt(hex, 16)) : Number(dec);
    if (Number.isNaN(code)) return ENTITIES[String(name).toLowerCase()] ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return html.replace(/(?:%[0-9a-f]{2})+/gi, (whole) =>
    decodeBytes(
      whole
        .split('%')
        .slice(1)
        .map((pair) => Number.parseInt(pair, 16)),
    ),
  );
}

const BASE64 = /[A-Za-z0-9+/_-]{8,}={0,2}/g;
const HEX = /(?:[0-9a-f]{2}[\s:]?){4,}/gi;
/** Runs longer than this are looked at up to here. */
const RUN_CHARS = 20_000;

/** What runs of base64 (also its URL form, at any alignment) and hexadecimal digits say. */
function decodedRuns(text: string): readonly string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(BASE64)) {
    for (let skip = 0; skip < 4 && run.length - skip >= 8; skip++) {
      const bytes = fromBase64(run.slice(skip, RUN_CHARS));
      if (looksLikeText(bytes)) found.push(decodeBytes(bytes));
    }
  }
  for (const [run] of text.matchAll(HEX)) {
    const digits = run.slice(0, RUN_CHARS).replace(/[\s:]/g, '');
    for (const skip of [0, 1]) {
      const bytes = [...digits.slice(skip).matchAll(/../g)].map(([pair]) => Number.parseInt(pair, 16));
      if (looksLikeText(bytes)) found.push(decodeBytes(bytes));
    }
  }
  return found;
}

/** A run that decodes to control bytes is no text; most words of ordinary prose are such runs. */
function looksLikeText(bytes: readonly number[]): boolean {
  return bytes.length >= 4 && bytes.every((byte) => byte >= 0x20 || byte === 0x0a || byte === 0x09);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

function fromBase64(text: string): readonly number[] {
  const bytes: number[] = [];
  let bits = 0;
  let count = 0;
  for (const letter of text) {
    const value = VALUES.get(letter === '-' ? '+' : letter === '_' ? '/' : letter);
    if (value === undefined) break;
    bits = ((bits << 6) | value) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push((bits >> count) & 0xff);
    }
  }
  return bytes;
}

function decodeBytes(bytes: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Letters moved by thirteen. */
function rotated(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const start = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - start + 13) % 26) + start);
  });
}

/** The text from its end to its start, by code points. */
function reversed(text: string): string {
  return [...text].reverse().join('');
}

/** A text in all forms in which something may hide in it. */
export interface SearchedText {
  readonly plain: readonly string[];
  readonly squeezed: readonly string[];
}

/** Prepares a text for looking into it. */
export function searchedText(text: string): SearchedText {
  const open = withoutEscapes(text);
  const plain = [...new Set([text, open, ...decodedRuns(open), rotated(open)])].map(plainForm);
  const squeezed = [...new Set([text, open])].map(squeezedForm);
  return { plain, squeezed: [...squeezed, ...squeezed.map(reversed)] };
}
