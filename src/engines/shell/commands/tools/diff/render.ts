/**
 * diff's output formats: normal, unified, context, ed, RCS.
 *
 * Source: the manual of diffutils 3.8, "diff Output Formats". Side by side is in `side-by-side.ts`.
 */
import type { Change } from './edit-script.js';
import { groupHunks } from './hunks.js';
import { expandTabs, type TextFile } from './text-file.js';

/** How to show. */
export interface RenderOptions {
  readonly context: number;
  /** What headers show after the names. */
  readonly labels: readonly [string, string];
  readonly initialTab: boolean;
  readonly expand: boolean;
  /** No blank before an empty line. */
  readonly suppressBlank: boolean;
  readonly colour: boolean;
  /** Show the last line before each hunk that looks like a function's start. */
  readonly functions: ((line: string) => boolean) | undefined;
}

const NO_END = '\\ No newline at end of file\n';

/** Paints a line, where that is wanted. */
function painted(text: string, part: 'old' | 'new' | 'hunk' | 'header', options: RenderOptions): string {
  if (!options.colour) return `${text}\n`;
  const codes = { old: '31', new: '32', hunk: '36', header: '1' } as const;
  return `\x1b[${codes[part]}m${text}\x1b[0m\n`;
}

class Writer {
  out = '';

  constructor(
    readonly files: readonly [TextFile, TextFile],
    readonly options: RenderOptions,
  ) {}

  /** A line of one side behind a mark. */
  line(
    side: 0 | 1,
    at: number,
    { mark, part }: { readonly mark: string; readonly part?: 'old' | 'new' },
  ): void {
    const file = this.files[side];
    const raw = file.lines[at] ?? '';
    const text = this.options.expand ? expandTabs(raw) : raw;
    // With an initial tab the mark's blank gives way; an empty line stays short.
    const head = this.options.initialTab && mark !== '' ? `${mark.trimEnd()}\t` : mark;
    const whole = this.options.suppressBlank && text === '' ? mark.trimEnd() : `${head}${text}`;
    this.out += part === undefined ? `${whole}\n` : painted(whole, part, this.options);
    if (file.unended && at === file.lines.length - 1) this.out += NO_END;
  }
}

function span(start: number, count: number): string {
  if (count === 0) return String(start);
  return count === 1 ? String(start + 1) : `${start + 1},${start + count}`;
}

/** The normal format. */
export function renderNormal(
  files: readonly [TextFile, TextFile],
  changes: readonly Change[],
  options: RenderOptions,
): string {
  const writer = new Writer(files, options);
  for (const { oldAt, newAt, deleted, inserted } of changes) {
    const letter = deleted === 0 ? 'a' : inserted === 0 ? 'd' : 'c';
    writer.out += painted(`${span(oldAt, deleted)}${letter}${span(newAt, inserted)}`, 'hunk', options);
    for (let i = 0; i < deleted; i++) writer.line(0, oldAt + i, { mark: '< ', part: 'old' });
    if (deleted > 0 && inserted > 0) writer.out += '---\n';
    for (let i = 0; i < inserted; i++) writer.line(1, newAt + i, { mark: '> ', part: 'new' });
  }
  return writer.out;
}

function unifiedRange([start, end]: readonly [number, number]): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

function functionName(file: TextFile, before: number, options: RenderOptions): string {
  if (options.functions === undefined) return '';
  for (let at = before - 1; at >= 0; at--) {
    const line = file.lines[at] ?? '';
    if (options.functions(line)) return ` ${line.slice(0, 40).trimEnd()}`;
  }
  return '';
}

/** The unified format. */
export function renderUnified(
  files: readonly [TextFile, TextFile],
  changes: readonly Change[],
  options: RenderOptions,
): string {
  const writer = new Writer(files, options);
  writer.out +=
    painted(`--- ${options.labels[0]}`, 'header', options) +
    painted(`+++ ${options.labels[1]}`, 'header', options);
  const lengths = [files[0].lines.length, files[1].lines.length] as const;
  for (const hunk of groupHunks(changes, options.context, lengths)) {
    const head = `@@ -${unifiedRange(hunk.old)} +${unifiedRange(hunk.new)} @@`;
    const name = functionName(files[0], hunk.old[0], options);
    writer.out += options.colour ? `\x1b[36m${head}\x1b[0m${name}\n` : `${head}${name}\n`;
    let at = hunk.old[0];
    for (const change of hunk.changes) {
      for (; at < change.oldAt; at++) writer.line(0, at, { mark: ' ' });
      for (let i = 0; i < change.deleted; i++) writer.line(0, change.oldAt + i, { mark: '-', part: 'old' });
      for (let i = 0; i < change.inserted; i++) writer.line(1, change.newAt + i, { mark: '+', part: 'new' });
      at = change.oldAt + change.deleted;
    }
    for (; at < hunk.old[1]; at++) writer.line(0, at, { mark: ' ' });
  }
  return writer.out;
}

function contextRange([start, end]: readonly [number, number]): string {
  const count = end - start;
  return count <= 1 ? String(end) : `${start + 1},${end}`;
}

/** The context format. */
export function renderContext(
  files: readonly [TextFile, TextFile],
  changes: readonly Change[],
  options: RenderOptions,
): string {
  const writer = new Writer(files, options);
  writer.out +=
    painted(`*** ${options.labels[0]}`, 'header', options) +
    painted(`--- ${options.labels[1]}`, 'header', options);
  const lengths = [files[0].lines.length, files[1].lines.length] as const;
  for (const hunk of groupHunks(changes, options.context, lengths)) {
    writer.out += `***************${functionName(files[0], hunk.old[0], options)}\n`;
    writer.out += painted(`*** ${contextRange(hunk.old)} ****`, 'hunk', options);
    contextSide(writer, 0, hunk);
    writer.out += painted(`--- ${contextRange(hunk.new)} ----`, 'hunk', options);
    contextSide(writer, 1, hunk);
  }
  return writer.out;
}

function contextSide(writer: Writer, side: 0 | 1, hunk: ReturnType<typeof groupHunks>[number]): void {
  const own = (change: Change): number => (side === 0 ? change.deleted : change.inserted);
  if (hunk.changes.every((change) => own(change) === 0)) return;
  let at = side === 0 ? hunk.old[0] : hunk.new[0];
  for (const change of hunk.changes) {
    const start = side === 0 ? change.oldAt : change.newAt;
    for (; at < start; at++) writer.line(side, at, { mark: '  ' });
    const isBoth = change.deleted > 0 && change.inserted > 0;
    const mark = isBoth ? '! ' : side === 0 ? '- ' : '+ ';
    for (let i = 0; i < own(change); i++)
      writer.line(side, start + i, { mark, part: side === 0 ? 'old' : 'new' });
    at = start + own(change);
  }
  for (; at < (side === 0 ? hunk.old[1] : hunk.new[1]); at++) writer.line(side, at, { mark: '  ' });
}

/** An ed script: from the end to the start. */
export function renderEd(files: readonly [TextFile, TextFile], changes: readonly Change[]): string {
  let out = '';
  for (const { oldAt, newAt, deleted, inserted } of [...changes].reverse()) {
    const letter = deleted === 0 ? 'a' : inserted === 0 ? 'd' : 'c';
    out += `${span(oldAt, deleted)}${letter}\n`;
    if (inserted === 0) continue;
    let open = true;
    for (let i = 0; i < inserted; i++) {
      const line = files[1].lines[newAt + i] ?? '';
      if (!open) out += 'a\n';
      open = true;
      if (line === '.') {
        out += '..\n.\ns/.//\n';
        open = false;
      } else out += `${line}\n`;
    }
    if (open) out += '.\n';
  }
  return out;
}

/** RCS format: from the start to the end. */
export function renderRcs(files: readonly [TextFile, TextFile], changes: readonly Change[]): string {
  let out = '';
  for (const { oldAt, newAt, deleted, inserted } of changes) {
    if (deleted > 0) out += `d${oldAt + 1} ${deleted}\n`;
    if (inserted === 0) continue;
    out += `a${oldAt + deleted} ${inserted}\n`;
    for (let i = 0; i < inserted; i++) {
      const at = newAt + i;
      out += `${files[1].lines[at] ?? ''}${files[1].unended && at === files[1].lines.length - 1 ? '' : '\n'}`;
    }
  }
  return out;
}
