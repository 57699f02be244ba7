/**
 * Unified hunks of two texts, with the heading that git puts behind `@@`.
 */
import type { Change } from '../../tools/diff/edit-script.js';
import { diffLines, type LineOptions, linesOf } from './line-diff.js';

/** How hunks are cut. */
export interface HunkOptions extends LineOptions {
  /** Lines of context. Default 3. */
  readonly context?: number;
  readonly interHunk?: number;
}

const HEADING = /^[A-Za-z_$]/;

/** The hunks from one text to another; empty where they are equal. */
export function unifiedHunks(before: string, after: string, options: HunkOptions = {}): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changes = diffLines(old, now, options);
  const context = options.context ?? 3;
  const reach = 2 * context + (options.interHunk ?? 0);
  let out = '';
  let heading = '';
  let searched = -1;
  for (let at = 0; at < changes.length; ) {
    const group: Change[] = [];
    for (;;) {
      const change = changes[at];
      const last = group[group.length - 1];
      if (change === undefined) break;
      if (last !== undefined && change.oldAt - (last.oldAt + last.deleted) > reach) break;
      group.push(change);
      at++;
    }
    const [first, last] = [group[0], group[group.length - 1]];
    if (first === undefined || last === undefined) break;
    const oldStart = Math.max(0, first.oldAt - context);
    const newStart = Math.max(0, first.newAt - context);
    const oldEnd = Math.min(old.length, last.oldAt + last.deleted + context);
    const newEnd = Math.min(now.length, last.newAt + last.inserted + context);
    for (let line = oldStart - 1; line > searched && line >= 0; line--) {
      if (!HEADING.test(old[line] ?? '')) continue;
      heading = headingOf(old[line] ?? '');
      break;
    }
    searched = oldStart - 1;
    const spans = `-${span(oldStart, oldEnd - oldStart)} +${span(newStart, newEnd - newStart)}`;
    out += `@@ ${spans} @@${heading === '' ? '' : ` ${heading}`}\n`;
    let place = oldStart;
    for (const change of group) {
      for (; place < change.oldAt; place++) out += line(' ', old[place]);
      for (; place < change.oldAt + change.deleted; place++) out += line('-', old[place]);
      for (let number = 0; number < change.inserted; number++) out += line('+', now[change.newAt + number]);
    }
    for (; place < oldEnd; place++) out += line(' ', old[place]);
  }
  return out;
}

/** At most 80 bytes of a line, without blanks at the end. */
function headingOf(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const c of text) {
    bytes += new TextEncoder().encode(c).length;
    if (bytes > 80) break;
    kept += c;
  }
  return kept.trimEnd();
}

function span(start: number, count: number): string {
  const from = count === 0 ? start : start + 1;
  return count === 1 ? String(from) : `${from},${count}`;
}

function line(sign: string, text = ''): string {
  return text.endsWith('\n') ? `${sign}${text}` : `${sign}${text}\n\\ No newline at end of file\n`;
}
