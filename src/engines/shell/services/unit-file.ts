/**
 * Unit files: sections of `Key=value` lines, and the command lines in them.
 *
 * Source: systemd.syntax(7), systemd.service(5) "COMMAND LINES". A key that is given empty forgets what was before; a line
 * that ends in a backslash goes on. Not covered: specifiers other than `%n %N %p %i %%`.
 */

/** A unit file: section → key → values in order. */
export type UnitFile = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Reads a unit file; what is no section or assignment is passed over, as systemd does with a warning. */
export function parseUnitFile(text: string): UnitFile {
  const sections = new Map<string, Map<string, string[]>>();
  let current: Map<string, string[]> | undefined;
  for (const line of text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((one) => one.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const header = /^\[(.+)\]$/.exec(line);
    if (header !== null) {
      const name = header[1] ?? '';
      current = sections.get(name) ?? new Map();
      sections.set(name, current);
      continue;
    }
    const at = line.indexOf('=');
    if (at < 0 || current === undefined) continue;
    const [key, value] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    if (value === '') current.set(key, []);
    else current.set(key, [...(current.get(key) ?? []), value]);
  }
  return sections;
}

/** One command of a unit. */
export interface UnitCommand {
  /** As it stands in the file, without marks. */
  readonly line: string;
  readonly words: readonly string[];
  /** Marked with `-`: a failure is none. */
  readonly mayFail: boolean;
}

/** Reads a command line; null for an empty one. */
export function parseUnitCommand(text: string): UnitCommand | null {
  const match = /^([-@:+!|]*)(.*)$/s.exec(text.trim());
  const line = match?.[2] ?? '';
  const words = splitWords(line);
  return words.length === 0 ? null : { line, words, mayFail: match?.[1]?.includes('-') === true };
}

/** Words with quotes and backslashes taken away. */
function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (letter === '\\' && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + (line[at] as string);
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + letter;
  }
  if (word !== null) words.push(word);
  return words;
}

/** Fills variables and specifiers into the words of a command; a word that is one `$NAME` may become several or none. */
export function expandWords(
  words: readonly string[],
  env: ReadonlyMap<string, string>,
  unit: string,
): string[] {
  return words.flatMap((given) => {
    const word = given.replace(/%([nNpi%])/g, (_, letter: string) => specifier(letter, unit));
    const whole = /^\$([A-Za-z_]\w*)$/.exec(word);
    if (whole !== null) return (env.get(whole[1] ?? '') ?? '').split(/\s+/).filter((one) => one !== '');
    return [word.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => env.get(name) ?? '')];
  });
}

function specifier(letter: string, unit: string): string {
  const bare = unit.replace(/\.[^.]*$/, '');
  if (letter === '%') return '%';
  if (letter === 'n') return unit;
  if (letter === 'N') return bare;
  const [prefix = '', instance = ''] = bare.split('@');
  return letter === 'p' ? prefix : instance;
}

/** A time of a unit file (`5`, `100ms`, `1min 30s`) in microseconds; undefined where it is none. */
export function parseSpan(text: string): number | undefined {
  const units: Readonly<Record<string, number>> = {
    us: 1,
    ms: 1000,
    '': 1e6,
    s: 1e6,
    sec: 1e6,
    m: 6e7,
    min: 6e7,
    h: 3.6e9,
    d: 8.64e10,
  };
  let sum = 0;
  const rest = text.trim().replace(/(\d+(?:\.\d+)?)\s*([a-z]*)\s*/g, (_, number: string, unit: string) => {
    sum += Number(number) * (units[unit] ?? Number.NaN);
    return '';
  });
  return rest === '' && text.trim() !== '' && Number.isFinite(sum) ? sum : undefined;
}
