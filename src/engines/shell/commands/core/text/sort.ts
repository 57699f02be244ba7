/**
 * `sort` of coreutils 9.1: sorts, merges, checks.
 *
 * Source: sort(1). Lines compare byte by byte, as in the C locale. Not covered: `--debug`, `--compress-program`; `-R` mixes
 * by the machine's seeded chance.
 */
import { type Running, toText } from '../../../kernel/index.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { type Comparison, lineComparison } from './sort-compare.js';
import { readSortLine, type SortLine } from './sort-line.js';

function* readLines(tool: Tool, name: string, line: SortLine): Running<string[]> {
  let fd: number;
  try {
    fd = name === '-' ? 0 : yield* tool.proc.open(name);
  } catch (error) {
    return tool.die(`cannot read: ${tool.path(name)}: ${systemError(error).text}`);
  }
  try {
    const lines = yield* tool.lines(fd, line.separator).all();
    tool.close(fd);
    return lines;
  } catch (error) {
    return tool.die(`read failed: ${tool.path(name)}: ${systemError(error).text}`);
  }
}

/** `-c` and `-C`: status 1 and the first line that is out of order. */
function* check(tool: Tool, line: SortLine, compare: Comparison): Running<number> {
  tool.noMoreThan(0 + 1);
  const name = tool.operands[0] ?? '-';
  let fd: number;
  try {
    fd = name === '-' ? 0 : yield* tool.proc.open(name);
  } catch (error) {
    return tool.die(`cannot read: ${tool.path(name)}: ${systemError(error).text}`);
  }
  const lines = tool.lines(fd, line.separator);
  let before: string | null = null;
  for (let number = 1; ; number++) {
    const next: string | null = yield* lines.next();
    if (next === null) return 0;
    const order: number = before === null ? -1 : compare(before, next);
    if (order > 0 || (order === 0 && line.unique)) {
      if (line.check === 'diagnose') {
        const shown = toText(Uint8Array.from(next, (character) => character.charCodeAt(0)));
        tool.io.err(`${tool.name}: ${tool.path(name)}:${number}: disorder: ${shown}\n`);
      }
      return 1;
    }
    before = next;
  }
}

/** Merges files that are sorted already: equal lines keep the order of the files. */
function* merge(
  tool: Tool,
  names: readonly string[],
  how: { line: SortLine; compare: Comparison },
): Running<string[]> {
  const inputs: string[][] = [];
  for (const name of names) inputs.push(yield* readLines(tool, name, how.line));
  const at = inputs.map(() => 0);
  const merged: string[] = [];
  for (;;) {
    let best = -1;
    inputs.forEach((lines, index) => {
      const candidate = lines[at[index] ?? 0];
      if (candidate === undefined) return;
      const leader = best < 0 ? undefined : inputs[best]?.[at[best] ?? 0];
      if (leader === undefined || how.compare(leader, candidate) > 0) best = index;
    });
    if (best < 0) return merged;
    merged.push(inputs[best]?.[at[best] ?? 0] ?? '');
    at[best] = (at[best] ?? 0) + 1;
    if (tool.proc.tick(inputs.length)) yield* tool.proc.pause();
  }
}

/** A stable merge sort that lets others run between pieces. */
function* sortLines(tool: Tool, lines: readonly string[], compare: Comparison): Running<string[]> {
  const PIECE = 512;
  let runs: string[][] = [];
  for (let at = 0; at < lines.length; at += PIECE) {
    runs.push(lines.slice(at, at + PIECE).sort(compare));
    if (tool.proc.tick(PIECE)) yield* tool.proc.pause();
  }
  while (runs.length > 1) {
    const joined: string[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      const [one = [], other = []] = [runs[index], runs[index + 1]];
      const merged: string[] = [];
      let left = 0;
      let right = 0;
      while (left < one.length || right < other.length) {
        const a = one[left];
        const b = other[right];
        if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
          merged.push(a ?? '');
          left += 1;
        } else {
          merged.push(b);
          right += 1;
        }
        if (tool.proc.tick()) yield* tool.proc.pause();
      }
      joined.push(merged);
    }
    runs = joined;
  }
  return runs[0] ?? [];
}

function* openOutput(tool: Tool, name: string): Running<void> {
  try {
    tool.proc.dup2(yield* tool.proc.open(name, { write: true, create: true, truncate: true }), 1);
  } catch (error) {
    tool.die(`open failed: ${tool.path(name)}: ${systemError(error).text}`);
  }
}

/** The command. */
export const sort = defineTool(
  'sort',
  function* (tool) {
    const line = yield* readSortLine(tool);
    const compare = lineComparison(line, tool);
    if (line.check !== 'no') return yield* check(tool, line, compare);
    const names = tool.operands.length > 0 ? tool.operands : ['-'];
    for (const name of names)
      if (name !== '-')
        tool.attempt(
          () => tool.proc.access(name, 4),
          (error) => tool.die(`cannot read: ${tool.path(name)}: ${error.text}`),
        );
    if (line.output !== undefined)
      tool.attempt(
        () => tool.proc.access(line.output ?? '', 2),
        (error) => {
          if (error.code !== 'ENOENT')
            tool.die(`open failed: ${tool.path(line.output ?? '')}: ${error.text}`);
        },
      );
    let sorted: string[];
    if (line.merge) sorted = yield* merge(tool, names, { line, compare });
    else {
      const lines: string[] = [];
      for (const name of names) for (const one of yield* readLines(tool, name, line)) lines.push(one);
      sorted = yield* sortLines(tool, lines, compare);
    }
    if (line.output !== undefined) yield* openOutput(tool, line.output);
    let before: string | null = null;
    for (const one of sorted) {
      if (line.unique && before !== null && compare(before, one) === 0) continue;
      tool.raw(one + line.separator);
      before = one;
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
    return tool.status;
  },
  { failStatus: 2 },
);
