import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Turn } from '../core/index.js';
import { TurnList } from './turn-list.js';

function turn(action: string): Turn {
  return { action, observation: '', status: 'ok' };
}

test('lists that share turns behave as if each had its own', () => {
  const step = fc.record({ list: fc.nat(9), action: fc.string({ maxLength: 3 }), keep: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const lists = [{ shared: TurnList.empty, own: [] as Turn[] }];
      for (const { list, action, keep } of steps) {
        const at = list % lists.length;
        const old = lists[at];
        if (old === undefined) continue;
        const next = { shared: old.shared.append(turn(action)), own: [...old.own, turn(action)] };
        if (keep) lists[at] = next;
        else lists.push(next);
      }
      for (const { shared, own } of lists) {
        expect(shared.toArray()).toEqual(own);
        expect(shared.length).toBe(own.length);
        expect(shared.last(2)).toEqual(own.slice(-2));
      }
    }),
  );
});

test('a list made of turns does not follow the array it was made of', () => {
  const turns = [turn('a')];
  const list = TurnList.of(turns);
  turns.push(turn('b'));
  expect(
    list
      .append(turn('c'))
      .toArray()
      .map(({ action }) => action),
  ).toEqual(['a', 'c']);
});
