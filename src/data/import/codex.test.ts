import { expect, test } from 'vitest';
import { countsOf, importBytes, linesOf, pairsOf } from './import-fixture.contract.js';

function line(type: string, payload: object): object {
  return { timestamp: '2026-01-01T00:00:00.000Z', type, payload };
}

const item = (payload: object): object => line('response_item', payload);
const call = (id: string, name = 'shell', args: object = {}): object =>
  item({ type: 'function_call', name, arguments: JSON.stringify(args), call_id: id });
const output = (id: string, text: unknown): object =>
  item({ type: 'function_call_output', call_id: id, output: text });
const META = line('session_meta', { id: 'x', cli_version: '0.94.0', cwd: '/p' });

test('every layout of an answer gives what was printed, with the exit code out of the text or a mirror', async () => {
  const head =
    'Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 2\nOutput:\n';
  const running = 'Chunk ID: a2\nWall time: 10 seconds\nProcess running with session ID 7\nOutput:\nwait';
  const { trajectories, report } = await importBytes(
    linesOf(
      META,
      call('c1'),
      output('c1', JSON.stringify({ output: 'old\r\n', metadata: { exit_code: 1, duration_seconds: 0.1 } })),
      call('c2'),
      output('c2', 'Exit code: 2\nWall time: 0.5 seconds\nOutput:\nmiddle\n'),
      call('c3'),
      output('c3', `${head}new\n`),
      call('c4'),
      output('c4', 'plain'),
      line('event_msg', { type: 'exec_command_end', call_id: 'c4', exit_code: 4 }),
      call('c5'),
      output('c5', running),
      line('event_msg', {
        type: 'item_completed',
        item: { type: 'CommandExecution', id: 'c5', exit_code: 0 },
      }),
      call('c6'),
      output('c6', [
        { type: 'input_text', text: 'Output:' },
        { type: 'input_image', image_url: 'data:' },
      ]),
      call('c7'),
      output(
        'c7',
        `${head}Warning: truncated output (original token count: 9)\nTotal output lines: 3\n\n1\n2…9 chars truncated…3`,
      ),
    ),
  );
  expect(
    trajectories[0]?.turns.map(({ observation, flags, meta }) => [observation, meta?.exitCode, flags]),
  ).toEqual([
    ['old\r\n', 1, undefined],
    ['middle\n', 2, undefined],
    ['new\n', 3, undefined],
    ['plain', 4, undefined],
    ['wait', undefined, ['running']],
    ['Output:\n[image]', undefined, ['image']],
    ['1\n2…9 chars truncated…3', 3, ['truncated']],
  ]);
  expect(trajectories[0]?.source).toEqual({
    dataset: 'codex',
    file: 'log',
    agent: 'codex',
    version: '0.94.0',
  });
  expect(countsOf(report)).toEqual([7, 0, 0, 0]);
});

test('mirrors are counted and never paired; hosted calls, reasoning and compaction are told by kind', async () => {
  const { trajectories, report } = await importBytes(
    linesOf(
      META,
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'secret plan' }] }),
      item({ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch', call_id: 'c1' }),
      line('event_msg', { type: 'patch_apply_end', call_id: 'c1', success: true }),
      item({ type: 'custom_tool_call_output', call_id: 'c1', output: 'Done' }),
      item({ type: 'web_search_call', id: 'w', action: {} }),
      line('compacted', {
        message: 'summary',
        replacement_history: [{ type: 'function_call', call_id: 'old' }],
      }),
      call('c2', 'find', { q: 1 }),
    ),
  );
  expect(trajectories[0]?.turns.map(({ action }) => action)).toEqual([
    '{"name":"apply_patch","arguments":"*** Begin Patch"}',
  ]);
  expect(countsOf(report)).toEqual([1, 1, 0, 0]);
  expect(report.skipped).toEqual({
    compacted: 1,
    'event patch_apply_end': 1,
    'hosted call web_search_call': 1,
    reasoning: 1,
    session_meta: 1,
  });
  expect(JSON.stringify(trajectories)).not.toContain('secret plan');
});

test('calls of one model reply are parallel also where each is answered before the next is written', async () => {
  const { report } = await importBytes(
    linesOf(
      META,
      line('turn_context', { model: 'm' }),
      call('c1'),
      output('c1', 'a'),
      call('c2'),
      output('c2', 'b'),
      line('turn_context', { model: 'm' }),
      call('c1'),
      output('c1', 'c'),
    ),
  );
  expect([countsOf(report), report.reusedIds]).toEqual([[3, 0, 0, 1], 1]);
});

test('old files without envelopes, several sessions in one file, and the exec stream are read', async () => {
  const bare = await importBytes(
    linesOf(
      { id: 'o', timestamp: '2025-01-01T00:00:00Z', instructions: null },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ),
  );
  expect(pairsOf(bare.trajectories)).toEqual([['log#o', ['shell', 'x']]]);
  const two = await importBytes(
    linesOf(
      META,
      call('c'),
      output('c', '1'),
      line('session_meta', { id: 'y' }),
      call('c'),
      output('c', '2'),
    ),
  );
  expect(pairsOf(two.trajectories)).toEqual([
    ['log#x', ['shell', '1']],
    ['log#y', ['shell', '2']],
  ]);
  const stream = await importBytes(
    linesOf(
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls' } },
      {
        type: 'item.completed',
        item: { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 0 },
      },
      { type: 'item.completed', item: { id: 'i2', type: 'reasoning', text: 'secret' } },
      { type: 'item.started', item: { id: 'i3', type: 'command_execution', command: 'sleep' } },
    ),
  );
  expect(pairsOf(stream.trajectories)).toEqual([['log#t', ['exec_command', 'a']]]);
  expect(countsOf(stream.report)).toEqual([1, 1, 0, 0]);
});
