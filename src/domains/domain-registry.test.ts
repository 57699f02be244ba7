import { expect, test } from 'vitest';
import { DOMAINS } from '../core/index.js';
import { domainFormat } from './domain-registry.js';
import { mcpFormat } from './mcp/mcp-format.js';

test('the mcp format is found by its name', () => {
  expect(domainFormat('mcp')).toEqual({ ok: true, value: mcpFormat });
});

test('a name without a format is a failure that says which exist', () => {
  const available = DOMAINS.filter((name) => domainFormat(name).ok);
  expect(domainFormat('serch')).toEqual({
    ok: false,
    error: {
      message: `there is no domain "serch" (did you mean "search"?); available: ${available.join(', ')}`,
      available,
    },
  });
  expect(domainFormat('__proto__').ok).toBe(false);
});
