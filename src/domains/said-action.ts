/**
 * Where the action stands in what an agent, a chat or a benchmark row wrote around it.
 *
 * Taken off, in this order: a chat message as JSON or in template marks, thoughts (a draft inside one is no action), the
 * text before the last `Action:` heading, and the element or fence that holds it. Nothing inside an action is changed.
 * Used by domains whose actions are not told from prose by their syntax alone; the grammar decides what it accepts.
 */
import { isJsonObject, type Json, parseJson } from '../core/index.js';

const THOUGHT = /^\s*<(think|thinking)>/i;
const CLOSING = { think: /<\/think>/gi, thinking: /<\/thinking>/gi } as const;
/** An end that stands before a line end or the end of the text: a JSON string holds neither, so it is no argument. */
const LONELY_CLOSING = /<\/think(?:ing)?>[ \t]*(?=[\r\n]|$)/gi;

/** What stands after the thoughts; null where one never ends. The opening tag of the first may be missing. */
export function withoutThought(text: string): string | null {
  const opened = THOUGHT.exec(text);
  if (opened === null) {
    const end = [...text.matchAll(LONELY_CLOSING)].at(-1);
    return end === undefined ? text : text.slice(end.index + end[0].length);
  }
  const closing = CLOSING[opened[1]?.toLowerCase() === 'thinking' ? 'thinking' : 'think'];
  const [end] = text.slice(opened[0].length).matchAll(closing);
  if (end === undefined) return null;
  const rest = text.slice(opened[0].length + end.index + end[0].length);
  const last = [...rest.matchAll(LONELY_CLOSING)].at(-1);
  return last === undefined ? rest : rest.slice(last.index + last[0].length);
}

/** Pairs of marks that chat templates put around one message: what opens it (its role inside), and what ends it. */
const TEMPLATES: readonly (readonly [RegExp, string])[] = [
  [/<\|im_start\|>[a-z]{1,20}\n/g, '<|im_end|>'],
  [/<\|start_header_id\|>[a-z]{1,20}<\|end_header_id\|>\n{0,2}/g, '<|eot_id|>'],
  [/<start_of_turn>[a-z]{1,20}\n/g, '<end_of_turn>'],
  [/\[INST\] ?/g, '[/INST]'],
];

/** Messages at the end of a chat that are looked at for one that is not empty. */
const TEMPLATE_MESSAGES = 8;

/** The content of a chat message: JSON with role and content, or the last message in template marks; else the text. */
export function withoutChat(text: string): string {
  return readChat(text).text;
}

/** As {@link withoutChat}, with the JSON that the text is, where it is an object. */
export function readChat(text: string): { readonly text: string; readonly json?: Json } {
  const parsed = /^\s*\{/.test(text) ? parseJson(text) : null;
  if (parsed?.ok !== true) return { text: withoutTemplate(text) };
  const content = messageText(parsed.value);
  return content === null ? { text, json: parsed.value } : { text: content };
}

function withoutTemplate(text: string): string {
  for (const [opening, closing] of TEMPLATES) {
    // Inside of something else the marks are part of what an action says.
    if (text.slice(0, 1_000).trimStart().search(opening) !== 0) continue;
    const opened = [...text.matchAll(opening)].slice(-TEMPLATE_MESSAGES).reverse();
    for (const match of opened) {
      const start = match.index + match[0].length;
      const end = text.indexOf(closing, start);
      const message = text.slice(start, end < 0 ? text.length : end);
      if (message.trim() !== '') return message;
    }
  }
  return text;
}

/** The text of a chat message that calls no tool, or null. */
function messageText(value: Json): string | null {
  if (!isJsonObject(value) || typeof value.role !== 'string' || Object.hasOwn(value, 'tool_calls'))
    return null;
  if (typeof value.content === 'string') return value.content;
  if (!Array.isArray(value.content)) return null;
  const texts = (value.content as readonly Json[]).map((part) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string' ? part.text : null,
  );
  return texts.includes(null) ? null : texts.join('\n');
}

const HEADING =
  /^[ \t>#*]*(?:the )?(?:next |browser |current )?action[ \t]*\d*[ \t]*(?=[:*\r\n]|$)[:* \t]*/gim;

/**
 * What stands behind the last action heading, where there is one and `holds` accepts what is behind it: what is in
 * front of it is thought or quoted, and is no action even when the marked one is broken. Without one, the text.
 */
export function behindHeading(text: string, holds: (part: string) => boolean): string {
  const last = [...text.matchAll(HEADING)].at(-1);
  const part = last === undefined ? '' : text.slice(last.index + last[0].length);
  return holds(part) ? part : text;
}

const FENCE_LINE = /^[ \t>]*(```+|~~~+)/;
const INLINE_FENCE = /```([^`\n]+)```/g;
const ELEMENT = /<(action|tool_call|tool_use|function_call|execute|code|answer)>/g;

/** Blocks taken from one text. */
const BLOCKS = 1_000;

interface Block {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/** What stands in fences and in action elements of a text, in order; of blocks in one another the outer one. */
export function actionBlocks(text: string): readonly string[] {
  const found = [...elements(text), ...fences(text), ...inlineFences(text)];
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const outer: Block[] = [];
  for (const block of found) {
    if (block.start >= (outer.at(-1)?.end ?? 0) && outer.length < BLOCKS) outer.push(block);
  }
  return outer.map((block) => block.body);
}

function* elements(text: string): Generator<Block> {
  const unclosed = new Set<string>();
  let at = 0;
  for (const match of text.matchAll(ELEMENT)) {
    const closing = `</${match[1]}>`;
    if (match.index < at || unclosed.has(closing)) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf(closing, start);
    if (end < 0) {
      unclosed.add(closing);
      continue;
    }
    at = end + closing.length;
    yield { start: match.index, end: at, body: text.slice(start, end) };
  }
}

/** Fenced blocks, line by line; one that is never closed goes to the end. */
function* fences(text: string): Generator<Block> {
  let open: { readonly start: number; readonly body: number; readonly mark: string } | null = null;
  for (let at = 0; at <= text.length; ) {
    const newline = text.indexOf('\n', at);
    const next = newline < 0 ? text.length + 1 : newline + 1;
    const line = text.slice(at, next - 1);
    const mark = FENCE_LINE.exec(line.slice(0, 200))?.[1];
    if (open === null) {
      const opens = mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes('`');
      if (opens) open = { start: at, body: Math.min(next, text.length), mark };
    } else if (mark?.startsWith(open.mark) === true && line.trim().replace(/^[> \t]*/, '') === mark) {
      yield { start: open.start, end: at + line.length, body: withoutEnd(text.slice(open.body, at)) };
      open = null;
    }
    at = next;
  }
  if (open !== null) yield { start: open.start, end: text.length, body: text.slice(open.body) };
}

function withoutEnd(body: string): string {
  return body.replace(/\r?\n$/, '');
}

function* inlineFences(text: string): Generator<Block> {
  for (const match of text.matchAll(INLINE_FENCE)) {
    yield { start: match.index, end: match.index + match[0].length, body: match[1] ?? '' };
  }
}
