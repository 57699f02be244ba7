/**
 * What of a tool's answer can be demanded exactly.
 *
 * Structure and field names are deterministic; values that the call's arguments or the known state hold are
 * deterministic; times, request ids and durations are runtime metadata; all else is content of the environment.
 * Source: content types of AgentWorldBench (arXiv 2606.24597). Values are compared as texts, so an echo inside a
 * longer sentence counts too.
 */
import { isJsonObject, type Json, type ParsedAction, parseJson } from '../../core/index.js';
import type { ContentContext, ContentSpan, ContentType } from '../domain-format.js';
import { findRuntimeText, isRuntimeName, isRuntimeText } from '../runtime-metadata.js';

/** Leaves taken from arguments and state; bounds the work on huge states. */
const KNOWN_LEAVES = 20_000;
/** Shorter texts are found everywhere by chance. */
const ECHO_CHARS = 3;
/** Known texts looked for inside free text. */
const ECHOES = 500;

/** Classifies a tool's answer. The spans cover the text, in order. */
export function toolContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const known = knownLeaves(context);
  const spans = new SpanList();
  if (parseJson(text).ok && /^\s*[{["]/.test(text)) classifyJson(text, known, spans);
  else classifyText(text, known, spans);
  return spans.done(text.length);
}

/** Builds spans in order; what is not marked gets the type given for the gap. */
class SpanList {
  private readonly spans: ContentSpan[] = [];
  private at = 0;
  private gap: ContentType = 'deterministic';

  gapsAre(type: ContentType): void {
    this.gap = type;
  }

  mark(start: number, end: number, type: ContentType): void {
    if (end <= start || start < this.at) return;
    this.push(this.at, start, this.gap);
    this.push(start, end, type);
    this.at = end;
  }

  done(length: number): readonly ContentSpan[] {
    this.push(this.at, length, this.gap);
    this.at = length;
    return this.spans;
  }

  private push(start: number, end: number, type: ContentType): void {
    if (end <= start) return;
    const last = this.spans.at(-1);
    if (last?.type === type) this.spans[this.spans.length - 1] = { start: last.start, end, type };
    else this.spans.push({ start, end, type });
  }
}

function knownLeaves(context: ContentContext): ReadonlySet<string> {
  const leaves = new Set<string>();
  const todo: Json[] = [];
  if (context.state !== undefined) todo.push(context.state);
  const action: ParsedAction | undefined = context.action;
  if (action?.kind === 'tool-call') todo.push(action.arguments);
  for (let value = todo.pop(); value !== undefined && leaves.size < KNOWN_LEAVES; value = todo.pop()) {
    if (Array.isArray(value)) todo.push(...(value as readonly Json[]).slice(0, KNOWN_LEAVES));
    else if (isJsonObject(value)) todo.push(...Object.values(value).slice(0, KNOWN_LEAVES));
    else if (value !== null && typeof value !== 'boolean') leaves.add(String(value));
  }
  return leaves;
}

/** Walks valid JSON token by token; a key gives its name to the values under it, lists included. */
function classifyJson(text: string, known: ReadonlySet<string>, spans: SpanList): void {
  const names: string[] = [];
  let name = '';
  let isKey = false;
  for (const { token, index, inObject } of jsonTokens(text)) {
    if (token === '{' || token === '[') {
      names.push(name);
      isKey = token === '{';
    } else if (token === '}' || token === ']') {
      name = names.pop() ?? '';
      isKey = false;
    } else if (token === ':') isKey = false;
    else if (token === ',') isKey = inObject;
    else if (isKey) name = JSON.parse(token) as string;
    else {
      const quote = token.startsWith('"') ? 1 : 0;
      const value = quote === 1 ? (JSON.parse(token) as string) : token;
      spans.mark(index + quote, index + token.length - quote, leafType(value, name, known));
    }
  }
}

interface JsonToken {
  readonly token: string;
  readonly index: number;
  readonly inObject: boolean;
}

const SCALAR = /[^\s,:{}[\]"]+/y;

/** The tokens of valid JSON, white space left out. */
function* jsonTokens(text: string): Generator<JsonToken> {
  const inside: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    let end = at + 1;
    if (/\s/.test(char)) {
      at = end;
      continue;
    }
    if (char === '"') end = endOfString(text, at);
    else if (!',:{}[]'.includes(char)) {
      SCALAR.lastIndex = at;
      end = SCALAR.test(text) ? SCALAR.lastIndex : end;
    }
    if (char === '}' || char === ']') inside.pop();
    yield { token: text.slice(at, end), index: at, inObject: inside.at(-1) === '{' };
    if (char === '{' || char === '[') inside.push(char);
    at = end;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function leafType(value: string, name: string, known: ReadonlySet<string>): ContentType {
  if (known.has(value)) return 'deterministic';
  if (isRuntimeText(value)) return 'runtime-metadata';
  const isWord = value === 'true' || value === 'false' || value === 'null';
  return isRuntimeName(name) && !isWord ? 'runtime-metadata' : 'pre-existing';
}

/** Free text: runtime shapes and echoes are marked, the rest is content of the environment. */
function classifyText(text: string, known: ReadonlySet<string>, spans: SpanList): void {
  spans.gapsAre('pre-existing');
  const marks = findRuntimeText(text).map((span) => {
    const isKnown = known.has(text.slice(span.start, span.end));
    return { ...span, type: (isKnown ? 'deterministic' : 'runtime-metadata') as ContentType };
  });
  const echoes = [...known].filter((leaf) => leaf.length >= ECHO_CHARS).sort((a, b) => b.length - a.length);
  for (const echo of echoes.slice(0, ECHOES)) {
    for (let at = text.indexOf(echo); at >= 0; at = text.indexOf(echo, at + echo.length)) {
      if (isWholeWord(text, at, at + echo.length)) {
        marks.push({ start: at, end: at + echo.length, type: 'deterministic' });
      }
    }
  }
  marks.sort((a, b) => a.start - b.start || b.end - a.end);
  for (const mark of marks) spans.mark(mark.start, mark.end, mark.type);
}

function isWholeWord(text: string, start: number, end: number): boolean {
  const word = /[\p{L}\p{N}_]/u;
  return !word.test(text[start - 1] ?? '') && !word.test(text[end] ?? '');
}
