/**
 * Replacing pieces of a text, and the unified diff of two texts.
 *
 * A piece is replaced where it stands first. A piece that stands nowhere is looked for line by line without the spaces
 * around each line; the first line then keeps its indentation and the others their distance to it. The diff has four
 * lines around each change, as npm's `diff` writes it. Not covered: moves, changes within lines; texts beyond a bound
 * are shown as replaced as a whole.
 */

/** One replacement. */
export interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** The text after the edits in order, or the first edit whose text is not there. */
export function editText(
  text: string,
  edits: readonly Edit[],
): { readonly text: string } | { readonly missing: Edit } {
  let edited = text.replaceAll('\r\n', '\n');
  for (const edit of edits) {
    const next = replaced(edited, edit);
    if (next === undefined) return { missing: edit };
    edited = next;
  }
  return { text: edited };
}

function replaced(text: string, edit: Edit): string | undefined {
  const old = edit.oldText.replaceAll('\r\n', '\n');
  const fresh = edit.newText.replaceAll('\r\n', '\n');
  const at = text.indexOf(old);
  if (at >= 0) return text.slice(0, at) + fresh + text.slice(at + old.length);
  const wanted = old.split('\n');
  const lines = text.split('\n');
  for (let start = 0; start + wanted.length <= lines.length; start++) {
    if (!wanted.every((line, index) => line.trim() === lines[start + index]?.trim())) continue;
    const made = reindented(fresh.split('\n'), { wanted, indent: indentOf(lines[start] ?? '') });
    return [...lines.slice(0, start), ...made, ...lines.slice(start + wanted.length)].join('\n');
  }
  return undefined;
}

function reindented(
  lines: readonly string[],
  of: { readonly wanted: readonly string[]; readonly indent: string },
): readonly string[] {
  return lines.map((line, index) => {
    if (index === 0) return of.indent + line.trimStart();
    const old = indentOf(of.wanted[index] ?? '');
    const own = indentOf(line);
    if (old === '' || own === '') return line;
    return of.indent + ' '.repeat(Math.max(0, own.length - old.length)) + line.trimStart();
  });
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

type Step = ' ' | '-' | '+';
interface Line {
  readonly step: Step;
  readonly text: string;
}

const CONTEXT = 4;
/** Cells of the table that is made for the changed middle of two texts. */
const CELLS = 1_000_000;
const NO_NEWLINE = '\\ No newline at end of file';

/** The hunks of the unified diff of two texts, each line with its end; empty for equal texts. */
export function diffHunks(before: string, after: string): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before), linesOf(after));
  const changed = lines.flatMap(({ step }, index) => (step === ' ' ? [] : [index]));
  const hunks: [number, number][] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    if (last !== undefined && index - last[1] <= CONTEXT * 2) last[1] = index;
    else hunks.push([index, index]);
  }
  return hunks
    .map(([first, last]) =>
      hunkText(lines, Math.max(0, first - CONTEXT), Math.min(lines.length - 1, last + CONTEXT)),
    )
    .join('');
}

function hunkText(lines: readonly Line[], from: number, to: number): string {
  const count = (part: readonly Line[], not: Step) => part.filter(({ step }) => step !== not).length;
  const before = lines.slice(0, from);
  const part = lines.slice(from, to + 1);
  const range = (not: Step): string => {
    const size = count(part, not);
    return `${count(before, not) + (size === 0 ? 0 : 1)},${size}`;
  };
  const shown = part.map(({ step, text }) =>
    text.endsWith('\n') ? `${step}${text}` : `${step}${text}\n${NO_NEWLINE}\n`,
  );
  return `@@ -${range('+')} +${range('-')} @@\n${shown.join('')}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLines(a: readonly string[], b: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const same = (text: string): Line => ({ step: ' ', text });
  const middle = middleLines(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  return [...a.slice(0, head).map(same), ...middle, ...a.slice(a.length - tail).map(same)];
}

/** What is left of two texts, by their longest common subsequence; what goes stands before what comes. */
function middleLines(a: readonly string[], b: readonly string[]): readonly Line[] {
  const gone = (text: string): Line => ({ step: '-', text });
  const come = (text: string): Line => ({ step: '+', text });
  if (a.length * b.length > CELLS) return [...a.map(gone), ...b.map(come)];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    if (isSame) {
      lines.push({ step: ' ', text: a[i] ?? '' });
      i++;
      j++;
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push(gone(a[i++] ?? ''));
    else lines.push(come(b[j++] ?? ''));
  }
  return lines;
}
