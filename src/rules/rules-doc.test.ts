import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../core/index.js';
import { FUNCTIONS } from './functions.js';
import { compileRule, compileTemplate } from './index.js';

const text = readFileSync(new URL('../../docs/RULES.md', import.meta.url), 'utf8');

function blocks(kind: string): string[] {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, name, body]) =>
    name === kind ? [body ?? ''] : [],
  );
}

function examples(kind: string): [string, string][] {
  const lines = blocks(kind).flatMap((block) => block.trim().split('\n'));
  return lines.map((line) => {
    const at = line.lastIndexOf('=>');
    return [line.slice(0, at).trim(), line.slice(at + 2).trim()];
  });
}

function json(source: string): Json {
  const parsed = parseJson(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.error.message}`);
  return parsed.value;
}

const bindings = json(blocks('json bindings')[0] ?? '');
if (!isJsonObject(bindings)) throw new Error('docs/RULES.md has no bindings');
const names = Object.keys(bindings);

describe('every rule in docs/RULES.md gives what the page says', () => {
  test.each(examples('rules'))('%s', (source, wanted) => {
    const rule = compileRule(source, { names });
    const result = rule.ok ? rule.value.evaluate(bindings) : rule;
    if (wanted.startsWith('error: ')) {
      expect(result.ok ? result.value : result.error.message).toContain(wanted.slice('error: '.length));
    } else {
      expect(result).toEqual({ ok: true, value: json(wanted) });
    }
  });
});

describe('every template in docs/RULES.md gives what the page says', () => {
  test.each(examples('template'))('%s', (source, wanted) => {
    const template = compileTemplate(source, { names });
    const result = template.ok ? template.value.render(bindings) : template;
    expect(result.ok ? result.value.text : result.error.message).toBe(wanted);
  });
});

test('docs/RULES.md has examples, and names every function', () => {
  expect(examples('rules').length).toBeGreaterThan(60);
  const missing = [...FUNCTIONS.keys()].filter((name) => !text.includes(`\`${name}`));
  expect(missing).toEqual([]);
});
