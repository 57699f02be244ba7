import { expect, test } from 'vitest';
import { fail, ok } from '../core/index.js';
import { checkVerifier, runVerifiers, VerifierSchema } from './index.js';

const bindings = {
  state: { issues: [{ id: 1, status: 'closed' }] },
  turns: [{ action: '{"name":"close","arguments":{"id":1}}' }],
  answer: 'done',
  clock: '2026-01-01T00:00:00Z',
};

test('the score is the share passed, with a component for each', () => {
  const verifiers = [
    { id: 'closed', expr: "state.issues.all(i, i.status == 'closed')" },
    { id: 'quick', expr: 'size(turns) < 1' },
    { id: 'said', expr: "answer.contains('done') && time(clock) > 0" },
  ];
  expect(runVerifiers(verifiers, bindings)).toEqual({
    outcomes: [
      { id: 'closed', passed: true },
      { id: 'quick', passed: false },
      { id: 'said', passed: true },
    ],
    score: { status: 'scored', fraction: 2 / 3, components: { closed: 1, quick: 0, said: 1 } },
  });
});

test('a verifier that cannot be decided makes the whole unscored, with the reason', () => {
  const report = runVerifiers(
    [
      { id: 'closed', expr: 'true' },
      { id: 'missing', expr: 'state.users.size() > 0' },
      { id: 'number', expr: '1' },
    ],
    bindings,
  );
  const missing = 'rule, line 1, column 1, at "state.users": there is no field "users"; it has issues.';
  const number = 'rule, line 1, column 1, at "1": this must be true or false; here is number 1';
  expect(report).toEqual({
    outcomes: [
      { id: 'closed', passed: true },
      { id: 'missing', passed: 'unscored', reason: missing },
      { id: 'number', passed: 'unscored', reason: number },
    ],
    score: { status: 'unscored', reason: `2 of 3 verifiers: missing: ${missing}; number: ${number}` },
  });
});

test('no verifiers, unreadable ones and repeated ids are unscored', () => {
  expect(runVerifiers([], bindings).score).toEqual({ status: 'unscored', reason: 'there are no verifiers' });
  expect(runVerifiers([{ id: 'a', expr: 'stae == 1' }], bindings).outcomes[0]).toMatchObject({
    passed: 'unscored',
    reason: expect.stringContaining('Did you mean "state"?'),
  });
  const twice = runVerifiers(
    [
      { id: 'a', expr: 'true' },
      { id: 'a', expr: 'true' },
    ],
    bindings,
  );
  expect(twice.outcomes[1]).toEqual({
    id: 'a',
    passed: 'unscored',
    reason: 'another verifier has the same id',
  });
});

test('the shell form needs a runner', () => {
  const verifier = { id: 'file', run: 'test -f out.txt', exitCode: 0 };
  expect(runVerifiers([verifier], bindings).outcomes).toEqual([
    { id: 'file', passed: 'unscored', reason: 'commands are not supported in this domain; use expr' },
  ]);
  expect(runVerifiers([verifier], bindings, { shell: (v) => ok(v.run.startsWith('test')) }).outcomes).toEqual(
    [{ id: 'file', passed: true }],
  );
  expect(runVerifiers([verifier], bindings, { shell: () => fail('no shell today') }).score).toEqual({
    status: 'unscored',
    reason: '1 of 1 verifiers: file: no shell today',
  });
});

test('state is only made when a verifier uses it', () => {
  const state = (): null => {
    throw new Error('must not be called');
  };
  expect(runVerifiers([{ id: 'said', expr: "answer == 'done'" }], { ...bindings, state }).score).toEqual({
    status: 'scored',
    fraction: 1,
    components: { said: 1 },
  });
});

test('an id such as __proto__ is only a name', () => {
  const { score } = runVerifiers([{ id: '__proto__', expr: 'true' }], bindings);
  expect(score.status === 'scored' && Object.keys(score.components)).toEqual(['__proto__']);
});

test('the schema takes both forms and no unknown keys', () => {
  expect(VerifierSchema.parse({ id: 'a', expr: 'true' })).toEqual({ id: 'a', expr: 'true' });
  expect(VerifierSchema.parse({ id: 'a', run: 'ls' })).toEqual({ id: 'a', run: 'ls', exitCode: 0 });
  expect(VerifierSchema.safeParse({ id: 'a', expr: 'true', run: 'ls' }).success).toBe(false);
  expect(VerifierSchema.safeParse({ id: 'a' }).success).toBe(false);
  expect(VerifierSchema.safeParse({ id: '', expr: 'true' }).success).toBe(false);
});

test('a verifier can be checked without running it', () => {
  expect(checkVerifier({ id: 'a', expr: 'state.x > clock' })).toEqual({ ok: true, value: undefined });
  expect(checkVerifier({ id: 'a', expr: 'row.x' })).toMatchObject({
    ok: false,
    error: { code: 'rules/syntax' },
  });
  expect(checkVerifier({ id: 'a', run: 'ls', exitCode: 0 })).toEqual({ ok: true, value: undefined });
});

test('verifiers share one budget: those after it is used up are unscored, and say so', () => {
  const expr = 'state.all(a, a >= 0)';
  const verifiers = ['a', 'b', 'c', 'd'].map((id) => ({ id, expr }));
  const state = Array.from({ length: 100 }, (_, i) => i);
  const alone = { left: 1e9 };
  runVerifiers(verifiers.slice(0, 1), { state }, { meter: alone });
  const meter = { left: Math.floor((1e9 - alone.left) * 2.5) };
  const { outcomes, score } = runVerifiers(verifiers, { state }, { meter });
  expect(outcomes.map(({ passed }) => passed)).toEqual([true, true, 'unscored', 'unscored']);
  expect(score).toMatchObject({ status: 'unscored', reason: expect.stringContaining('limit stepWork') });
});
