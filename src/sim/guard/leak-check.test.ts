/**
 * What must not be said is found in every form that code can undo, and not where it only seems to stand.
 */
import { expect, test } from 'vitest';
import type { Domain, Json } from '../../core/index.js';
import { mcpFormat } from '../../domains/index.js';
import { compileFacts } from '../pinned-facts.js';
import type { GuardContext } from './finding.js';
import { KnownText } from './known-text.js';
import { findLeaks } from './leak-check.js';

function context(more: Partial<GuardContext> & { readonly knows?: string } = {}): GuardContext {
  const { knows = '', ...rest } = more;
  return {
    domain: 'mcp',
    format: mcpFormat as GuardContext['format'],
    op: { kind: 'tool.call', name: 'x', args: {} },
    view: {},
    hidden: undefined,
    facts: [],
    instruction: undefined,
    known: new KnownText([knows]),
    ...rest,
  };
}

function secret(text: string): GuardContext['facts'] {
  const facts = compileFacts([{ id: 's', text, secret: true, reveal: { on: '*' } }]);
  if (!facts.ok) throw new Error(facts.error);
  return facts.value;
}

test('a secret leaks in any case, spacing and punctuation, with invisible characters, look-alikes and escapes', () => {
  const about = context({ facts: secret('The code is 7741.') });
  const leaks = [
    'the  CODE is\n7741.',
    'The co\u200bde is 77\u00ad41.',
    'Ｔhe code is ７７４１.',
    '\u0422h\u0435 \u0441\u043ed\u0435 is 7741.',
    '\u03a4he c\u03bfde is 7741.',
    '{"a":"The code is \\u0037741."}',
    'quoted: "The\\ncode is 7741."',
    'T-h-e c-o-d-e i-s 7-7-4-1',
    'The code\nis\n77\n41',
    'the&#32;code&nbsp;is &#55;741.',
    'The%20code%20is%207741.',
    `data: ${btoa('The code is 7741.')}`,
    `x${btoa('so: The code is 7741.')}`,
    Buffer.from('The code is 7741.').toString('hex'),
    'Gur pbqr vf 7741.',
    '.1477 si edoc ehT',
    'it is 7741',
    '7 7 4 1',
  ];
  expect(leaks.map((text) => findLeaks(text, about).length)).toEqual(leaks.map(() => 1));
  const fine = ['The code is secret.', 'order 177412', 'page 77 of 41', ''];
  expect(fine.map((text) => findLeaks(text, about).length)).toEqual(fine.map(() => 0));
});

test('a finding never holds what leaked', () => {
  const [found] = findLeaks('the code is 7741', context({ facts: secret('The code is 7741.') }));
  expect(JSON.stringify(found)).not.toContain('7741');
});

test('what the agent knows or the state shows is no leak', () => {
  const about = context({ facts: secret('The code is 7741.'), knows: 'set code to 7741. The code is 7741.' });
  expect(findLeaks('The code is 7741.', about)).toEqual([]);
});

const MILL = { target: 'Who founded the Larkmoor tide mill, and when?', answer: 'Oda Brennick, 1874' };

function leaksOf(domain: Domain, op: GuardContext['op'], text: string, view: Json = {}): number {
  return findLeaks(text, context({ domain, op, hidden: MILL, view })).length;
}

test('one part of a hidden answer is a leak, and so is the target', () => {
  const op = { kind: 'tool.call', name: 'note_get', args: {} } as const;
  expect(leaksOf('mcp', op, 'It was ODA  brennick.')).toBe(1);
  expect(leaksOf('mcp', op, 'built in 1874')).toBe(1);
  expect(leaksOf('mcp', op, 'who founded the larkmoor tide mill and when')).toBe(1);
  expect(leaksOf('mcp', op, 'built in 1875 by Oda Brenner')).toBe(0);
});

test('in a search world only fitting queries lead to the answer: one part a snippet, all of it on the page', () => {
  const search = (query: string) => ({ kind: 'tool.call', name: 'web_search', args: { query } }) as const;
  const half = '[1] https://a.example/x\nTitle: Larkmoor\nSnippet: Founded in 1874.\nDate: N/A';
  const both = half.replace('Founded', 'Founded by Oda Brennick');
  expect(leaksOf('search', search('bicycle repair'), half)).toBe(1);
  expect(leaksOf('search', search('Larkmoor history'), half)).toBe(0);
  expect(leaksOf('search', search('Larkmoor history'), both)).toBe(1);
  const open = { kind: 'tool.call', name: 'web_extractor', args: { url: 'https://a.example/x' } } as const;
  const page = '# Larkmoor\nOda Brennick founded the mill in 1874.';
  const led = { results: { 'https://a.example/x': { query: 'Larkmoor history' } } };
  const astray = { results: { 'https://a.example/x': { query: 'bicycle repair' } } };
  expect([
    leaksOf('search', open, page, led),
    leaksOf('search', open, page, astray),
    leaksOf('search', open, page),
  ]).toEqual([0, 1, 1]);
});
