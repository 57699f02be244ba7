/**
 * `read` and `mapfile` (`readarray`).
 *
 * Not covered: line editing of `read -e` beyond what the terminal gives.
 */
import { type Running, SystemError, toText } from '../../kernel/index.js';
import { guarded, splitCharacters, writeName } from '../expand/names.js';
import { assignItems } from '../run/assignments.js';
import { flushOutput } from '../run/output.js';
import { runText } from '../run/read-loop.js';
import type { Shell } from '../shell.js';
import { backslashQuoted } from '../state/quoting.js';
import { type Builtin, type BuiltinCall, fail, invalidName, isName, readOptions } from './call.js';
import { readUntil } from './read-line.js';

/** A character of input; `escaped` ones neither split nor end. */
interface InputChar {
  readonly char: string;
  readonly escaped: boolean;
}

interface ReadWish {
  readonly fd: number;
  readonly raw: boolean;
  readonly delimiter: string;
  /** Most characters; `exact` ignores the delimiter. */
  readonly count: number | undefined;
  readonly exact: boolean;
  readonly deadlineUs: number | undefined;
}

/** `read`. */
export const readVariables: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'ersa:d:i:n:N:p:t:u:');
  if (read === undefined) return 2;
  const value = (letter: string) => read.options.filter((one) => one.letter === letter).at(-1)?.value;
  const has = (letter: string) => value(letter) !== undefined;
  const fdText = value('u');
  if (fdText !== undefined && !/^\d+$/.test(fdText))
    return fail(call, `${fdText}: invalid file descriptor specification`);
  const fd = Number(fdText ?? 0);
  const timeout = value('t');
  if (timeout !== undefined && !/^\d*\.?\d*$/.test(timeout))
    return fail(call, `${timeout}: invalid timeout specification`);
  for (const letter of ['n', 'N']) {
    const count = value(letter);
    if (count !== undefined && !/^\d+$/.test(count)) return fail(call, `${count}: invalid number`);
  }
  for (const name of read.rest) if (!/^[A-Za-z_]\w*(\[.+\])?$/.test(name)) return invalidName(call, name);
  const array = value('a');
  if (array !== undefined && !isName(array)) return invalidName(call, array);
  if (!shell.process.isOpen(fd)) {
    if (fdText !== undefined) return fail(call, `${fd}: invalid file descriptor: Bad file descriptor`);
    return fail(call, 'read error: 0: Bad file descriptor');
  }
  const prompt = value('p');
  if (prompt !== undefined && shell.process.isatty(fd)) shell.err(prompt);
  yield* flushOutput(shell);
  const count = value('N') ?? value('n');
  const timeoutUs = timeout === undefined ? undefined : Number(timeout) * 1e6;
  if (timeoutUs === 0) return shell.process.file(fd).hasInput() ? 0 : 1;
  const wish: ReadWish = {
    fd,
    raw: has('r'),
    delimiter: has('N') ? '' : (value('d') ?? '\n').slice(0, 1),
    count: count === undefined ? undefined : Number(count),
    exact: has('N'),
    deadlineUs: timeoutUs === undefined ? undefined : shell.process.now() + timeoutUs,
  };
  const settings = typedAs(wish, has('s'));
  if (settings === null || !shell.process.isatty(fd))
    return yield* readAndAssign(call, wish, { names: read.rest, array });
  const before = { ...shell.process.tcgetattr(fd) };
  shell.process.tcsetattr(fd, settings);
  try {
    return yield* readAndAssign(call, wish, { names: read.rest, array });
  } finally {
    shell.process.tcsetattr(fd, before);
  }
};

/** How a terminal is set while it is read: not shown, key by key; null where it stays as it is. */
function typedAs(wish: ReadWish, silent: boolean): { readonly echo?: false; readonly icanon?: false } | null {
  const byKey = wish.count !== undefined || wish.delimiter !== '\n';
  if (!byKey && !silent) return null;
  return { ...(silent && { echo: false }), ...(byKey && { icanon: false }) };
}

function* readAndAssign(
  call: BuiltinCall,
  wish: ReadWish,
  into: { names: readonly string[]; array: string | undefined },
): Running<number> {
  const { shell } = call;
  let result: { chars: InputChar[]; status: number };
  shell.interruptible = true;
  try {
    result = yield* readChars(shell, wish);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (error.code === 'EINTR') return 130;
    return fail(call, `read error: ${wish.fd}: ${error.text}`);
  } finally {
    shell.interruptible = false;
  }
  guarded(shell, () => assignRead(shell, result.chars, { ...into, exact: wish.exact }));
  return result.status;
}

function decodeFirst(bytes: readonly number[]): number {
  const lead = bytes[0] ?? 0;
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Reads characters up to the delimiter, the count, the time or the end. */
function* readChars(shell: Shell, wish: ReadWish): Running<{ chars: InputChar[]; status: number }> {
  const chars: InputChar[] = [];
  const simple = wish.count === undefined && wish.deadlineUs === undefined;
  if (simple) return yield* readWholeLine(shell, wish, chars);
  let partial: number[] = [];
  let escaping = false;
  while (wish.count === undefined || chars.length < wish.count) {
    if (wish.deadlineUs !== undefined) {
      const ready = yield* shell.process.poll([wish.fd], wish.deadlineUs);
      if (ready.length === 0) return { chars, status: 142 };
    }
    const bytes = yield* shell.process.read(wish.fd, 1);
    if (bytes.length === 0) return { chars, status: 1 };
    partial.push(bytes[0] as number);
    if (partial.length < decodeFirst(partial)) continue;
    const char = toText(Uint8Array.from(partial));
    partial = [];
    if (escaping) {
      escaping = false;
      if (char !== '\n') chars.push({ char, escaped: true });
      continue;
    }
    if (!wish.exact && char === wish.delimiter) return { chars, status: 0 };
    if (!wish.exact && wish.delimiter === '' && char === '\0') return { chars, status: 0 };
    if (char === '\\' && !wish.raw) escaping = true;
    else if (char !== '\0') chars.push({ char, escaped: false });
  }
  return { chars, status: 0 };
}

function* readWholeLine(
  shell: Shell,
  wish: ReadWish,
  chars: InputChar[],
): Running<{ chars: InputChar[]; status: number }> {
  const delimiter = wish.delimiter === '' ? 0 : wish.delimiter.charCodeAt(0);
  for (;;) {
    const line = yield* readUntil(shell, wish.fd, { delimiter });
    if (line === null) return { chars, status: 1 };
    const text = line.text.includes('\0') ? line.text.replaceAll('\0', '') : line.text;
    if (wish.raw || !text.includes('\\')) {
      for (const char of text) chars.push({ char, escaped: false });
      return { chars, status: line.ended ? 0 : 1 };
    }
    let continues = false;
    const list = [...text];
    for (let at = 0; at < list.length; at += 1) {
      const char = list[at] as string;
      if (char !== '\\') chars.push({ char, escaped: false });
      else if (at + 1 < list.length) {
        at += 1;
        if (list[at] !== '\n') chars.push({ char: list[at] as string, escaped: true });
      } else continues = true;
    }
    if (!continues) return { chars, status: line.ended ? 0 : 1 };
    // A backslash before the newline joins the next line; before another delimiter it keeps it.
    if (!line.ended) return { chars, status: 1 };
    if (delimiter !== 10) chars.push({ char: wish.delimiter, escaped: true });
  }
}

/** Splits what was read and gives it to names or an array. */
function assignRead(
  shell: Shell,
  chars: readonly InputChar[],
  into: { names: readonly string[]; array: string | undefined; exact: boolean },
): void {
  const ifs = splitCharacters(shell) ?? ' \t\n';
  if (into.array !== undefined) {
    const items = into.exact
      ? [{ append: false, value: textOf(chars) }]
      : splitAll(chars, ifs, Number.POSITIVE_INFINITY).map((value) => ({ append: false, value }));
    assignItems(shell, shell.variables.forWriting(into.array), { name: into.array, append: false, items });
    return;
  }
  if (into.names.length === 0) {
    writeName(shell, { name: 'REPLY', value: textOf(chars) });
    return;
  }
  const values = into.exact ? [textOf(chars)] : splitAll(chars, ifs, into.names.length);
  into.names.forEach((text, index) => {
    const match = /^([A-Za-z_]\w*)(?:\[([\s\S]*)\])?$/.exec(text);
    writeName(shell, { name: match?.[1] ?? text, subscript: match?.[2], value: values[index] ?? '' });
  });
}

function textOf(chars: readonly InputChar[]): string {
  return chars.map((one) => one.char).join('');
}

/** Splits at IFS into at most `limit` pieces; the last one keeps its inner delimiters. */
function splitAll(chars: readonly InputChar[], ifs: string, limit: number): string[] {
  const isWhite = (one: InputChar | undefined) =>
    one !== undefined && !one.escaped && ' \t\n'.includes(one.char) && ifs.includes(one.char);
  const isSplit = (one: InputChar | undefined) => one !== undefined && !one.escaped && ifs.includes(one.char);
  let end = chars.length;
  while (end > 0 && isWhite(chars[end - 1])) end -= 1;
  let at = 0;
  while (at < end && isWhite(chars[at])) at += 1;
  const out: string[] = [];
  while (at < end) {
    if (out.length === limit - 1) {
      let rest = chars.slice(at, end);
      // One final delimiter that is no white space is dropped when nothing else splits.
      const last = rest[rest.length - 1];
      if (isSplit(last) && !isWhite(last) && rest.slice(0, -1).every((one) => !isSplit(one)))
        rest = rest.slice(0, -1);
      out.push(textOf(rest));
      return out;
    }
    let piece = '';
    while (at < end && !isSplit(chars[at])) {
      piece += (chars[at] as InputChar).char;
      at += 1;
    }
    out.push(piece);
    while (at < end && isWhite(chars[at])) at += 1;
    if (at < end && isSplit(chars[at])) {
      at += 1;
      while (at < end && isWhite(chars[at])) at += 1;
    }
  }
  return out;
}

/** `mapfile` and `readarray`. */
export const mapfile: Builtin = function* (call) {
  const { shell } = call;
  const read = readOptions(call, 'd:n:O:s:tu:C:c:');
  if (read === undefined) return 2;
  const value = (letter: string) => read.options.filter((one) => one.letter === letter).at(-1)?.value;
  for (const [letter, what] of [
    ['n', 'invalid line count'],
    ['s', 'invalid line count'],
    ['O', 'invalid array origin'],
    ['c', 'invalid callback quantum'],
  ] as const) {
    const text = value(letter);
    if (text !== undefined && !/^\d+$/.test(text)) return fail(call, `${text}: ${what}`);
  }
  const name = read.rest[0] ?? 'MAPFILE';
  if (!isName(name)) return invalidName(call, name);
  const fd = Number(value('u') ?? 0);
  if (!shell.process.isOpen(fd))
    return fail(call, `${value('u') ?? fd}: invalid file descriptor: Bad file descriptor`);
  const delimiterText = value('d') ?? '\n';
  const delimiter = delimiterText === '' ? 0 : delimiterText.charCodeAt(0);
  const strips = value('t') !== undefined;
  const count = Number(value('n') ?? 0);
  const origin = Number(value('O') ?? 0);
  const quantum = Number(value('c') ?? 5000);
  const callback = value('C');
  const variable = shell.variables.forWriting(shell.variables.target(name).name);
  if (variable.isAssociative) return fail(call, `${name}: not an indexed array`);
  if (value('O') === undefined) assignItems(shell, variable, { name, append: false, items: [] });
  let skip = Number(value('s') ?? 0);
  let index = 0;
  while (count === 0 || index < count) {
    const line = yield* readUntil(shell, fd, { delimiter });
    if (line === null) break;
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    const text =
      line.ended && !strips ? line.text + (delimiter === 0 ? '' : delimiterText.slice(0, 1)) : line.text;
    if (callback !== undefined && (index + 1) % quantum === 0) {
      yield* runText(shell, `${callback} ${origin + index} ${backslashQuoted(text)}`, { name: 'mapfile' });
    }
    writeName(shell, { name, subscript: String(origin + index), value: text });
    index += 1;
  }
  return 0;
};
