/**
 * Applies hunks to lines: at their place, else nearby, else with less context (fuzz).
 */
import type { PatchHunk, PatchLine } from './read-patch.js';

/** What became of a hunk. `line` is where it was applied, from 1. */
export interface HunkResult {
  readonly hunk: PatchHunk;
  readonly applied: boolean;
  readonly line: number;
  readonly fuzz: number;
  /** How far from its own place, in lines. */
  readonly offset: number;
}

/** The lines after all hunks that could be applied. */
export interface Applied {
  readonly lines: readonly string[];
  readonly unended: boolean;
  readonly results: readonly HunkResult[];
}

/** Applies hunks in order. */
export function applyHunks(
  source: { readonly lines: readonly string[]; readonly unended: boolean },
  hunks: readonly PatchHunk[],
  { maxFuzz, reverse }: { readonly maxFuzz: number; readonly reverse: boolean },
): Applied {
  const lines = [...source.lines];
  let { unended } = source;
  let shift = 0;
  let searchFrom = 0;
  const results: HunkResult[] = [];
  for (const given of hunks) {
    const hunk = reverse ? reversed(given) : given;
    const old = hunk.lines.filter((line) => line.kind !== '+');
    const start =
      old.length === 0 && hunk.oldStart > 0 && hunk.lines.length > 0
        ? hunk.oldStart
        : Math.max(hunk.oldStart - 1, 0);
    const found = locate({ lines, wanted: start + shift, from: searchFrom }, hunk, maxFuzz);
    if (found === undefined) {
      results.push({ hunk, applied: false, line: hunk.newStart, fuzz: 0, offset: 0 });
      continue;
    }
    const kept = hunk.lines.slice(found.cutBefore, hunk.lines.length - found.cutAfter);
    const before = kept.filter((line) => line.kind !== '+').length;
    const after = kept.filter((line) => line.kind !== '-');
    const atEnd = found.at + before === lines.length;
    lines.splice(found.at, before, ...after.map((line) => line.text));
    const last = after[after.length - 1];
    if (atEnd && last !== undefined) unended = last.unended === true;
    const offset = found.at - found.cutBefore - start - shift;
    shift += offset + after.length - before;
    searchFrom = found.at + after.length;
    results.push({ hunk, applied: true, line: found.at - found.cutBefore + 1, fuzz: found.fuzz, offset });
  }
  return { lines, unended, results };
}

/** The hunk the other way round. */
export function reversed(hunk: PatchHunk): PatchHunk {
  const flip = { '-': '+', '+': '-', ' ': ' ' } as const;
  const lines = hunk.lines.map((line): PatchLine => ({ ...line, kind: flip[line.kind] }));
  return { oldStart: hunk.newStart, newStart: hunk.oldStart, lines };
}

interface Located {
  readonly at: number;
  readonly fuzz: number;
  readonly cutBefore: number;
  readonly cutAfter: number;
}

function locate(
  file: { readonly lines: readonly string[]; readonly wanted: number; readonly from: number },
  hunk: PatchHunk,
  maxFuzz: number,
): Located | undefined {
  const contextBefore = hunk.lines.findIndex((line) => line.kind !== ' ');
  const contextAfter = [...hunk.lines].reverse().findIndex((line) => line.kind !== ' ');
  const most = Math.max(contextBefore, contextAfter, 0);
  for (let fuzz = 0; fuzz <= Math.min(maxFuzz, most); fuzz++) {
    const cutBefore = Math.max(0, fuzz + contextBefore - most);
    const cutAfter = Math.max(0, fuzz + contextAfter - most);
    const old = hunk.lines.slice(cutBefore, hunk.lines.length - cutAfter).filter((line) => line.kind !== '+');
    const at = nearest(file, old, file.wanted + cutBefore);
    if (at !== undefined) return { at, fuzz, cutBefore, cutAfter };
  }
  return undefined;
}

function nearest(
  { lines, from }: { readonly lines: readonly string[]; readonly from: number },
  old: readonly PatchLine[],
  wanted: number,
): number | undefined {
  const last = lines.length - old.length;
  const fits = (at: number): boolean =>
    at >= from && at <= last && old.every((line, i) => lines[at + i] === line.text);
  for (let offset = 0; offset <= Math.max(lines.length, wanted); offset++) {
    if (fits(wanted + offset)) return wanted + offset;
    if (offset > 0 && fits(wanted - offset)) return wanted - offset;
  }
  return undefined;
}
