import { expect, test } from 'vitest';
import { countsOf, importBytes, linesOf, pairsOf } from './import-fixture.contract.js';

function line(uuid: string, parentUuid: string | null, more: object): object {
  return {
    uuid,
    parentUuid,
    sessionId: 's',
    version: '0.21.0',
    cwd: '/p',
    timestamp: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

function asks(uuid: string, parent: string | null, ...ids: readonly string[]): object {
  const parts = ids.map((id) => ({ functionCall: { id, name: 'read_file', args: { id } } }));
  return line(uuid, parent, {
    type: 'assistant',
    message: { role: 'model', parts: [{ text: 'secret plan', thought: true }, ...parts] },
  });
}

function tells(uuid: string, parent: string, id: string, response: object): object {
  const parts = [{ functionResponse: { id, name: 'read_file', response } }];
  return line(uuid, parent, {
    type: 'tool_result',
    message: { role: 'user', parts },
    toolCallResult: { callId: id, status: 'error' in response ? 'error' : 'success' },
  });
}

test('parallel calls of one line, answers in their own lines, errors, reminders and a killed call', async () => {
  const reminder = '\n\n<system-reminder>\nYour list changed.\n</system-reminder>';
  const { trajectories, report } = await importBytes(
    linesOf(
      line('u', null, { type: 'user', message: { role: 'user', parts: [{ text: 'go' }] } }),
      line('t', 'u', { type: 'system', subtype: 'ui_telemetry', systemPayload: {} }),
      asks('a1', 't', 'c1', 'c2'),
      tells('r2', 'a1', 'c2', { error: 'File not found' }),
      tells('r1', 'r2', 'c1', { output: `text${reminder}` }),
      asks('a2', 'r1', 'c3'),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['read_file', 'text'], ['read_file', 'File not found']]]);
  expect(trajectories[0]?.turns.map(({ meta }) => [meta?.isError, meta?.raw])).toEqual([
    [undefined, `text${reminder}`],
    [true, undefined],
  ]);
  expect([countsOf(report), report.strippedBytes]).toEqual([[2, 1, 0, 1], reminder.length]);
  expect(report.skipped).toEqual({ 'message of user': 1, 'system ui_telemetry': 1 });
  expect(JSON.stringify(trajectories)).not.toContain('secret plan');
});

test('names that several lines share say nothing about the tree: the lines stand in file order', async () => {
  const { trajectories } = await importBytes(
    linesOf(
      asks('x', 'x', 'c1'),
      tells('x', 'x', 'c1', { output: 'a' }),
      asks('x', 'x', 'c2'),
      tells('x', 'x', 'c2', { output: 'b' }),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['read_file', 'a'], ['read_file', 'b']]]);
});
