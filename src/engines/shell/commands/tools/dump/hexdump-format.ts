/**
 * Format strings of `hexdump`: `16/1 "%02x " "\n"` and the like, read into units of conversions.
 *
 * A unit is repeated and takes bytes per repetition; the last repetition leaves trailing blanks out. Source:
 * hexdump(1). Not covered: colours (`_L`).
 */

/** One conversion, or the text between. */
export interface Conversion {
  readonly kind:
    | 'text'
    | 'address'
    | 'end-address'
    | 'unsigned'
    | 'signed'
    | 'float'
    | 'char'
    | 'escaped'
    | 'printable'
    | 'name'
    | 'string';
  /** Before and behind the conversion. */
  readonly before: string;
  readonly after: string;
  /** The last letter: `x`, `o`, `d`, …. */
  readonly letter: string;
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  /** Bytes that it takes. */
  readonly bytes: number;
}

/** A repeated part of a format. */
export interface FormatUnit {
  times: number;
  readonly hasTimes: boolean;
  readonly bytes: number;
  readonly conversions: readonly Conversion[];
}

/** A format that cannot be read; its message is what hexdump says. */
export class BadFormat extends Error {}

const CONVERSION = /%([-+ #0]*)(\d*)(?:\.(\d*))?(_[aA][dox]|_[cpu]|[dioxXucsfeEgG]|[^a-zA-Z]|[a-zA-Z])/g;

/** Reads one format string. Raises {@link BadFormat}. */
export function parseFormat(text: string): FormatUnit[] {
  const units: FormatUnit[] = [];
  let rest = text.trimStart();
  while (rest !== '') {
    const head = /^(?:(\d+)\s*)?(?:\/\s*(\d+)\s*)?"((?:[^"\\]|\\.)*)"\s*/s.exec(rest);
    if (head === null) throw new BadFormat(`bad format {${text}}`);
    const [whole, times, bytes, body = ''] = head;
    rest = rest.slice(whole.length);
    const given = bytes === undefined ? undefined : Number(bytes);
    const conversions = conversionsOf(unescaped(body), given);
    const size = conversions.reduce((sum, one) => sum + one.bytes, 0);
    units.push({
      times: times === undefined ? 1 : Number(times),
      hasTimes: times !== undefined,
      bytes: given ?? size,
      conversions,
    });
  }
  return units;
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
};

function unescaped(body: string): string {
  return body.replace(/\\(.)/gs, (_, letter: string) => ESCAPES[letter] ?? letter);
}

function conversionsOf(body: string, given: number | undefined): Conversion[] {
  const out: Conversion[] = [];
  let at = 0;
  for (const match of body.matchAll(CONVERSION)) {
    const [whole, flags = '', width = '', precision, letters = ''] = match;
    const before = body.slice(at, match.index);
    at = match.index + whole.length;
    out.push({
      ...kindOf(letters, { given, precision }),
      before,
      after: '',
      flags,
      width: Number(width || 0),
      precision: precision === undefined ? undefined : Number(precision),
    });
  }
  const tail = body.slice(at);
  const last = out.at(-1);
  if (last !== undefined) out[out.length - 1] = { ...last, after: tail };
  else
    out.push({
      kind: 'text',
      before: tail,
      after: '',
      letter: '',
      flags: '',
      width: 0,
      precision: undefined,
      bytes: 0,
    });
  return out;
}

function kindOf(
  letters: string,
  { given, precision }: { readonly given: number | undefined; readonly precision: string | undefined },
): Pick<Conversion, 'kind' | 'letter' | 'bytes'> {
  const letter = letters.at(-1) ?? '';
  if (letters.startsWith('_a')) return { kind: 'address', letter, bytes: 0 };
  if (letters.startsWith('_A')) return { kind: 'end-address', letter, bytes: 0 };
  if (letters === '_c') return { kind: 'escaped', letter, bytes: 1 };
  if (letters === '_p') return { kind: 'printable', letter, bytes: 1 };
  if (letters === '_u') return { kind: 'name', letter, bytes: 1 };
  if (letter === 'c') return { kind: 'char', letter, bytes: 1 };
  if (letter === 's') return { kind: 'string', letter, bytes: given ?? Number(precision ?? 0) };
  if ('di'.includes(letter)) return { kind: 'signed', letter: 'd', bytes: sized(given, 4, '12 4 8') };
  if ('ouxX'.includes(letter)) return { kind: 'unsigned', letter, bytes: sized(given, 4, '12 4 8') };
  if ('feEgG'.includes(letter)) return { kind: 'float', letter, bytes: sized(given, 8, '4 8') };
  throw new BadFormat(`bad conversion character %${letters}`);
}

function sized(given: number | undefined, otherwise: number, allowed: string): number {
  if (given === undefined) return otherwise;
  if (!allowed.includes(String(given))) throw new BadFormat('bad byte count for conversion character');
  return given;
}
