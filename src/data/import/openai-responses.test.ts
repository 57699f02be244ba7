import { expect, test } from 'vitest';
import { countsOf, importBytes, linesOf, pairsOf } from './import-fixture.contract.js';

const call = (id: string, name = 'get'): object => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: '{"n":1}',
});
const output = (id: string, text: unknown): object => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});
const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'secret plan' }] };
const response = (id: string, items: readonly object[], more: object = {}): object => ({
  object: 'response',
  id,
  output: items,
  ...more,
});

test('requests that repeat their history are one conversation, paired by call_id', async () => {
  const asked = { role: 'user', content: 'go' };
  const { trajectories, report } = await importBytes(
    linesOf(
      {
        request: { model: 'm', input: 'go', tools: [{ type: 'function', name: 'get' }] },
        response: response('r1', [reasoning, call('a'), call('b')]),
      },
      {
        request: {
          model: 'm',
          input: [asked, reasoning, call('a'), call('b'), output('b', 'B'), output('a', 'A')],
        },
        response: response('r2', [call('c')]),
      },
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#1', ['get', 'A'], ['get', 'B']]]);
  expect(countsOf(report)).toEqual([2, 1, 0, 1]);
  expect(trajectories[0]?.system.actionSpace).toBe('[{"type":"function","name":"get"}]');
  expect(JSON.stringify(trajectories)).not.toContain('secret plan');
});

test('a request goes on with the response that it names; one that the file does not have is a gap', async () => {
  const chained = await importBytes(
    linesOf(
      { request: { input: 'go' }, response: response('r1', [call('a')]) },
      {
        request: { previous_response_id: 'r1', input: [output('a', 'A')] },
        response: response('r2', [call('b')]),
      },
      { request: { previous_response_id: 'r2', input: [output('b', 'B')] }, response: response('r3', []) },
    ),
  );
  expect(pairsOf(chained.trajectories)).toEqual([['log#1', ['get', 'A'], ['get', 'B']]]);
  const lost = await importBytes(
    linesOf({
      request: { previous_response_id: 'gone', input: [output('z', 'Z'), call('a'), output('a', 'A')] },
      response: response('r9', []),
    }),
  );
  expect([pairsOf(lost.trajectories), lost.trajectories[0]?.gaps]).toEqual([[['log#1', ['get', 'A']]], [0]]);
  expect(countsOf(lost.report)).toEqual([1, 0, 1, 0]);
});

test('calls of the provider with their result in the item are pairs, others are counted', async () => {
  const { trajectories, report } = await importBytes(
    linesOf(
      response('r', [
        { type: 'mcp_list_tools', server_label: 's', tools: [] },
        { type: 'mcp_call', id: 'm1', server_label: 's', name: 'find', arguments: '{}', output: 'found' },
        { type: 'mcp_call', id: 'm2', server_label: 's', name: 'find', arguments: '{}', error: 'refused' },
        { type: 'code_interpreter_call', id: 'i', code: '1+1', outputs: [{ type: 'logs', logs: '2' }] },
        { type: 'web_search_call', id: 'w', action: { query: 'x' } },
        { type: 'shell_call', call_id: 'h', action: { commands: ['ls'] } },
        {
          type: 'shell_call_output',
          call_id: 'h',
          output: [{ stdout: 'a\n', stderr: '', outcome: { type: 'exit', exit_code: 1 } }],
        },
        { type: 'computer_call', call_id: 'k', action: { type: 'click' } },
        {
          type: 'computer_call_output',
          call_id: 'k',
          output: { type: 'computer_screenshot', image_url: 'data:' },
        },
      ]),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([
    [
      'log#1',
      ['mcp__s__find', 'found'],
      ['mcp__s__find', 'refused'],
      ['code_interpreter', '2'],
      ['shell', 'a\n'],
      ['computer', '[image]'],
    ],
  ]);
  expect(trajectories[0]?.turns.map(({ meta, flags }) => [meta?.isError, meta?.exitCode, flags])).toEqual([
    [undefined, undefined, undefined],
    [true, undefined, undefined],
    [undefined, undefined, undefined],
    [undefined, 1, undefined],
    [undefined, undefined, ['image']],
  ]);
  expect(report.skipped).toEqual({ 'hosted call web_search_call': 1, mcp_list_tools: 1 });
});

test('bare items, one a line, are one conversation', async () => {
  const { trajectories } = await importBytes(
    linesOf(call('a', 'bash'), reasoning, output('a', [{ type: 'input_text', text: 'x' }])),
  );
  expect(pairsOf(trajectories)).toEqual([['log#items', ['bash', 'x']]]);
  expect(trajectories[0]?.domain).toBe('swe');
});
