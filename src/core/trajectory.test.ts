import { expect, test } from 'vitest';
import {
  ActionSchema,
  DOMAINS,
  DomainSchema,
  fail,
  isNullStatus,
  OPERATION_KINDS,
  OperationKindSchema,
  ok,
  pointsOfGrade,
  ScoreSchema,
  STEP_STATUSES,
  SystemPromptSchema,
  TrajectorySchema,
  TurnSchema,
} from './index.js';

test('an action is any text, the empty one included, and nothing else', () => {
  expect(ActionSchema.parse('')).toBe('');
  expect(ActionSchema.safeParse({ name: 'f' }).success).toBe(false);
});

test('the seven domains stand in published order', () => {
  expect(DOMAINS).toEqual(['mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os']);
  expect(DomainSchema.safeParse('MCP').success).toBe(false);
});

test('every kind of operation is accepted, others are not', () => {
  for (const kind of OPERATION_KINDS) expect(OperationKindSchema.parse(kind)).toBe(kind);
  expect(OperationKindSchema.safeParse('tool').success).toBe(false);
});

test('three statuses have no observation', () => {
  expect(STEP_STATUSES.filter(isNullStatus)).toEqual(['abstained', 'limit', 'model-failed']);
});

test('a turn keeps unknown keys and is ok unless it says otherwise', () => {
  expect(TurnSchema.parse({ action: 'a', observation: null, 'x-own': 1, meta: { other: 2 } })).toEqual({
    action: 'a',
    observation: null,
    status: 'ok',
    'x-own': 1,
    meta: { other: 2 },
  });
  expect(TurnSchema.safeParse({ action: 'a', observation: 'b', status: 'fine' }).success).toBe(false);
  expect(TurnSchema.safeParse({ action: 'a' }).success).toBe(false);
});

test('a trajectory of another version is refused', () => {
  const value = { trajectory: 1, id: 't', domain: 'mcp', system: { text: 's' }, turns: [] };
  expect(TrajectorySchema.parse(value)).toEqual({
    ...value,
    source: {},
    system: { text: 's', demonstrations: [] },
    meta: {},
  });
  expect(TrajectorySchema.safeParse({ ...value, trajectory: 2 }).success).toBe(false);
});

test('a system prompt needs its text only', () => {
  expect(SystemPromptSchema.parse({ text: '' })).toEqual({ text: '', demonstrations: [] });
});

test('a score is a fraction or a reason, never both', () => {
  expect(ScoreSchema.parse({ status: 'scored', fraction: 0.5 })).toEqual({
    status: 'scored',
    fraction: 0.5,
    components: {},
  });
  expect(ScoreSchema.parse({ status: 'unscored', reason: 'no verdict', raw: 'x' })).toEqual({
    status: 'unscored',
    reason: 'no verdict',
    raw: 'x',
  });
  for (const bad of [{ status: 'scored' }, { status: 'scored', fraction: 1.1 }, { status: 'unscored' }]) {
    expect(ScoreSchema.safeParse(bad).success).toBe(false);
  }
});

test('grades one to five are points zero to a hundred', () => {
  expect([1, 2, 3.6, 5].map(pointsOfGrade)).toEqual([0, 25, 65, 100]);
});

test('a result is a value or an error', () => {
  expect([ok(0), fail('')]).toEqual([
    { ok: true, value: 0 },
    { ok: false, error: '' },
  ]);
});
