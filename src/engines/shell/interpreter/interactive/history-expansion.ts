/**
 * History expansion: `!!`, `!n`, `!text`, `!$`, `^old^new` with word designators and modifiers.
 *
 * Source: bash manual, History Expansion. Not covered: `:&`, quick substitution with more than one change.
 */

/** The expanded line, whether anything changed, and whether it is only to be shown. */
export interface HistoryExpansion {
  readonly line: string;
  readonly changed: boolean;
  readonly onlyShown: boolean;
}

/** An event or word that is not there; the message is without the shell's name. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** Splits a line into words as history does: quotes hold words together, operators stand alone. */
function historyWords(line: string): string[] {
  return line.match(/(?:\\.|"(?:\\.|[^"])*"|'[^']*'|[^\s"'\\|&;<>()])+|[|&;<>()]+/g) ?? [];
}

function findEvent(
  history: readonly string[],
  start: number,
  at: { readonly text: string; readonly before: string },
): { line: string; length: number } {
  const { text } = at;
  const number = /^!(-?\d+)/.exec(text);
  const missing = (name: string) => new HistoryError(`${name}: event not found`);
  if (text.startsWith('!#')) return { line: at.before, length: 2 };
  if (text.startsWith('!!')) {
    const line = history.at(-1);
    if (line === undefined) throw missing('!!');
    return { line, length: 2 };
  }
  if (number !== null) {
    const value = Number(number[1]);
    const line = value < 0 ? history[history.length + value] : history[value - start];
    if (line === undefined) throw missing(number[0]);
    return { line, length: number[0].length };
  }
  const contains = /^!\?([^?\n]*)\??/.exec(text);
  if (contains !== null) {
    const line = history.findLast((one) => one.includes(contains[1] ?? ''));
    if (line === undefined) throw missing(contains[0]);
    return { line, length: contains[0].length };
  }
  if (/^![$^*:%-]/.test(text)) {
    const line = history.at(-1);
    if (line === undefined) throw missing(text.slice(0, 2));
    return { line, length: 1 };
  }
  const prefix = /^!([^\s:^$*%"'=;&|()<>]+)/.exec(text);
  const name = prefix?.[1] ?? '';
  const line = history.findLast((one) => one.startsWith(name));
  if (line === undefined) throw missing(`!${name}`);
  return { line, length: 1 + name.length };
}

/** Picks words: `:1`, `:2-3`, `:^`, `:$`, `:*`. */
function pickWords(line: string, text: string): { value: string; length: number } {
  const match = /^:?(\^|\$|\*|(?<=:)\d+(?:-(?:\d+|\$)?|\*)?|(?<=:)-\d+)/.exec(text);
  if (match === null) return { value: line, length: 0 };
  const words = historyWords(line);
  const last = words.length - 1;
  const spec = match[1] as string;
  const { length } = match[0];
  const bad = () => new HistoryError(`${match[0]}: bad word specifier`);
  if (spec === '*') return { value: words.slice(1).join(' '), length };
  const range = /^(\d*)(-?)(\d*|\$)(\*?)$/.exec(spec);
  const from = spec === '^' ? 1 : spec === '$' ? last : Number(range?.[1] === '' ? 0 : (range?.[1] ?? 0));
  let to = from;
  if (range?.[4] === '*') to = last;
  else if (range?.[2] === '-') to = range[3] === '$' ? last : range[3] === '' ? last - 1 : Number(range[3]);
  if (from > last || to > last || from > to) throw bad();
  return { value: words.slice(from, to + 1).join(' '), length };
}

/** Applies modifiers: `:h`, `:t`, `:r`, `:e`, `:p`, `:q`, `:s/a/b/`, `:gs/a/b/`. */
function modify(value: string, text: string): { value: string; length: number; onlyShown: boolean } {
  let out = value;
  let length = 0;
  let onlyShown = false;
  for (;;) {
    const rest = text.slice(length);
    const substitution = /^:(g?)s(.)((?:\\.|(?!\2).)*)\2((?:\\.|(?!\2).)*)\2?/.exec(rest);
    const simple = /^:([htrepq])/.exec(rest);
    if (substitution !== null) {
      const [whole, global, , from = '', to = ''] = substitution;
      if (!out.includes(from)) throw new HistoryError(`${whole}: substitution failed`);
      out = global === 'g' ? out.split(from).join(to) : out.replace(from, () => to);
      length += whole.length;
    } else if (simple !== null) {
      if (simple[1] === 'h') out = out.includes('/') ? out.slice(0, out.lastIndexOf('/')) || '/' : out;
      else if (simple[1] === 't') out = out.slice(out.lastIndexOf('/') + 1);
      else if (simple[1] === 'r') out = out.replace(/\.[^./]*$/, '');
      else if (simple[1] === 'e') out = /\.[^./]*$/.exec(out)?.[0] ?? out;
      else if (simple[1] === 'q') out = `'${out.replaceAll("'", "'\\''")}'`;
      else onlyShown = true;
      length += 2;
    } else return { value: out, length, onlyShown };
  }
}

/** Expands a line. `start` is the number of the oldest line. @throws HistoryError */
export function expandHistory(line: string, history: readonly string[], start: number): HistoryExpansion {
  const quick = /^\^([^^]+)\^([^^]*)\^?(.*)$/.exec(line);
  if (quick !== null) {
    const [, from = '', to = '', rest = ''] = quick;
    const last = history.at(-1);
    if (last?.includes(from) !== true) throw new HistoryError(`:s${line}: substitution failed`);
    return { line: last.replace(from, () => to) + rest, changed: true, onlyShown: false };
  }
  let out = '';
  let changed = false;
  let onlyShown = false;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at] as string;
    if (char === '\\' && quote !== "'") {
      out += char + (line[at + 1] ?? '');
      at += 1;
      continue;
    }
    if ((char === '"' || char === "'") && (quote === '' || quote === char)) quote = quote === '' ? char : '';
    const next = line[at + 1] ?? '';
    const isEvent =
      char === '!' &&
      quote !== "'" &&
      next !== '' &&
      !/[\s=(]/.test(next) &&
      !(next === '"' && quote === '"') &&
      !/[$[{]$/.test(out);
    if (!isEvent) {
      out += char;
      continue;
    }
    const text = line.slice(at);
    const event = findEvent(history, start, { text, before: out });
    const picked = pickWords(event.line, text.slice(event.length));
    const modified = modify(picked.value, text.slice(event.length + picked.length));
    out += modified.value;
    onlyShown ||= modified.onlyShown;
    changed = true;
    at += event.length + picked.length + modified.length - 1;
  }
  return { line: out, changed, onlyShown };
}
