import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../core/index.js';
import { compileSchedule } from './compile-schedule.js';
import type { FaultCounters } from './fault-counters.js';
import type { FaultSchedule } from './fault-schedule.js';
import type { FaultSpec } from './fault-spec.js';

function schedule(faults: readonly FaultSpec[], seed = 1): FaultSchedule {
  const compiled = compileSchedule(faults, seed);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.error));
  return compiled.value;
}

function call(name: string, args: Operation['args'] = {}): Operation {
  return { kind: 'tool.call', name, args };
}

/** Runs operations through both phases, one a turn (items of a batch in one turn); a digit is the fault that struck, `.` none. */
function strikes(faults: readonly FaultSpec[], ops: readonly Operation[], seed = 1): string {
  const compiled = schedule(faults, seed);
  let counters: FaultCounters = compiled.start();
  let log = '';
  let turn = 0;
  for (const op of ops) {
    if ((op.index ?? 0) === 0) turn += 1;
    const before = compiled.decide(op, { phase: 'before', turn }, counters);
    counters = before.counters;
    let { decision } = before;
    if (decision === null) {
      const after = compiled.decide(op, { phase: 'after', turn }, counters);
      counters = after.counters;
      decision = after.decision;
    }
    log += decision === null ? '.' : String(decision.applied[0]?.index);
  }
  return log;
}

const six = Array.from({ length: 6 }, () => call('save'));

test('when says which matches of a fault fire', () => {
  const when = (value: FaultSpec['when']) => strikes([{ kind: 'error', ...(value && { when: value }) }], six);
  expect(when(undefined)).toBe('000000');
  expect(when({ calls: [2, 5] })).toBe('.0..0.');
  expect(when({ first: 2 })).toBe('00....');
  expect(when({ every: 3 })).toBe('..0..0');
  expect(when({ turns: '2-3,6' })).toBe('.00..0');
  expect(when({ turns: 3 })).toBe('..0...');
  expect(when({ turns: '5-' })).toBe('....00');
  expect(when({ turns: '-2' })).toBe('00....');
  expect(when({ until: { retries: 2 } })).toBe('00....');
  expect(when({ rate: 1 })).toBe('000000');
  expect(when({ rate: 0 })).toBe('......');
  expect(when({ every: 2, first: 3 })).toBe('.0....');
});

test('until counts the retries of each tool by itself, whatever their arguments', () => {
  const ops = [call('a', { x: 1 }), call('b'), call('a', { x: 2 }), call('a'), call('b'), call('b')];
  expect(strikes([{ kind: 'error', when: { until: { retries: 2 } } }], ops)).toBe('000.0.');
});

test('max bounds how often a fault strikes', () => {
  expect(strikes([{ kind: 'timeout', max: 2 }], six)).toBe('00....');
});

test('on chooses by tool glob, by operation kind, and by arguments', () => {
  const ops = [
    call('note_get', { id: 'n1' }),
    call('note_add', { id: 'n2' }),
    call('tag_get', { id: 'n10' }),
  ];
  const on = (value: FaultSpec['on']) => strikes([{ kind: 'error', ...(value && { on: value }) }], ops);
  expect(on('note_*')).toBe('00.');
  expect(on('tool.call')).toBe('000');
  expect(on('data.write')).toBe('...');
  expect(on({ tool: '*_get', args: { id: 'n1' } })).toBe('0..');
  expect(on({ args: { id: { glob: 'n1*' } } })).toBe('0.0');
  expect(on({ args: { id: { pattern: '^n[0-9]$' } } })).toBe('00.');
  expect(on({ args: { nothing: 'n1' } })).toBe('...');
  expect(strikes([{ kind: 'error', on: 'data.write' }], [{ ...call('x'), kind: 'data.write' }])).toBe('0');
});

test('argument names of the prototype are not arguments', () => {
  expect(strikes([{ kind: 'error', on: { args: { constructor: { glob: '*' } } } }], [call('x')])).toBe('.');
});

test('the first fault of the list that fires wins, and the others keep their count', () => {
  const faults: FaultSpec[] = [
    { kind: 'error', when: { calls: [1] } },
    { kind: 'timeout', phase: 'after', when: { calls: [1, 2] } },
  ];
  expect(strikes(faults, six)).toBe('01....');
});

test('a fault after is decided for its own operation, also with another one in between', () => {
  const compiled = schedule([{ kind: 'timeout', phase: 'after', when: { calls: [1] } }]);
  const [a, b] = [call('a'), call('b')];
  let { counters } = compiled.decide(a, { phase: 'before', turn: 1 }, compiled.start());
  ({ counters } = compiled.decide(b, { phase: 'before', turn: 1 }, counters));
  const after = (op: Operation) => {
    const decided = compiled.decide(op, { phase: 'after', turn: 1 }, counters);
    ({ counters } = decided);
    return decided.decision?.applied[0];
  };
  expect(after(b)).toBeUndefined();
  expect(after(a)).toEqual({
    kind: 'timeout',
    index: 0,
    phase: 'after',
    operation: 'tool.call a',
    permanent: false,
    visible: true,
  });
});

test('a timeout says the same before and after, and takes its seconds', () => {
  const reply = (phase: 'before' | 'after') => {
    const compiled = schedule([{ kind: 'timeout', phase, with: { seconds: 2.5 } }]);
    const before = compiled.decide(call('pay'), { phase: 'before', turn: 1 }, compiled.start());
    if (phase === 'before') return before.decision?.reply;
    return compiled.decide(call('pay'), { phase: 'after', turn: 1 }, before.counters).decision?.reply;
  };
  const text = "Error: call of 'pay' timed out after 2.5 seconds";
  expect(reply('before')).toEqual({
    do: 'answer',
    delayMs: 2500,
    answer: {
      isError: true,
      text: { text, origins: [{ start: 0, end: text.length, origin: 'fault', ref: 'timeout' }] },
    },
  });
  expect(reply('after')).toEqual(reply('before'));
});

test('an error names its status, message and Retry-After', () => {
  const parameters = { status: 429, message: 'slow down', retryAfterSeconds: 2 };
  const compiled = schedule([{ kind: 'error', with: parameters }]);
  const { decision } = compiled.decide(call('x'), { phase: 'before', turn: 1 }, compiled.start());
  const reply = decision?.reply;
  expect(reply?.do === 'answer' ? reply.answer.text.text : reply).toBe(
    'Error 429: slow down\nRetry-After: 2',
  );
});

test('an error without a status says its message word for word', () => {
  const compiled = schedule([{ kind: 'error', with: { message: 'database locked' } }]);
  const { decision } = compiled.decide(call('x'), { phase: 'before', turn: 1 }, compiled.start());
  expect(decision?.reply).toEqual({
    do: 'answer',
    answer: {
      isError: true,
      text: { text: 'database locked', origins: [{ start: 0, end: 15, origin: 'fault', ref: 'error' }] },
    },
  });
});

test('partial failure counts batches and strikes items', () => {
  const batch = (count: number): Operation[] =>
    Array.from({ length: count }, (_, index) => ({ kind: 'tool.item', name: 'many', args: {}, index }));
  const ops = [...batch(3), ...batch(2), ...batch(3)];
  const fault = (when: FaultSpec['when'], items: number[]): FaultSpec => ({
    kind: 'partial-failure',
    ...(when && { when }),
    with: { items },
  });
  expect(strikes([fault({ calls: [1, 3] }, [1, 2])], ops)).toBe('.00...00');
  expect(strikes([{ ...fault(undefined, [0, 1]), max: 1 }], ops)).toBe('00......');
  expect(strikes([{ kind: 'partial-failure', with: { fraction: 1 } }], batch(3))).toBe('000');
});

test('the same seed decides the same, and another seed something else', () => {
  const many = Array.from({ length: 40 }, () => call('x'));
  const faults: FaultSpec[] = [{ kind: 'error', when: { rate: 0.5 } }];
  expect(strikes(faults, many, 7)).toBe(strikes(faults, many, 7));
  expect(strikes(faults, many, 7)).not.toBe(strikes(faults, many, 8));
});

test('adding a fault at the end changes no decision of the ones before it', () => {
  const many = Array.from({ length: 60 }, (_, index) => call(index % 3 === 0 ? 'a' : 'b'));
  const first: FaultSpec = { kind: 'error', on: 'a', when: { rate: 0.4 } };
  const alone = strikes([first], many);
  const both = strikes([first, { kind: 'timeout', when: { rate: 0.5 } }], many);
  expect(both.replaceAll('1', '.')).toBe(alone);
});

test('counters survive JSON, and a schedule goes on from them as if nothing had happened', () => {
  const faults: FaultSpec[] = [
    { kind: 'error', when: { rate: 0.3 } },
    { kind: 'timeout', phase: 'after', when: { every: 2, until: { retries: 3 } } },
    { kind: 'partial-failure', with: { fraction: 0.5 }, max: 2 },
  ];
  const op = fc.record({
    kind: fc.constantFrom('tool.call' as const, 'tool.item' as const),
    name: fc.constantFrom('a', 'b'),
    args: fc.constant({}),
    index: fc.integer({ min: 0, max: 3 }),
  });
  fc.assert(
    fc.property(fc.array(op, { maxLength: 20 }), fc.integer(), (ops, seed) => {
      const compiled = schedule(faults, seed);
      const run = (through: (counters: FaultCounters) => FaultCounters): string[] => {
        let counters = compiled.start();
        return ops.flatMap((one, index) =>
          (['before', 'after'] as const).map((phase) => {
            const decided = compiled.decide(one, { phase, turn: 1 + (index >> 2) }, through(counters));
            counters = decided.counters;
            return JSON.stringify(decided.decision);
          }),
        );
      };
      expect(run((counters) => JSON.parse(JSON.stringify(counters)))).toEqual(run((counters) => counters));
    }),
    { numRuns: 50 },
  );
});

test('what only takes time goes with the end of an operation, wherever it stands in the list', () => {
  const both: FaultSpec[] = [
    { kind: 'slow', with: { seconds: 5 } },
    { kind: 'timeout', with: { seconds: 30 } },
  ];
  const told = [both, both.toReversed()].map((faults) => {
    const compiled = schedule(faults);
    const { decision } = compiled.decide(call('save'), { phase: 'before', turn: 1 }, compiled.start());
    const { reply, applied = [] } = decision ?? {};
    return [reply?.do, reply?.do === 'answer' ? reply.delayMs : null, applied.map(({ kind }) => kind)];
  });
  expect(told).toEqual([
    ['answer', 35_000, ['slow', 'timeout']],
    ['answer', 35_000, ['slow', 'timeout']],
  ]);
});

test('a batch is counted once a call, whichever of its items the fault looks at', () => {
  const item = (id: string, index: number): Operation => ({
    kind: 'tool.item',
    name: 'add',
    args: { id },
    index,
  });
  const on = { tool: 'add', args: { id: 'b' } } as const;
  const compiled = schedule([{ kind: 'partial-failure', on, when: { calls: [2] }, with: { fraction: 1 } }]);
  let counters = compiled.start();
  const struck = [1, 2, 3].map((turn) =>
    ['a', 'b', 'c', 'b'].map((id, index) => {
      const { decision, counters: next } = compiled.decide(
        item(id, index),
        { phase: 'before', turn },
        counters,
      );
      counters = next;
      return decision === null ? '.' : id;
    }),
  );
  expect(struck.map((items) => items.join(''))).toEqual(['....', '.b.b', '....']);
  expect(counters.faults[0]).toMatchObject({ matches: 3, applied: 1 });
});
