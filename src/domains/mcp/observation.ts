/**
 * Tool results as the text an agent sees, and back.
 *
 * Text blocks are joined with a newline. Structured content is shown only when there is no text, so nothing is shown
 * twice (hard case P-MCP-4). Blocks that are not text become one honest line that says what was there. Benchmark
 * rows wrap results (`{"type":"text","text":…}`, lists of blocks, whole results, the observation marker); unwrapping
 * is a step of its own, because a tool may also answer such JSON as its text.
 */
import {
  canonicalJson,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  stripObservationMarker,
} from '../../core/index.js';
import type { ObservationFacts } from '../domain-format.js';
import { type ContentBlock, type ToolResult, ToolResultSchema, textResult } from './tool-result.js';

/** The text an agent sees for a result. A result with nothing in it is `""`. */
export function renderToolResult(result: ToolResult): string {
  const lines = result.content.map(renderBlock);
  const hasText = result.content.some((block) => textOf(block) !== null);
  const structured = result.structuredContent;
  return (hasText || structured === undefined ? lines : [...lines, renderJson(structured)]).join('\n');
}

/** Reads an agent's view back as a result of one text block. `parse(render(x))` equals x for results of one text. */
export function parseToolResult(text: string, facts: ObservationFacts = {}): ToolResult {
  return textResult(text, facts.isError === true);
}

function textOf(block: ContentBlock): string | null {
  if (block.type === 'text' && typeof block.text === 'string') return block.text;
  if (block.type !== 'resource' || !isJsonObject(block.resource)) return null;
  return typeof block.resource.text === 'string' ? block.resource.text : null;
}

/** A block's text, or for anything else one line that says what it is, with sizes in bytes. */
function renderBlock(block: ContentBlock): string {
  const fields = block as Readonly<Record<string, unknown>>;
  if (block.type === 'text') return typeof fields.text === 'string' ? fields.text : '[text]';
  if (block.type === 'image' || block.type === 'audio') {
    return placeholder(block.type, [fields.mimeType, base64Bytes(fields.data)]);
  }
  if (block.type === 'resource' && isJsonObject(fields.resource)) {
    const { uri, mimeType, text, blob } = fields.resource;
    if (typeof text === 'string') return `${placeholder('resource', [uri, mimeType])}\n${text}`;
    return placeholder('resource', [uri, mimeType, base64Bytes(blob)]);
  }
  if (block.type === 'resource_link') {
    return placeholder('resource_link', [fields.uri, fields.name, fields.mimeType]);
  }
  return placeholder(block.type, []);
}

/** For example `[image image/png, 1234 bytes]`; always one line. */
function placeholder(type: string, facts: readonly unknown[]): string {
  const known = facts.filter((fact) => typeof fact === 'string' && fact !== '');
  const text = [type, known.join(', ')].filter((part) => part !== '').join(' ');
  return `[${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, 300)}]`;
}

function base64Bytes(data: unknown): string | null {
  if (typeof data !== 'string') return null;
  const digits = data.replace(/[\s=]/g, '').length;
  return `${Math.floor((digits * 3) / 4)} bytes`;
}

/** Wrappers inside wrappers that are taken off. */
const UNWRAP_LEVELS = 4;

/**
 * Takes off what benchmarks put around a tool's text: the observation marker, a text block, a list of blocks, a whole
 * result. A text without any is returned as it is.
 */
export function unwrapObservation(text: string): string {
  let current = stripObservationMarker(text);
  for (let level = 0; level < UNWRAP_LEVELS; level++) {
    if (!mayWrap(current)) return current;
    const parsed = parseJson(current);
    const inner = parsed.ok ? readWrapper(parsed.value) : null;
    if (inner === null) return current;
    current = renderToolResult(inner);
  }
  return current;
}

/** False for what is no wrapper at a glance: reading large texts, and failing to, is what costs. */
function mayWrap(text: string): boolean {
  return /^\s*[{[]/.test(text) && /"(?:type|content|[^"]{0,40}\\u)/.test(text);
}

/** The result that a JSON value wraps, or null if it is no wrapper. */
function readWrapper(value: Json): ToolResult | null {
  const blocks = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (blocks.length > 0 && blocks.every(isBlock)) {
    return validResult({ content: blocks });
  }
  const looksLikeResult = isJsonObject(value) && Array.isArray(value.content) && value.content.every(isBlock);
  return looksLikeResult ? validResult(value as JsonObject) : null;
}

function isBlock(value: Json): boolean {
  return isJsonObject(value) && value.type === 'text' && typeof value.text === 'string'
    ? Object.keys(value).every((key) => ['type', 'text', 'annotations', '_meta'].includes(key))
    : isJsonObject(value) && ['image', 'audio', 'resource', 'resource_link'].includes(String(value.type));
}

function validResult(value: JsonObject): ToolResult | null {
  const checked = ToolResultSchema.safeParse(value);
  return checked.success ? checked.data : null;
}

/**
 * The form for comparing: unwrapped, line ends as LF, JSON objects and lists in canonical form (key order and
 * white space do not count), white space at the ends removed.
 */
export function normaliseToolObservation(text: string): string {
  const plain = unwrapObservation(text).replaceAll('\r\n', '\n').trim();
  if (!/^[{[]/.test(plain)) return plain;
  const parsed = parseJson(plain);
  const isContainer = parsed.ok && typeof parsed.value === 'object' && parsed.value !== null;
  return isContainer ? canonicalJson(parsed.value) : plain;
}
