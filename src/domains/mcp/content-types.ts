/**
 * What of a tool's answer can be demanded exactly.
 *
 * Structure and field names are deterministic; values that the call's arguments or the known state hold are
 * deterministic; times, request ids and durations are runtime metadata; all else is content of the environment.
 * Source: content types of AgentWorldBench (arXiv 2606.24597). Values are compared as texts, so an echo inside a
 * longer sentence counts too.
 */
import { parseJson } from '../../core/index.js';
import { knownLeaves, SpanList, spansOfMarks, textMarks } from '../content-spans.js';
import type { ContentContext, ContentSpan, ContentType } from '../domain-format.js';
import { jsonTokens } from '../json-tokens.js';
import { isRuntimeName, isRuntimeText } from '../runtime-metadata.js';

/** Classifies a tool's answer. The spans cover the text, in order. */
export function toolContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const known = knownLeaves(context);
  if (!/^\s*[{["]/.test(text) || !parseJson(text).ok) return classifyText(text, known);
  const spans = new SpanList();
  classifyJson(text, known, spans);
  return spans.done(text.length);
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

function leafType(value: string, name: string, known: ReadonlySet<string>): ContentType {
  if (known.has(value)) return 'deterministic';
  if (isRuntimeText(value)) return 'runtime-metadata';
  const isWord = value === 'true' || value === 'false' || value === 'null';
  return isRuntimeName(name) && !isWord ? 'runtime-metadata' : 'pre-existing';
}

/** Free text: runtime shapes and echoes are marked, the rest is content of the environment. */
function classifyText(text: string, known: ReadonlySet<string>): readonly ContentSpan[] {
  return spansOfMarks(text.length, textMarks(text, known), 'pre-existing');
}
