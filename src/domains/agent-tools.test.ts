/** Tools for agents that know only tools: every call of them is an action of its domain. */
import { expect, test } from 'vitest';
import { agentAction, agentTools, domainFormat, WEB_ACTIONS } from './index.js';

function read(domain: 'web' | 'android' | 'os' | 'search', name: string, args: object) {
  const format = domainFormat(domain);
  if (!format.ok) throw new Error(format.error.message);
  return format.value.parseAction(agentAction(domain, name, JSON.stringify(args)));
}

test('web, android, os and search have tools, worlds of tools and terminals have their own', () => {
  expect(agentTools('web')?.map(({ name }) => name)).toEqual(WEB_ACTIONS);
  expect(agentTools('android')?.map(({ name }) => name)).toContain('navigate_back');
  expect(agentTools('android')).toHaveLength(14);
  expect([agentTools('os')?.length, agentTools('search')?.length]).toEqual([1, 3]);
  expect([agentTools('mcp'), agentTools('swe'), agentTools('terminal')]).toEqual([null, null, null]);
});

test('a call is the action that it names', () => {
  expect(read('web', 'fill', { bid: 'a5', value: 'tea' })).toMatchObject({
    kind: 'tool-call',
    name: 'fill',
    arguments: { bid: 'a5', value: 'tea' },
  });
  expect(read('android', 'click', { x: 540, y: 1200 })).toMatchObject({
    kind: 'tool-call',
    name: 'click',
    arguments: { x: 540, y: 1200 },
  });
  expect(read('os', 'desktop', { code: 'pyautogui.click(420, 300)' })).toMatchObject({
    kind: 'tool-call',
    name: 'desktop',
  });
  expect(read('search', 'web_search', { query: 'tides' })).toMatchObject({
    kind: 'tool-call',
    name: 'web_search',
  });
  for (const name of WEB_ACTIONS) {
    const schema = agentTools('web')?.find((tool) => tool.name === name)?.inputSchema as {
      required: string[];
      properties: Record<string, { type?: string }>;
    };
    const args = Object.fromEntries(
      schema.required.map((key) => [key, schema.properties[key]?.type?.match(/number|integer/) ? 1 : 'x']),
    );
    expect([name, read('web', name, args).kind]).toEqual([name, 'tool-call']);
  }
  for (const { name, inputSchema } of agentTools('android') ?? []) {
    const args = { direction: 'up', text: 'x', app_name: 'Clock', goal_status: 'complete', index: 1 };
    const own = Object.keys((inputSchema as { properties: object }).properties);
    const fitting = Object.fromEntries(Object.entries(args).filter(([key]) => own.includes(key)));
    expect([name, read('android', name, fitting).kind]).toEqual([name, 'tool-call']);
  }
});
