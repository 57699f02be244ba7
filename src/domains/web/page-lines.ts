/**
 * The lines around a page's tree: URL, title, open tabs, focus, the error of the last action, and headings.
 *
 * Read in the spelling of recorded BrowserGym pages (`URL: …`, `Tab 0 (active): title | url`), of AgentLab's prompts
 * (`Tab 0 (active tab):` with lines below it), of OpenHands (`[Current URL: …]`), of WebArena (`Tab 0 (current): a | Tab 1: b`)
 * and of Playwright's server (`- Page URL: …`). Written in the first of these.
 */
import type { PageLine, WebTab } from './page.js';

interface Pattern {
  readonly kind: 'url' | 'title' | 'focused' | 'error';
  readonly pattern: RegExp;
}

/** What stands in front of a field's name. */
const LEAD = String.raw`^[ \t]*(?:[-*] |\[|#{1,4} )?(?:\*\*)?`;
const FIELDS: readonly Pattern[] = [
  { kind: 'url', pattern: new RegExp(`${LEAD}(?:current |page )?url(?:\\*\\*)?:(?:\\*\\*)? ?(.*)$`, 'i') },
  {
    kind: 'title',
    pattern: new RegExp(`${LEAD}(?:current |page )?title(?:\\*\\*)?:(?:\\*\\*)? ?(.*)$`, 'i'),
  },
  {
    kind: 'focused',
    pattern: new RegExp(`${LEAD}focused (?:element )?bid(?:\\*\\*)?:(?:\\*\\*)? ?(.*)$`, 'i'),
  },
  { kind: 'focused', pattern: /^bid=(['"].*['"])$/ },
  {
    kind: 'error',
    pattern: new RegExp(`${LEAD}(?:last )?action error(?:\\*\\*)?:(?:\\*\\*)? ?(.*)$`, 'i'),
  },
];
const TAB = /^[ \t]*(?:[-*] )?Tab (\d{1,4})(?: \((active|current|active tab)\))?:[ \t]?(.*)$/i;
const TABS = /^[ \t]*(?:#{1,4} )?(?:currently )?open tabs:?[ \t]*$/i;
const TREE =
  /^[ \t]*(?:#{1,4} |- )?(?:accessibility tree|ax ?tree|observation|(?:latest )?(?:page )?snapshot)(?: of the .{1,40})?:?[ \t]*$/i;

/** A line around the tree, or several tabs that stand on one. `at` is where the line begins. */
export function readPageLine(line: string): PageLine {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  const read = readField(plain) ?? readTab(plain) ?? readHeading(plain);
  if (read === null || read.kind === 'text') return { kind: 'text', text: line };
  return renderPageLine(read) === line ? read : { ...read, written: line };
}

function readField(line: string): PageLine | null {
  for (const { kind, pattern } of FIELDS) {
    const value = pattern.exec(line)?.[1];
    if (value === undefined) continue;
    const isBracketed = /^[ \t]*\[/.test(line) && value.endsWith(']');
    const inner = isBracketed ? value.slice(0, -1) : value;
    return { kind, value: kind === 'focused' ? inner.trim().replace(/^['"]+|['"]+$/g, '') : inner };
  }
  return null;
}

function readTab(line: string): PageLine | null {
  const match = TAB.exec(line);
  if (match === null) return null;
  const [, index = '0', active, rest = ''] = match;
  // WebArena writes all tabs on one line, separated like title and URL; the first keeps the line.
  const own = rest.split(/ \| (?=Tab \d{1,4}(?: \((?:active|current)\))?:)/)[0] ?? '';
  const bar = own.lastIndexOf(' | ');
  const hasUrl = bar >= 0 && /^[a-z][a-z+.-]*:|^$/i.test(own.slice(bar + 3));
  return {
    kind: 'tab',
    index: Number(index),
    active: active !== undefined,
    title: hasUrl ? own.slice(0, bar) : own,
    url: hasUrl ? own.slice(bar + 3) : null,
  };
}

/** The tabs behind the first on a line of WebArena's. */
export function furtherTabs(line: string): readonly WebTab[] {
  const parts = line.split(/ \| (?=Tab \d{1,4}(?: \((?:active|current)\))?:)/).slice(1);
  return parts.flatMap((part) => {
    const tab = readTab(part);
    return tab?.kind === 'tab'
      ? [{ index: tab.index, active: tab.active, title: tab.title, url: tab.url }]
      : [];
  });
}

function readHeading(line: string): PageLine | null {
  if (TABS.test(line)) return { kind: 'tabs' };
  return TREE.test(line) ? { kind: 'tree' } : null;
}

const LABELS = { url: 'URL', title: 'Title', focused: 'Focused bid', error: 'Last action error' } as const;

/** The line in the first spelling, or as it was written. */
export function renderPageLine(line: PageLine): string {
  if (line.kind === 'text') return line.text;
  if (line.written !== undefined) return line.written;
  switch (line.kind) {
    case 'tabs':
      return 'Open tabs:';
    case 'tree':
      return 'Accessibility tree:';
    case 'tab': {
      const url = line.url === null ? '' : ` | ${line.url}`;
      return `  Tab ${line.index}${line.active ? ' (active)' : ''}: ${line.title}${url}`;
    }
    default:
      return `${LABELS[line.kind]}: ${line.value}`;
  }
}
