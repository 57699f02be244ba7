/**
 * Nodes of accessibility trees written in each of the notations, the way their programs write them.
 *
 * What is written here reads back as the same node. A node that was read from a line written otherwise keeps that line
 * and does not come here.
 */
import type { Json } from '../../core/index.js';
import { pythonString, pythonValue } from '../python-literals.js';
import type { TreeNotation, WebAttribute, WebNode } from './page.js';

/** The line of a node without its indentation; aria snapshots end it with a colon where something is nested under it. */
export function renderNodeLine(node: WebNode, notation: TreeNotation, hasChildren: boolean): string {
  switch (notation) {
    case 'browsergym':
    case 'html':
      return `${bracketHead(node)}${commaAttributes(node.attributes)}`;
    case 'webarena':
      return `${bracketHead(node)}${colonAttributes(node.attributes)}`;
    case 'devtools':
      return devtoolsLine(node);
    case 'aria':
      return ariaLine(node, hasChildren);
    case 'marks':
      return `[${node.bid ?? ''}] [${node.role}] [${node.name ?? ''}]`;
  }
}

function bracketHead({ bid, role, name }: WebNode): string {
  const head = bid === undefined ? role : `[${bid}] ${role}`;
  return name === undefined ? head : `${head} ${pythonString(name)}`;
}

/** Attributes that BrowserGym writes in double quotes. */
const COORDINATES = new Set(['center', 'box']);

function commaAttributes(attributes: readonly WebAttribute[]): string {
  const written = attributes.map(({ name, value }, i) => {
    if (value === undefined) return `, ${name}`;
    if (i === 0 && name === 'value') return ` value=${pythonValue(value)}`;
    if (COORDINATES.has(name) && typeof value === 'string' && !/["\\]/.test(value))
      return `, ${name}="${value}"`;
    return `, ${name}=${pythonValue(value)}`;
  });
  return written.join('');
}

function colonAttributes(attributes: readonly WebAttribute[]): string {
  return attributes.map(({ name, value = '' }) => ` ${name}: ${colonValue(value)}`).join('');
}

function colonValue(value: Json): string {
  return typeof value === 'string' ? value : pythonValue(value);
}

function devtoolsLine({ bid = '', role, name, attributes }: WebNode): string {
  const written = attributes.map(({ name: key, value }) =>
    value === undefined ? ` ${key}` : ` ${key}="${String(value)}"`,
  );
  return `uid=${bid} ${role}${name === undefined ? '' : ` ${JSON.stringify(name)}`}${written.join('')}`;
}

/** What a YAML reader would not take as a plain text: white space at the ends, controls, syntax, other types. */
const NEEDS_QUOTES =
  /^$|^\s|\s$|[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]|^[-[\]&*,?!>|@"'#%]|:(?:\s|$)|\s#|[{}`]|^(?:y|n|yes|no|true|false|on|off|null)$/i;

function needsQuotes(text: string): boolean {
  return NEEDS_QUOTES.test(text) || !Number.isNaN(Number(text));
}

/** A scalar as Playwright writes it: plain where that is safe, else in double quotes. */
function yamlValue(text: string): string {
  return needsQuotes(text) ? JSON.stringify(text) : text;
}

function ariaLine({ bid, role, name, attributes, text }: WebNode, hasChildren: boolean): string {
  const marks = attributes.map(({ name: key, value }) =>
    value === undefined ? ` [${key}]` : ` [${key}=${String(value)}]`,
  );
  // Playwright puts the ref in front of the cursor, behind everything else.
  const cursor = marks.findIndex((mark) => mark.startsWith(' [cursor='));
  if (bid !== undefined) marks.splice(cursor < 0 ? marks.length : cursor, 0, ` [ref=${bid}]`);
  const key = `${role}${name === undefined ? '' : ` ${quotedName(name)}`}${marks.join('')}`;
  const item = `- ${needsQuotes(key) ? `'${key.replaceAll("'", "''")}'` : key}`;
  if (text !== undefined) return `${item}: ${yamlValue(text)}`;
  return hasChildren ? `${item}:` : item;
}

function quotedName(name: string): string {
  return /^\/[\s\S]+\/$/.test(name) ? name : JSON.stringify(name);
}
