/**
 * The form in which two desktop screens are compared.
 *
 * Not told apart: layout of XML, order of attributes and states, spaces at the ends of names and texts, object
 * replacement characters, what a program says of its own widgets' actions (`act:…_kb`), namespaces' addresses.
 */
import { canonicalJson } from '../../core/index.js';
import type { DesktopNode } from './desktop-node.js';
import { type DesktopScreen, parseDesktopScreen, renderDesktopScreen } from './desktop-screen.js';

const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0085\u2028\u2029\ufeff\ufffc]/g;

/** The text of a screen for comparing; doing it twice changes nothing. */
export function normaliseDesktopScreen(text: string): string {
  const clean = text.replace(/\r\n?/g, '\n').replace(CONTROLS, '').trim();
  const screen = parseDesktopScreen(clean);
  const normal = renderDesktopScreen(normalScreen(screen)).trim();
  if (screen.form === 'json') return canonicalJson(screen.value);
  // A written form may be read as another form; the last one that is the same written again holds.
  return normal === clean ? normal : settle(normal);
}

/** Rounds of writing and reading after which a text that still changes is taken as it is. */
const ROUNDS = 4;

function settle(text: string): string {
  let now = text;
  for (let round = 0; round < ROUNDS; round++) {
    const screen = parseDesktopScreen(now);
    const next =
      screen.form === 'json' ? canonicalJson(screen.value) : renderDesktopScreen(normalScreen(screen)).trim();
    if (next === now) return now;
    now = next;
  }
  return now;
}

function normalScreen(screen: DesktopScreen): DesktopScreen {
  if (screen.form === 'json') return screen;
  if (screen.form === 'text') {
    return {
      form: 'text',
      text: screen.text
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n'),
    };
  }
  if (screen.form === 'table') {
    const rows = screen.rows.map((row) =>
      row.kind === 'text'
        ? { ...row, text: row.text.trimEnd() }
        : { ...row, cells: row.cells.map((cell) => cell.trim()) },
    );
    return { ...screen, columns: screen.columns.map((column) => column.trim()), rows };
  }
  const nodes = screen.nodes.map(normalNode);
  if (screen.form === 'xml') return { ...screen, declaration: null, indent: 1, emptyEnd: '/>', nodes };
  return { ...screen, nodes };
}

function normalNode(node: DesktopNode): DesktopNode {
  const extra = Object.entries(node.extra ?? {})
    .filter(
      ([name, value]) => !/^(?:act:|xmlns)/.test(name) && !(name.startsWith('st:') && value === 'false'),
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const text = node.text?.trim() ?? '';
  const { name, value, bounds, role } = node;
  return {
    role,
    ...(name !== undefined && { name: name.trim() }),
    ...(text !== '' && { text }),
    ...(value !== undefined && value !== '' && { value }),
    states: [...new Set(node.states)].sort(),
    ...(bounds !== undefined && { bounds }),
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
    children: node.children.map(normalNode),
  };
}
