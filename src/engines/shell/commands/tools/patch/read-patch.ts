/**
 * Reads patches: unified, context and normal diffs, with the text around them.
 *
 * Every format becomes hunks of lines that are kept, taken or added. Not covered: ed scripts, git's binary patches.
 */

/** One line of a hunk. */
export interface PatchLine {
  readonly kind: ' ' | '-' | '+';
  readonly text: string;
  /** Without a line end. */
  readonly unended?: boolean;
}

/** One hunk; lines are counted from 1, 0 for an empty side. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly PatchLine[];
}

/** The changes of one file. Names are as the headers have them; undefined where there are none. */
export interface FilePatch {
  readonly oldName: string | undefined;
  readonly newName: string | undefined;
  readonly style: 'unified' | 'context' | 'normal';
  readonly hunks: readonly PatchHunk[];
}

/** A hunk that does not hold what its head says. */
export class MalformedPatch extends Error {
  constructor(
    readonly line: number,
    readonly text: string,
  ) {
    super(`malformed patch at line ${line}: ${text}`);
  }
}

/** Reads all file patches of a text. Raises {@link MalformedPatch}. */
export function readPatch(text: string): FilePatch[] {
  return new PatchReader(text.split('\n')).read();
}

const UNIFIED = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const NORMAL = /^(\d+)(?:,(\d+))?([acd])(\d+)(?:,(\d+))?$/;

class PatchReader {
  private at = 0;
  private readonly files: FilePatch[] = [];

  constructor(private readonly lines: readonly string[]) {}

  read(): FilePatch[] {
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? '';
      const next = this.lines[this.at + 1] ?? '';
      if (line.startsWith('--- ') && next.startsWith('+++ ')) this.unified(nameOf(line), nameOf(next));
      else if (UNIFIED.test(line)) this.unified(undefined, undefined);
      else if (line.startsWith('*** ') && next.startsWith('--- ')) this.context(nameOf(line), nameOf(next));
      else if (NORMAL.test(line)) this.normal();
      else this.at++;
    }
    return this.files;
  }

  private unified(oldName: string | undefined, newName: string | undefined): void {
    if (oldName !== undefined) this.at += 2;
    const hunks: PatchHunk[] = [];
    for (;;) {
      const head = UNIFIED.exec(this.lines[this.at] ?? '');
      if (head === null) break;
      this.at++;
      hunks.push(this.unifiedHunk(head));
    }
    if (hunks.length > 0) this.files.push({ oldName, newName, style: 'unified', hunks });
  }

  private unifiedHunk(head: RegExpExecArray): PatchHunk {
    let [oldLeft, newLeft] = [Number(head[2] ?? 1), Number(head[4] ?? 1)];
    const lines: PatchLine[] = [];
    while (oldLeft > 0 || newLeft > 0) {
      const line = this.lines[this.at];
      const mark = line === '' ? ' ' : line?.[0];
      if (line === undefined || (mark !== ' ' && mark !== '-' && mark !== '+' && mark !== '\\'))
        throw new MalformedPatch(this.at + 1, line ?? '');
      this.at++;
      if (mark === '\\') {
        this.unend(lines);
        continue;
      }
      if (mark !== '+') oldLeft--;
      if (mark !== '-') newLeft--;
      lines.push({ kind: mark, text: line.slice(1) });
    }
    if (this.lines[this.at]?.startsWith('\\')) {
      this.at++;
      this.unend(lines);
    }
    return { oldStart: Number(head[1]), newStart: Number(head[3]), lines };
  }

  private unend(lines: PatchLine[]): void {
    const last = lines.pop();
    if (last !== undefined) lines.push({ ...last, unended: true });
  }

  private context(oldName: string | undefined, newName: string | undefined): void {
    this.at += 2;
    const hunks: PatchHunk[] = [];
    while (/^\*{15}/.test(this.lines[this.at] ?? '')) {
      this.at++;
      const old = this.contextSide(/^\*\*\* (\d+)(?:,(\d+))? \*\*\*\*/);
      const fresh = this.contextSide(/^--- (\d+)(?:,(\d+))? ----/);
      hunks.push({ oldStart: old.start, newStart: fresh.start, lines: merge(old.lines, fresh.lines) });
    }
    if (hunks.length > 0) this.files.push({ oldName, newName, style: 'context', hunks });
  }

  private contextSide(pattern: RegExp): { readonly start: number; readonly lines: PatchLine[] } {
    const line = this.lines[this.at] ?? '';
    const head = pattern.exec(line);
    if (head === null) throw new MalformedPatch(this.at + 1, line);
    this.at++;
    const lines: PatchLine[] = [];
    for (;;) {
      const here = this.lines[this.at] ?? '';
      const mark = /^([ !+-]) /.exec(here)?.[1];
      if (here.startsWith('\\')) this.unend(lines);
      else if (mark === undefined) break;
      else lines.push({ kind: mark as ' ', text: here.slice(2) });
      this.at++;
    }
    return { start: Number(head[1]), lines };
  }

  private normal(): void {
    const hunks: PatchHunk[] = [];
    for (;;) {
      const head = NORMAL.exec(this.lines[this.at] ?? '');
      if (head === null) break;
      this.at++;
      const lines: PatchLine[] = [];
      while (/^[<>] |^[<>]$|^---$|^\\/.test(this.lines[this.at] ?? '')) {
        const line = this.lines[this.at++] ?? '';
        if (line.startsWith('\\')) this.unend(lines);
        else if (line !== '---') lines.push({ kind: line[0] === '<' ? '-' : '+', text: line.slice(2) });
      }
      const isAdd = head[3] === 'a';
      hunks.push({
        oldStart: isAdd ? Number(head[1]) + 1 : Number(head[1]),
        newStart: Number(head[4]),
        lines,
      });
    }
    this.files.push({ oldName: undefined, newName: undefined, style: 'normal', hunks });
  }
}

/** The name in a header, without its time. */
function nameOf(line: string): string {
  return line.slice(4).replace(/\t.*$/, '').trimEnd();
}

/** Both halves of a context hunk as one list. */
function merge(old: readonly PatchLine[], fresh: readonly PatchLine[]): PatchLine[] {
  const changed = (line: PatchLine | undefined): boolean => line !== undefined && line.kind !== ' ';
  if (old.length === 0) return fresh.map((line) => (changed(line) ? { ...line, kind: '+' } : line));
  if (fresh.length === 0) return old.map((line) => (changed(line) ? { ...line, kind: '-' } : line));
  const out: PatchLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [a, b] = [old[i], fresh[j]];
    if (a !== undefined && changed(a)) {
      out.push({ ...a, kind: '-' });
      i++;
    } else if (b !== undefined && changed(b)) {
      out.push({ ...b, kind: '+' });
      j++;
    } else {
      const common = a ?? b;
      if (common !== undefined) out.push(common);
      i++;
      j++;
    }
  }
  return out;
}
