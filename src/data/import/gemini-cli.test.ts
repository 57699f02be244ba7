import { expect, test } from 'vitest';
import { countsOf, importBytes, linesOf, pairsOf } from './import-fixture.contract.js';

const HEAD = {
  sessionId: 's',
  projectHash: 'h',
  startTime: '2026-01-01T00:00:00Z',
  lastUpdated: '2026-01-01T00:00:00Z',
  kind: 'main',
};

function message(id: string, more: object = {}): object {
  return {
    id,
    timestamp: '2026-01-01T00:00:00.000Z',
    type: 'gemini',
    content: '',
    thoughts: [{ subject: 'secret plan' }],
    ...more,
  };
}

function response(id: string, name: string, said: object): object {
  return { functionResponse: { id, name, response: said } };
}

function toolCall(id: string, name: string, result: unknown, more: object = {}): object {
  return { id, name, args: {}, status: 'success', result, ...more };
}

test('a message written several times counts as it stood last, and echoed answers are not taken twice', async () => {
  const said = response('c1', 'read_file', { output: 'text' });
  const { trajectories, report } = await importBytes(
    linesOf(
      HEAD,
      { $set: { lastUpdated: 'x' } },
      message('m1'),
      message('m1', {
        toolCalls: [
          toolCall('c1', 'read_file', [said]),
          toolCall('c2', 'glob', [response('c2', 'glob', { error: 'none' })], { status: 'error' }),
        ],
      }),
      { id: 'u', timestamp: '2026-01-01T00:00:01Z', type: 'user', content: [said] },
      message('m2', { toolCalls: [toolCall('c3', 'read_file', null)] }),
      {
        id: 'u2',
        timestamp: '2026-01-01T00:00:01Z',
        type: 'user',
        content: [response('c9', 'x', { output: 'nobody asked' })],
      },
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['read_file', 'text'], ['glob', 'none']]]);
  expect(trajectories[0]?.turns[1]?.meta?.isError).toBe(true);
  expect([countsOf(report), report.duplicates]).toEqual([[2, 1, 1, 1], 2]);
  expect(JSON.stringify(trajectories)).not.toContain('secret plan');
});

test('an answer that only the echo has is taken from there', async () => {
  const { trajectories } = await importBytes(
    linesOf(HEAD, message('m1', { toolCalls: [toolCall('c1', 'read_file', undefined)] }), {
      id: 'u',
      timestamp: '2026-01-01T00:00:01Z',
      type: 'user',
      content: [response('c1', 'read_file', { output: 'late' })],
    }),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['read_file', 'late']]]);
});

test('the shell tool gives what was printed: labels, wrapper, exit code and the note of a saved file are taken out', async () => {
  const texts = [
    '<untrusted_context>\nOutput: a\nExit Code: 9 is printed\nError: so is this\nExit Code: 7\nProcess Group PGID: 12\n</untrusted_context>',
    'Command: ls\nDirectory: (root)\nOutput: one\ntwo\nError: bad\nthing\nExit Code: 1\nSignal: 0\nProcess Group PGID: 1',
    'Command: true\nDirectory: (root)\nOutput: (empty)\nError: (none)\nExit Code: 0\nSignal: 0\nBackground PIDs: (none)\nProcess Group PGID: 1',
    'Output too large. Showing first 8,000 and last 32,000 characters. For full output see: /t/x.txt\n<untrusted_context>\nOutput: 1\n\n... [9 characters omitted] ...\n\n2\n</untrusted_context>',
    'no labels at all',
  ];
  const { trajectories, report } = await importBytes(
    linesOf({
      ...HEAD,
      messages: texts.map((output, i) =>
        message(`m${i}`, {
          toolCalls: [
            toolCall(`c${i}`, 'run_shell_command', [response(`c${i}`, 'run_shell_command', { output })]),
          ],
        }),
      ),
    }),
  );
  expect(
    trajectories[0]?.turns.map(({ observation, meta, flags }) => [observation, meta?.exitCode, flags]),
  ).toEqual([
    ['a\nExit Code: 9 is printed\nError: so is this', 7, undefined],
    ['one\ntwo\nbad\nthing', 1, undefined],
    ['', 0, undefined],
    ['1\n\n... [9 characters omitted] ...\n\n2', undefined, ['truncated', 'external']],
    ['no labels at all', undefined, undefined],
  ]);
  expect(trajectories[0]?.turns[0]?.meta?.raw).toBe(texts[0]);
  expect(report.external).toBe(1);
});

test('a patch with messages adds them, and what a rewind took away is a trajectory of its own', async () => {
  const one = (id: string): object =>
    message(id, { toolCalls: [toolCall(`c-${id}`, 'glob', [response(`c-${id}`, 'glob', { output: id })])] });
  const { trajectories } = await importBytes(
    linesOf(HEAD, { $set: { messages: [one('m1')] } }, one('m2'), { $rewindTo: 'm2' }, one('m3')),
  );
  expect(pairsOf(trajectories)).toEqual([
    ['log#s/branch-1', ['glob', 'm2']],
    ['log#s', ['glob', 'm1'], ['glob', 'm3']],
  ]);
});
