/**
 * The form in which two Android screens are compared.
 *
 * Told apart: texts, descriptions, ids, classes, flags, places, order, nesting. Not told apart: layout of the XML,
 * order of attributes, attributes that say the default, a class as tag or as attribute, spelling of characters, what the
 * shell wrote about the dump.
 */
import { canonicalJson } from '../../core/index.js';
import { type AndroidNode, NODE_STATES, type NodeState } from './android-node.js';
import { type AndroidScreen, parseAndroidScreen, renderAndroidScreen } from './android-screen.js';
import { normalHtml, renderHtml } from './html-node.js';

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0085\u2028\u2029\ufeff]/g;
const SHELL_WORDS = /(?:^|\n)[^\n]*hier(?:archy|chary) dumped to:[^\n]*(?:\n|$)/gi;

/** The text of a screen for comparing; doing it twice changes nothing. */
export function normaliseAndroidScreen(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').trim();
  return normalText(parseAndroidScreen(clean), clean);
}

function normalText(screen: AndroidScreen, clean: string): string {
  if (screen.form === 'json') return canonicalJson(screen.value);
  if (screen.form === 'html')
    return normalHtml(screen.nodes)
      .map((node) => renderHtml([node]))
      .join('\n');
  if (screen.form !== 'xml') {
    const lines = renderAndroidScreen(screen)
      .split('\n')
      .map((line) => line.trimEnd());
    const text = lines.join('\n').trim();
    // Without the spaces at its lines' ends a text may be of another form; then it is compared as that.
    return text === clean ? text : normaliseAndroidScreen(text);
  }
  const around = `${screen.before}\n${screen.after}`.replace(SHELL_WORDS, '\n').trim();
  const plain = { ...screen, declaration: null, indent: 1, emptyEnd: '/>', after: '' } as const;
  const nodes = screen.nodes.map(normalNode);
  return renderAndroidScreen({ ...plain, before: around === '' ? '' : `${around}\n`, nodes });
}

const DEFAULTS: ReadonlyMap<string, string> = new Map([
  ['rotation', '0'],
  ['NAF', 'false'],
  ['hint', ''],
  ['display-id', '0'],
]);

function normalNode(node: AndroidNode): AndroidNode {
  const { tag, index, text, resourceId, className, packageName, contentDesc, bounds, content } = node;
  const isClass = tag.includes('.');
  const states = NODE_STATES.filter((name) => isTold(name, node.states?.[name]));
  const extra = Object.entries(node.extra ?? {})
    .filter(([name, value]) => DEFAULTS.get(name) !== value)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    tag: isClass ? 'node' : tag,
    ...(index !== undefined && { index }),
    ...(text !== undefined && text !== '' && { text }),
    ...(resourceId !== undefined && resourceId !== '' && { resourceId }),
    ...named(className ?? (isClass ? tag : '')),
    ...(packageName !== undefined && packageName !== '' && { packageName }),
    ...(contentDesc !== undefined && contentDesc !== '' && { contentDesc }),
    ...(states.length > 0 && {
      states: Object.fromEntries(states.map((name) => [name, node.states?.[name]])),
    }),
    ...(bounds !== undefined && { bounds }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
    ...(content !== undefined && content.trim() !== '' && { content: content.trim() }),
    children: node.children.map(normalNode),
  };
}

function named(className: string): { readonly className?: string } {
  return className === '' ? {} : { className };
}

/** A flag that is not what it is where a dump does not say it: enabled and visible, everything else not. */
function isTold(name: NodeState, value: boolean | undefined): boolean {
  if (value === undefined) return false;
  return value !== (name === 'enabled' || name === 'visible-to-user');
}
