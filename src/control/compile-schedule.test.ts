import { expect, test } from 'vitest';
import { z } from 'zod';
import { FAULT_KINDS } from './catalogue.js';
import { compileSchedule } from './compile-schedule.js';
import type { FaultSpec } from './fault-spec.js';

function problems(...faults: unknown[]) {
  const compiled = compileSchedule(faults as FaultSpec[], 1);
  return compiled.ok ? [] : compiled.error;
}

test('every kind of the catalogue compiles as in its example, in each of its phases, and says what it is', () => {
  for (const kind of FAULT_KINDS.values()) {
    const fault = { kind: kind.name, ...kind.example.fault };
    expect([kind.name, problems(fault)]).toEqual([kind.name, []]);
    expect(kind.description.length).toBeGreaterThan(20);
    expect(kind.remedy.length).toBeGreaterThan(10);
    for (const phase of kind.phases) expect(problems({ ...fault, phase })).toEqual([]);
  }
});

test('every parameter of every kind is described', () => {
  const bare = [...FAULT_KINDS.values()].flatMap((kind) => {
    const { properties = {} } = z.toJSONSchema(kind.parameters, { io: 'input' });
    return Object.entries(properties)
      .filter(([, schema]) => typeof schema === 'boolean' || schema.description === undefined)
      .map(([name]) => `${kind.name}.${name}`);
  });
  expect(bare).toEqual([]);
});

test('a fault whose engine does not exist, or that has nothing to break, is refused for a domain', () => {
  const refusals = (kind: string, domain: 'mcp' | 'terminal') => {
    const compiled = compileSchedule([{ kind }], 1, domain);
    return compiled.ok ? [] : compiled.error.map(({ message }) => message);
  };
  expect(refusals('search-empty', 'terminal')).toEqual([
    "a fault of kind 'search-empty' cannot be used here: its engine (search) does not exist yet",
  ]);
  expect(refusals('disk-full', 'mcp')).toEqual([
    "a fault of kind 'disk-full' cannot be used here: worlds of domain 'mcp' have nothing that it could break; it is for terminal, swe",
  ]);
  expect(refusals('disk-full', 'terminal')).toEqual([]);
  expect(refusals('tool-removed', 'terminal')).toEqual([
    "a fault of kind 'tool-removed' cannot be used here: worlds of domain 'terminal' have nothing that it could break; it is for mcp",
  ]);
  expect(refusals('tool-removed', 'mcp')).toEqual([]);
});

test('an unknown kind names the nearest one', () => {
  expect(problems({ kind: 'tiemout' })).toEqual([
    {
      path: [0, 'kind'],
      message:
        "'tiemout' is not a kind of fault; did you mean 'timeout'? The 63 kinds are listed in docs/FAULTS.md",
      nearest: 'timeout',
    },
  ]);
});

test('an unknown parameter names the nearest one, at its place in the list', () => {
  expect(problems({ kind: 'error' }, { kind: 'timeout', with: { secnds: 3 } })).toEqual([
    {
      path: [1, 'with', 'secnds'],
      message: "unknown key 'secnds'; did you mean 'seconds'? Known keys: seconds",
      nearest: 'seconds',
    },
  ]);
});

test('a parameter like no other is told the known ones in a sentence of its own', () => {
  expect(problems({ kind: 'error', with: { colour: 'x' } })).toEqual([
    {
      path: [0, 'with', 'colour'],
      message: "unknown key 'colour'. Known keys: message, status, retryAfterSeconds",
    },
  ]);
});

test('turns that are none are told by example', () => {
  expect(problems({ kind: 'error', when: { turns: 'x' } })).toEqual([
    { path: [0, 'when', 'turns'], message: 'must be turns such as "3", "3-5", "3-", "-5" or "2,4"' },
  ]);
});

test('a phase and an operation that a kind does not allow are refused', () => {
  expect(problems({ kind: 'partial-failure', phase: 'after', on: 'data.write' })).toEqual([
    {
      path: [0, 'phase'],
      message: "a fault of kind 'partial-failure' cannot strike 'after' the operation; it allows before",
    },
    {
      path: [0, 'on'],
      message: "a fault of kind 'partial-failure' cannot hit 'data.write'; it hits tool.item",
    },
  ]);
});

test('what happens between turns by itself is aimed at no tool', () => {
  expect(problems({ kind: 'clock-jump', on: 'save' })).toEqual([
    {
      path: [0, 'on'],
      message:
        "a fault of kind 'clock-jump' strikes between turns and takes no `on`; what it changes is said in `with`",
    },
  ]);
});

test('a range that names no turn is refused, because it would never fire', () => {
  expect(problems({ kind: 'error', when: { turns: '2,5-3,0' } })).toEqual(
    ['5-3', '0'].map((part) => ({
      path: [0, 'when', 'turns'],
      message: `'${part}' names no turn; turns count from 1 and a range goes up, for example 3-5`,
    })),
  );
});

test('wrong values are refused with their path', () => {
  const paths = (...faults: unknown[]) => problems(...faults).map(({ path }) => path.join('.'));
  expect(paths({ kind: 'timeout', with: { seconds: -1 } })).toEqual(['0.with.seconds']);
  expect(paths({ kind: 'error', when: { rate: 2 } })).toEqual(['0.when.rate']);
  expect(paths({ kind: 'error', when: { turns: 'x' } })).toEqual(['0.when.turns']);
  expect(paths({ kind: 'error', wen: {} })).toEqual(['0.wen']);
  expect(paths({ kind: 'partial-failure', with: { items: [0], fraction: 0.5 } })).toEqual(['0.with']);
  expect(paths({ kind: 'error', on: { args: { id: { pattern: '(?=x)' } } } })).toEqual(['0.on.args.id']);
});
