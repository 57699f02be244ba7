/**
 * Android screens as parts with places, and which parts can be demanded exactly.
 *
 * A node's flags and position among its siblings follow from action and state; its texts, ids, classes and bounds are
 * content of the application unless an earlier screen, the state or the action holds them; clocks, battery and signal of
 * the status bar are runtime metadata. Source: content types of AgentWorldBench (arXiv 2606.24597).
 */
import { isJsonObject } from '../../core/index.js';
import type {
  ContentContext,
  ContentSpan,
  ObservationOutline,
  ObservationPart,
  PartValue,
} from '../domain-format.js';
import { attributeOf, elementsOf, type MarkupElement, type MarkupNode } from '../markup/markup-node.js';
import { jsonOutline, lineOutline, markerLength } from '../outline-text.js';
import { screenTreeContentTypes } from '../screen-content.js';
import { NODE_STATES } from './android-node.js';
import { readScreenMarkup } from './android-screen.js';
import { isElementList, parseElementList } from './element-list.js';

/** A screen as parts with places. */
export function outlineAndroidScreen(text: string): ObservationOutline {
  const offset = markerLength(text);
  const markup = readScreenMarkup(text, offset);
  if (markup !== null) {
    return { parts: partsOf(markup.reading.nodes), problems: markup.reading.problems };
  }
  const body = text.slice(offset);
  if (isElementList(body)) return { parts: listParts(body, offset), problems: [] };
  return jsonOutline(text) ?? lineOutline(text, 'line');
}

function partOf(element: MarkupElement, id: string | undefined): ObservationPart {
  const name = attributeOf(element, 'class') ?? element.tag;
  const values = element.attributes.map(
    ({ name: of, value, start, end }): PartValue => ({ name: of, value: value ?? '', start, end }),
  );
  return {
    kind: name.slice(name.lastIndexOf('.') + 1) || element.tag,
    ...(id !== undefined && { id }),
    start: element.start,
    end: element.end,
    values: [...values, ...textValues(element.children)],
    parts: partsOf(element.children),
  };
}

/** Ids are resource ids where no sibling has the same, else HTML ids, else indexes. */
function partsOf(children: readonly MarkupNode[]): readonly ObservationPart[] {
  const elements = elementsOf(children);
  const counts = new Map<string, number>();
  for (const element of elements) {
    const id = attributeOf(element, 'resource-id') ?? '';
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return elements.map((element) => {
    const resource = attributeOf(element, 'resource-id') ?? '';
    const own = resource !== '' && counts.get(resource) === 1 ? resource : undefined;
    return partOf(element, own ?? attributeOf(element, 'id') ?? attributeOf(element, 'index'));
  });
}

function textValues(children: readonly MarkupNode[]): readonly PartValue[] {
  return children.flatMap((child) => {
    if (child.kind !== 'text' || child.text.trim() === '') return [];
    return [{ name: 'content', value: child.text.trim(), start: child.start, end: child.end }];
  });
}

/** One part a line; a field's place is found from left to right. */
function listParts(body: string, offset: number): readonly ObservationPart[] {
  const parts: ObservationPart[] = [];
  let at = offset;
  const lines = body.split('\n');
  for (const [index, element] of parseElementList(body).entries()) {
    const line = lines[index] ?? '';
    const start = at;
    const end = at + line.length;
    at = end + 1;
    if (element.kind === 'text') {
      if (line.trim() !== '') parts.push({ kind: 'text', start, end, values: [], parts: [] });
      continue;
    }
    let from = line.indexOf(element.form === 'label' ? ']' : ':') + 1;
    const values = Object.entries(element.fields).map(([name, json]): PartValue => {
      const value = isJsonObject(json) || Array.isArray(json) ? JSON.stringify(json) : String(json);
      const found = value === '' ? -1 : line.indexOf(value, from);
      if (found < 0) return { name, value, start, end: start };
      from = found + value.length;
      return { name, value, start: start + found, end: start + from };
    });
    parts.push({ kind: 'element', id: String(element.index), start, end, values, parts: [] });
  }
  return parts;
}

/** Values that follow from action and state. */
const DETERMINED: ReadonlySet<string> = new Set([
  ...NODE_STATES,
  ...['index', 'rotation', 'id', 'drawing-order', 'displayed', 'NAF', 'is_clickable', 'is_long_clickable'],
  ...[
    'is_editable',
    'is_scrollable',
    'is_focusable',
    'is_focused',
    'is_selected',
    'is_checked',
    'is_enabled',
  ],
  ...['is_checkable', 'is_visible'],
]);

const WORDS: ReadonlySet<string> = new Set([
  ...['text', 'content-desc', 'content', 'label', 'content_description', 'alt'],
]);

const STATUS_BAR_ID = /(?:clock|battery|signal|wifi|mobile|date|percentage|network|chronometer)/i;

/** A part of the status bar. */
function isStatusBar(part: ObservationPart): boolean {
  const id = part.values.find(({ name }) => name === 'resource-id')?.value ?? '';
  return id.startsWith('com.android.systemui') && STATUS_BAR_ID.test(id);
}

/** What of a screen can be demanded exactly. */
export function androidContentTypes(text: string, context: ContentContext = {}): readonly ContentSpan[] {
  const rules = { outline: outlineAndroidScreen, determined: DETERMINED, words: WORDS, isClock: isStatusBar };
  return screenTreeContentTypes(text, context, rules);
}
