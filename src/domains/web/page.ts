/**
 * A page as an agent of the web domain sees it: what stands around the tree, and the accessibility tree.
 *
 * The tree comes in five notations: BrowserGym's (`[a51] link 'Home', clickable, url='…'`), WebArena's
 * (`[164] textbox 'Search' focused: True required: False`), Playwright's aria snapshots (YAML: `- link "Home" [ref=e4]:`)
 * and Chrome DevTools' (`uid=1_3 link "Home" url="…"`), and the list of marks that goes with a picture
 * (`[3] [BUTTON] [Search]`); or the page is HTML (see `html-page.ts`). Each line keeps what it said as values; a line that is not
 * written the canonical way also keeps how it was written, so that writing a page gives back the very text.
 */
import type { Json } from '../../core/index.js';
import { furtherTabs } from './page-lines.js';

/** How a tree is written. */
export type TreeNotation = 'browsergym' | 'webarena' | 'aria' | 'devtools' | 'marks' | 'html';

/** One attribute of a node; without a value it is a flag (`clickable`, `[checked]`). */
export interface WebAttribute {
  readonly name: string;
  readonly value?: Json;
}

/** One node of the tree. */
export interface WebNode {
  readonly kind: 'node';
  /** For example `link`, `StaticText`; `/url` and the like are properties of the parent in aria snapshots. */
  readonly role: string;
  /** The id by which actions name it: bid, WebArena id, ref or uid. */
  readonly bid?: string;
  /** The accessible name; absent where the line has none. */
  readonly name?: string;
  readonly attributes: readonly WebAttribute[];
  /** Text behind the colon of an aria snapshot's line. */
  readonly text?: string;
  readonly children: readonly TreeItem[];
  /** The line as it was written, where that is not the canonical way. To change the node, leave this out. */
  readonly written?: string;
}

/** A line inside the tree that is no node; it stands under the node above it and has nothing under itself. */
export interface TreeText {
  readonly kind: 'text';
  readonly text: string;
}

/** A line of the tree; a node with what is nested under it. */
export type TreeItem = WebNode | TreeText;

/**
 * A line around the tree. `url`, `title`, `focused` and `error` have their value, `tab` is one open tab, `tabs` and `tree`
 * are headings, `text` is any other line, blank ones included.
 */
export type PageLine =
  | {
      readonly kind: 'url' | 'title' | 'focused' | 'error';
      readonly value: string;
      readonly written?: string;
    }
  | {
      readonly kind: 'tab';
      readonly index: number;
      readonly active: boolean;
      readonly title: string;
      readonly url: string | null;
      readonly written?: string;
    }
  | { readonly kind: 'tabs'; readonly written?: string }
  | { readonly kind: 'tree'; readonly written?: string }
  | { readonly kind: 'text'; readonly text: string };

/** A page. */
export interface WebPage {
  readonly notation: TreeNotation;
  /** What one level of nesting is written with. */
  readonly indent: string;
  readonly before: readonly PageLine[];
  readonly tree: readonly TreeItem[];
  readonly after: readonly PageLine[];
  /** The document as it was written, of a page in HTML. To change the tree, leave this out. */
  readonly source?: string;
}

/** An open tab. */
export interface WebTab {
  readonly index: number;
  readonly active: boolean;
  readonly title: string | null;
  readonly url: string | null;
}

/** What the lines around a tree say; null where they do not say it. */
export interface PageState {
  readonly url: string | null;
  readonly title: string | null;
  readonly tabs: readonly WebTab[];
  /** The bid that has the focus; empty on a page without any. */
  readonly focused: string | null;
  readonly error: string | null;
}

/** Gathers what the lines around the tree say. URL and title below a tab's line belong to that tab. */
export function pageState(page: WebPage): PageState {
  const tabs: WebTab[] = [];
  const own = new Map<'url' | 'title' | 'focused' | 'error', string>();
  let inTab = false;
  for (const line of [...errorsJoined(page.before), ...errorsJoined(page.after)]) {
    if (line.kind === 'tab') {
      tabs.push({ index: line.index, active: line.active, title: line.title, url: line.url });
      tabs.push(...furtherTabs(line.written ?? ''));
      inTab = true;
    } else if (inTab && (line.kind === 'url' || line.kind === 'title') && /^\s/.test(line.written ?? '')) {
      const tab = tabs.pop();
      if (tab !== undefined) tabs.push({ ...tab, [line.kind]: line.value });
    } else if (
      line.kind === 'url' ||
      line.kind === 'title' ||
      line.kind === 'focused' ||
      line.kind === 'error'
    ) {
      inTab = false;
      if (!own.has(line.kind)) own.set(line.kind, line.value);
    }
  }
  const active = tabs.find((tab) => tab.active);
  return {
    url: own.get('url') ?? active?.url ?? null,
    title: own.get('title') ?? active?.title ?? null,
    tabs,
    focused: own.get('focused') ?? null,
    error: own.get('error') ?? null,
  };
}

/** The lines of an error's text as one error: those behind it up to a blank line, or between OpenHands' rules. */
function errorsJoined(lines: readonly PageLine[]): readonly PageLine[] {
  const joined: PageLine[] = [];
  let inRules = false;
  for (const line of lines) {
    const last = joined.at(-1);
    if (line.kind !== 'text') joined.push(line);
    else if (/^=+ BEGIN error message =+\s*$/.test(line.text)) inRules = true;
    else if (/^=+ END error message =+\s*$/.test(line.text)) inRules = false;
    else if (inRules && last?.kind !== 'error') joined.push({ kind: 'error', value: line.text });
    else if (last?.kind === 'error' && (inRules || line.text.trim() !== '')) {
      joined[joined.length - 1] = { kind: 'error', value: `${last.value}\n${line.text}` };
    } else joined.push(line);
  }
  return joined;
}

/** All nodes of a page, parents before their children. */
export function* webNodes(items: readonly TreeItem[]): Generator<WebNode> {
  const todo = [...items].reverse();
  for (let item = todo.pop(); item !== undefined; item = todo.pop()) {
    if (item.kind === 'text') continue;
    yield item;
    for (let i = item.children.length - 1; i >= 0; i--) todo.push(item.children[i] as TreeItem);
  }
}
