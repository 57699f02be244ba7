/**
 * A system prompt cut at its headings: Markdown headings, bold lines, XML-like blocks.
 *
 * Headings inside fenced blocks are text. A section's body is the exact text between its heading and the next heading of
 * the same or a higher level. Not covered: numbered headings without marks, underlined headings.
 */

/** One section. Offsets are UTF-16 units of the whole prompt. */
export interface PromptSection {
  /** Without marks, lower case. */
  readonly title: string;
  /** 1–6; 7 for a bold line or an XML-like block. */
  readonly level: number;
  /** Where the heading begins. */
  readonly at: number;
  /** Where the body begins and ends; sections of a lower level lie inside. */
  readonly start: number;
  readonly end: number;
}

const HEADING = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/;
const BOLD = /^(?:\*\*|__)([^*_\n]{2,80}?):?(?:\*\*|__):?[ \t]*$/;
const BLOCK = /^<([a-z][\w-]{2,40})>[ \t]*$/i;

interface Mark {
  readonly title: string;
  readonly level: number;
  readonly at: number;
  readonly start: number;
  /** Where an XML-like block closes. */
  readonly close?: number;
}

/** Cuts a prompt. Linear in its length. */
export function cutSections(text: string): readonly PromptSection[] {
  const marks = findMarks(text);
  return marks.map(({ title, level, at, start, close }, index) => {
    const next = marks.slice(index + 1).find((one) => one.level <= level && one.close === undefined);
    return { title, level, at, start, end: close ?? next?.at ?? text.length };
  });
}

function findMarks(text: string): readonly Mark[] {
  const marks: Mark[] = [];
  let fence = '';
  let at = 0;
  for (const line of text.split('\n')) {
    const start = at + line.length + 1;
    const ticks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (ticks !== undefined && (fence === '' || (ticks.startsWith(fence) && line.trim() === ticks))) {
      fence = fence === '' ? ticks.slice(0, 3) : '';
    } else if (fence === '') {
      const mark = markOf(line.trimEnd(), text, start);
      if (mark !== undefined) marks.push({ ...mark, at, start: Math.min(start, text.length) });
    }
    at = start;
  }
  return marks;
}

function markOf(line: string, text: string, start: number): Omit<Mark, 'at' | 'start'> | undefined {
  const heading = HEADING.exec(line);
  if (heading !== null) return { title: plain(heading[2] ?? ''), level: (heading[1] ?? '').length };
  const bold = BOLD.exec(line)?.[1];
  if (bold !== undefined) return { title: plain(bold), level: 7 };
  const block = BLOCK.exec(line)?.[1];
  if (block === undefined) return undefined;
  const close = text.indexOf(`</${block}>`, start);
  return close < 0 ? undefined : { title: plain(block.replace(/[_-]/g, ' ')), level: 7, close };
}

function plain(title: string): string {
  return title
    .replace(/[*_`#:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
