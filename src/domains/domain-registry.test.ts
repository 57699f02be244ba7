import { expect, test } from 'vitest';
import { domainFormat } from './domain-registry.js';
import { mcpFormat } from './mcp/mcp-format.js';

test('the mcp format is found by its name', () => {
  expect(domainFormat('mcp')).toEqual({ ok: true, value: mcpFormat });
});

test('a domain without a format is a failure that says which exist', () => {
  expect(domainFormat('search')).toEqual({
    ok: false,
    error: {
      message: 'the domain "search" has no format yet; available: mcp, terminal, android, os',
      available: ['mcp', 'terminal', 'android', 'os'],
    },
  });
  expect(domainFormat('serch')).toMatchObject({
    error: {
      message: 'there is no domain "serch" (did you mean "search"?); available: mcp, terminal, android, os',
    },
  });
  expect(domainFormat('__proto__').ok).toBe(false);
});
