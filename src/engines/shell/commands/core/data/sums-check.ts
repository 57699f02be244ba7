/**
 * Checking lists of digests: `md5sum -c` and its kind.
 *
 * Source: md5sum(1), messages of coreutils 9.1.
 */
import type { Running } from '../../../kernel/index.js';
import { systemError, type Tool } from '../../program/tool.js';
import { digestOf, SUM_KINDS, type SumKind, type SumLine } from './sums.js';

interface Entry {
  readonly digits: string;
  readonly name: string;
  readonly kind: SumKind;
  readonly bits: number;
}

function unescaped(name: string): string | undefined {
  if (/\\(?![\\nr])/.test(name.replaceAll('\\\\', ''))) return undefined;
  return name.replace(/\\([\\nr])/g, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 'r' ? '\r' : '\\',
  );
}

/** Reads a line of a list; undefined where it is none. */
function readEntry(text: string, line: SumLine, anyKind: boolean): Entry | undefined {
  const isEscaped = text.startsWith('\\');
  const body = isEscaped ? text.slice(1) : text;
  const finish = (name: string): string | undefined => (isEscaped ? unescaped(name) : name);
  const tagged = /^([A-Za-z0-9]+)(?:-(\d+))? ?\((.*)\) ?= ?([0-9A-Fa-f]+)$/s.exec(body);
  if (tagged !== null) {
    const kind = Object.values(SUM_KINDS).find((one) => one.tag === tagged[1]);
    if (kind === undefined || (!anyKind && kind !== line.kind)) return undefined;
    const bits = tagged[2] === undefined ? kind.bits : Number(tagged[2]);
    const name = finish(tagged[3] ?? '');
    const digits = tagged[4] ?? '';
    if (name === undefined || digits.length * 4 !== bits) return undefined;
    return { digits, name, kind, bits };
  }
  const plain = /^[ \t]*([0-9A-Fa-f]+) (?:[ *])?(.+)$/s.exec(body);
  if (plain === null || anyKind) return undefined;
  const digits = plain[1] ?? '';
  const isB2 = line.kind.tag === 'BLAKE2b';
  if (isB2 ? digits.length % 2 !== 0 || digits.length > 128 : digits.length * 4 !== line.kind.bits)
    return undefined;
  const name = finish(plain[2] ?? '');
  return name === undefined ? undefined : { digits, name, kind: line.kind, bits: digits.length * 4 };
}

interface Tally {
  malformed: number;
  read: number;
  unreadable: number;
  wrong: number;
  matched: number;
}

function* checkEntry(tool: Tool, line: SumLine, entry: Entry, tally: Tally): Running<void> {
  const shown = /[\n\r]/.test(entry.name)
    ? `\\${entry.name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}`
    : entry.name;
  let digits: string;
  try {
    const fd = entry.name === '-' ? 0 : yield* tool.proc.open(entry.name);
    digits = yield* digestOf(tool, fd, entry.kind.start(entry.bits));
    tool.close(fd);
  } catch (error) {
    const failure = systemError(error);
    if (line.ignoreMissing && failure.code === 'ENOENT') return;
    tool.fail(`${tool.path(entry.name)}: ${failure.text}`);
    tally.unreadable += 1;
    if (!line.status) tool.out(`${shown}: FAILED open or read\n`);
    return;
  }
  const isSame = digits === entry.digits.toLowerCase();
  if (isSame) tally.matched += 1;
  else tally.wrong += 1;
  if (line.status) return;
  if (!isSame) tool.out(`${shown}: FAILED\n`);
  else if (!line.quiet) tool.out(`${shown}: OK\n`);
}

function plural(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Checks one list. With `anyKind` the lines say which digest they hold. */
export function* checkSums(tool: Tool, line: SumLine, path: string, anyKind = false): Running<void> {
  const shownPath = path === '-' ? 'standard input' : path;
  const fd = yield* tool.input(path);
  if (fd === null) return;
  const tally: Tally = { malformed: 0, read: 0, unreadable: 0, wrong: 0, matched: 0 };
  const lines = tool.io.lines(fd);
  for (let number = 1; ; number++) {
    let text: string | null;
    try {
      text = yield* lines.line();
    } catch (error) {
      tool.fail(
        `${tool.path(shownPath)}: ${systemError(error).code === 'EISDIR' ? 'read error' : systemError(error).text}`,
      );
      return;
    }
    if (text === null) break;
    if (text.startsWith('#') || text === '') continue;
    const entry = readEntry(text.replace(/\r$/, ''), line, anyKind);
    if (entry === undefined) {
      tally.malformed += 1;
      if (line.warn)
        tool.warn(`${tool.path(shownPath)}: ${number}: improperly formatted ${line.kind.tag} checksum line`);
      continue;
    }
    tally.read += 1;
    yield* checkEntry(tool, line, entry, tally);
  }
  tool.close(fd);
  if (tally.read === 0) {
    tool.fail(`${tool.path(shownPath)}: no properly formatted checksum lines found`);
    return;
  }
  report(tool, line, tally, shownPath);
}

function report(tool: Tool, line: SumLine, tally: Tally, path: string): void {
  if (!line.status) {
    if (tally.malformed > 0)
      tool.warn(`WARNING: ${plural(tally.malformed, 'line is', 'lines are')} improperly formatted`);
    if (tally.unreadable > 0)
      tool.warn(`WARNING: ${plural(tally.unreadable, 'listed file', 'listed files')} could not be read`);
    if (tally.wrong > 0)
      tool.warn(
        `WARNING: ${plural(tally.wrong, 'computed checksum did', 'computed checksums did')} NOT match`,
      );
    if (line.ignoreMissing && tally.matched === 0) tool.warn(`${tool.path(path)}: no file was verified`);
  }
  const isMissing = line.ignoreMissing && tally.matched === 0;
  if (isMissing || tally.wrong > 0 || tally.unreadable > 0 || (line.strict && tally.malformed > 0))
    tool.status = 1;
}
