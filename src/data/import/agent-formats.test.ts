import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, type Trajectory } from '../../core/index.js';
import { type ImportReport, importTrajectories } from '../import-trajectories.js';

const SAMPLES = fileURLToPath(new URL('../../../../shared/samples', import.meta.url));

/** Folder/file → format, pairs, dangling calls, orphans, as counted by other programs. */
const COUNTED: Readonly<Record<string, readonly [string, number, number, number]>> = {
  'asciicast/mitmproxy-replay.cast': ['asciicast', 0, 0, 0],
  'asciicast/player-markers-input.cast': ['asciicast', 1, 0, 0],
  'asciicast/rec-bash-basic.cast': ['asciicast', 8, 0, 0],
  'asciicast/rec-bash-basic.v3.cast': ['asciicast', 8, 0, 0],
  'asciicast/rec-python-repl.cast': ['asciicast', 2, 0, 0],
  'asciicast/v1-full.json': ['asciicast', 0, 0, 0],
  'asciicast/v2-full.cast': ['asciicast', 1, 0, 0],
  'asciicast/v2-wrong-event-length.cast': ['asciicast', 0, 0, 0],
  'asciicast/v3-blank-comments.cast': ['asciicast', 0, 0, 0],
  'asciicast/v3-full.cast': ['asciicast', 1, 0, 0],
  'atif/openhands-hello.trajectory.json': ['atif', 1, 1, 0],
  'atif/terminus2-summarization.trajectory.json': ['atif', 7, 0, 0],
  'atif/terminus2-summarization.trajectory.summarization-1-answers.json': ['atif', 0, 0, 0],
  'atif/terminus2-summarization.trajectory.summarization-1-questions.json': ['atif', 0, 0, 0],
  'atif/terminus2-summarization.trajectory.summarization-1-summary.json': ['atif', 0, 0, 0],
  'mini-swe-agent/v0-list.traj.json': ['mini-swe-agent', 10, 0, 0],
  'mini-swe-agent/v1-rfc.traj.json': ['mini-swe-agent', 3, 0, 0],
  'mini-swe-agent/v1.1-exit-error.traj.json': ['mini-swe-agent', 4, 0, 0],
  'mini-swe-agent/v1.1-submitted-195k.traj.json': ['mini-swe-agent', 40, 1, 0],
  'openhands/multi-swe-bench-output.jsonl': ['openhands', 21, 0, 0],
  'openhands/resolver-output-old.jsonl': ['openhands', 3, 0, 0],
  'openhands/rfc-openhands.json': ['openhands', 1, 0, 0],
  'openhands/traj-basic.json': ['openhands', 1, 0, 0],
  'openhands/traj-gui-mode.json': ['openhands', 4, 0, 0],
  'swe-agent/ctf-networking.traj': ['swe-agent', 4, 0, 0],
  'swe-agent/ctf-web-21.traj': ['swe-agent', 21, 0, 0],
  'swe-agent/function-calling-history-only.traj': ['swe-agent', 5, 0, 0],
  'swe-agent/gpt4-test-repo.traj': ['swe-agent', 5, 0, 0],
  'swe-agent/marshmallow-fc.traj': ['swe-agent', 11, 0, 0],
  'tau-bench/tau1-gpt4o-airline.json': ['tau2', 15, 0, 0],
  'tau2/airline-azure.json': ['tau2', 10, 0, 0],
  'tau2/retail-example-run.json': ['tau2', 5, 0, 0],
  'tau2/small-single-es.json': ['tau2', 4, 0, 0],
  'tau2/telecom-gpt4o.json': ['tau2', 31, 0, 0],
};

async function importAll(
  bytes: Uint8Array,
): Promise<{ readonly trajectories: Trajectory[]; readonly report: ImportReport }> {
  const opened = importTrajectories('log', [bytes]);
  if (!opened.ok) throw opened.error;
  const trajectories: Trajectory[] = [];
  for await (const trajectory of opened.value.trajectories) trajectories.push(trajectory);
  return { trajectories, report: opened.value.report() };
}

function bytesOf(...values: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

function shown({ turns }: Trajectory): readonly (readonly unknown[])[] {
  return turns.map(({ action, observation, flags }) => [
    action,
    observation,
    ...(flags === undefined ? [] : [flags]),
  ]);
}

function bash(command: string): string {
  return JSON.stringify({ name: 'bash', arguments: { command } });
}

test.skipIf(!existsSync(SAMPLES))('every sample of an agent gives the pairs that were counted', async () => {
  const found: Record<string, readonly unknown[]> = {};
  for (const folder of new Set(Object.keys(COUNTED).map((path) => path.split('/')[0] ?? ''))) {
    for (const file of readdirSync(join(SAMPLES, folder)).sort()) {
      if (file === 'event-store') continue;
      const { report } = await importAll(readFileSync(join(SAMPLES, folder, file)));
      found[`${folder}/${file}`] = [report.format, report.pairs, report.dangling, report.orphans];
    }
  }
  expect(found).toEqual(COUNTED);
});

const ROWS = [
  {
    task: 'terminal',
    id: 1,
    system_str: 'S',
    prompt: [
      '### Turn 1\n**Current State:**\nbox:/w$\n\n**Action:**\n```json\n[{"keystrokes":"ls\\n"}]\n```',
      'a2',
      'a3',
    ],
    response: ['**Environment Observation:**\nbox:/w$ ls', 'o2', 'o3'],
    current_prompt: 'a3',
    turn_idx: 3,
    total_turns: 3,
  },
  { task: 'terminal', id: 2, system_str: 'S', prompt: '### Turn 1\nls', response: 'x.txt', turn_idx: 1 },
  { task: 'terminal', id: 3, system_str: 'S', prompt: ['a1', 'a2'], response: ['o1', 'o2'], turn_idx: 0 },
  { task: 'terminal', id: 4, system_str: 'S', prompt: ['a1', 'a2'], response: ['o1', 'o2'], turn_idx: 3 },
  {
    task: 'terminal',
    id: 5,
    system_str: 'S',
    prompt: ['a1', 'a2'],
    response: ['o1', 'o2'],
    current_prompt: 'other',
    turn_idx: 2,
  },
  { task: 'suite/terminal', id: 6, system_str: '', prompt: ['a1'], response: ['o1'], turn_idx: 1 },
];

test('rows of the benchmark become trajectories without their marks, and rows that do not fit are rejected', async () => {
  const { trajectories, report } = await importAll(bytesOf(...ROWS));
  expect(trajectories.map((one) => [one.id, one.domain, one.system.text, shown(one)])).toEqual([
    [
      'log#terminal-1-t3',
      'terminal',
      'S',
      [
        ['[{"keystrokes":"ls\\n"}]', 'box:/w$ ls'],
        ['a2', 'o2'],
        ['a3', 'o3'],
      ],
    ],
    ['log#terminal-2-t1', 'terminal', 'S', [['ls', 'x.txt']]],
    [
      'log#terminal-5-t2',
      'terminal',
      'S',
      [
        ['a1', 'o1'],
        ['a2', 'o2'],
      ],
    ],
    ['log#terminal-6-t1', 'terminal', '', [['a1', 'o1']]],
  ]);
  expect(trajectories[0]?.system.initialState).toBe('box:/w$');
  expect(trajectories[0]?.turns[0]?.meta).toEqual({
    rawAction: ROWS[0]?.prompt[0],
    raw: '**Environment Observation:**\nbox:/w$ ls',
  });
  expect(report.skipped).toEqual({ 'rejected row': 2 });
  expect(report.notes.map(({ message }) => message)).toEqual([
    'row 3 is rejected: turn_idx is 0, wanted 1 to 2',
    'row 4 is rejected: turn_idx is 3, wanted 1 to 2',
    'row 5: current_prompt is not prompt 2; the list holds',
  ]);
});

test('ids that repeat, and those of agent and customer, close the oldest open call of the same actor', async () => {
  const call = (requestor: string, id: string, n: number) => ({
    id,
    name: 'look',
    arguments: { n },
    requestor,
  });
  const simulation = {
    id: 's1',
    task_id: '0',
    termination_reason: 'user_stop',
    messages: [
      { role: 'assistant', tool_calls: [call('assistant', 'x', 1)] },
      { role: 'user', tool_calls: [call('user', 'x', 2)] },
      { role: 'tool', id: 'x', requestor: 'user', content: 'two', error: false },
      { role: 'tool', id: 'x', requestor: 'assistant', content: 'one', error: true },
      { role: 'assistant', tool_calls: [call('assistant', 'x', 3), call('assistant', 'x', 4)] },
      {
        role: 'tool',
        tool_messages: [
          { id: 'x', role: 'tool', content: 'three', requestor: 'assistant' },
          { id: 'x', role: 'tool', content: 'four', requestor: 'assistant' },
        ],
      },
      { role: 'user', content: 'Thank you.' },
    ],
  };
  const { trajectories, report } = await importAll(
    bytesOf({ info: { environment_info: { policy: 'Be kind.' } }, tasks: [], simulations: [simulation] }),
  );
  expect(trajectories.map(({ system }) => system.text)).toEqual(['Be kind.']);
  expect(
    trajectories[0]?.turns.map(({ action, observation, meta }) => [
      action,
      observation,
      meta?.requestor,
      meta?.isError ?? false,
    ]),
  ).toEqual([
    ['{"name":"look","arguments":{"n":1}}', 'one', 'assistant', true],
    ['{"name":"look","arguments":{"n":2}}', 'two', 'user', false],
    ['{"name":"look","arguments":{"n":3}}', 'three', 'assistant', false],
    ['{"name":"look","arguments":{"n":4}}', 'four', 'assistant', false],
  ]);
  expect([report.pairs, report.reusedIds, report.skipped]).toEqual([4, 2, { 'message of user': 1 }]);
});

test('a full-duplex run has its calls in ticks; an aborted run has none and says so', async () => {
  const tick = (n: number) => ({
    agent_chunk: { role: 'assistant', content: 'hm' },
    agent_tool_calls: [{ id: `c${n}`, name: 'look', arguments: {} }],
    agent_tool_results: n === 1 ? [] : [{ id: 'c1', role: 'tool', content: 'late', requestor: 'assistant' }],
  });
  const simulation = { task_id: '0', termination_reason: 'timeout', messages: [], ticks: [tick(1), tick(2)] };
  const { trajectories, report } = await importAll(bytesOf({ info: {}, simulations: [simulation] }));
  expect(trajectories.map(shown)).toEqual([[['{"name":"look","arguments":{}}', 'late']]]);
  expect([report.pairs, report.dangling]).toEqual([1, 1]);
  const aborted = await importAll(bytesOf({ info: {}, tasks: [], simulations: [] }));
  expect(aborted.report.skipped).toEqual({ 'run without simulations': 1 });
});

test('SWE-agent: state lines go, demonstrations and thoughts never enter, harness actions are flagged', async () => {
  const { trajectories, report } = await importAll(
    bytesOf({
      environment: 'main',
      trajectory: [
        {
          action: 'ls\n',
          thought: 'secret',
          response: 'secret',
          observation: 'a.py\r\n(Open file: n/a)\n(Current directory: /w)\nbash-$',
          state: '{"working_dir":"/w"}',
        },
        { action: 'edit 1', observation: 'OBSERVATION:\ndone', execution_time: 0.5 },
        { action: 'rm x', observation: 'Your command ran successfully and did not produce any output.' },
        { action: 'exit_cost', observation: 'Exited (autosubmitted)' },
      ],
      history: [
        { role: 'system', content: 'Sys' },
        { role: 'user', content: 'demo', is_demo: true },
        { role: 'user', content: 'Fix it.' },
        {
          role: 'assistant',
          action: 'edit 1',
          tool_calls: [{ id: 'c', function: { name: 'edit', arguments: '{"line":1}' } }],
        },
      ],
      info: { exit_status: 'exit_cost' },
    }),
  );
  expect(trajectories.map(shown)).toEqual([
    [
      [bash('ls\n'), 'a.py'],
      ['{"name":"edit","arguments":{"line":1}}', 'done'],
      [bash('rm x'), ''],
      [bash('exit_cost'), 'Exited (autosubmitted)', ['harness-action', 'harness-text']],
    ],
  ]);
  expect(trajectories[0]?.turns[0]?.meta).toMatchObject({
    raw: 'a.py\r\n(Open file: n/a)\n(Current directory: /w)\nbash-$',
    state: { working_dir: '/w' },
  });
  expect(JSON.stringify(trajectories)).not.toContain('secret');
  expect(report.skipped).toEqual({ demonstration: 1 });
});

test('mini-swe-agent: blocks with return codes, cut outputs, replies that were no action, and the submission', async () => {
  const block = (command: string) => `THOUGHT: secret\n\n\`\`\`bash\n${command}\n\`\`\``;
  const { trajectories, report } = await importAll(
    bytesOf([
      { role: 'system', content: 'Sys' },
      { role: 'user', content: 'Fix it.' },
      { role: 'assistant', content: block('cat <<EOF\n</output>\nEOF') },
      { role: 'user', content: '<returncode>1</returncode>\n<output>\n</output>\nx\n</output>' },
      { role: 'assistant', content: 'I think.' },
      { role: 'user', content: 'Please always provide EXACTLY ONE action.' },
      { role: 'assistant', content: block('big') },
      {
        role: 'user',
        content:
          '<returncode>0</returncode>\n<warning>\nlong\n</warning><output_head>\nab\n</output_head>\n<elided_chars>\n7 characters elided\n</elided_chars>\n<output_tail>\nyz\n</output_tail>',
      },
      { role: 'assistant', content: block('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT') },
      { role: 'user', content: 'diff' },
    ]),
  );
  expect(report.format).toBe('mini-swe-agent');
  expect(trajectories.map(shown)).toEqual([
    [
      [bash('cat <<EOF\n</output>\nEOF'), '</output>\nx\n'],
      ['', 'Please always provide EXACTLY ONE action.', ['malformed']],
      [bash('big'), 'ab\n\n[7 characters elided]\nyz\n', ['truncated']],
      [bash('echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT'), 'diff', ['submission', 'truncated']],
    ],
  ]);
  expect(trajectories[0]?.turns.map(({ meta }) => meta?.exitCode)).toEqual([1, undefined, 0, undefined]);
  expect(JSON.stringify(trajectories)).not.toContain('secret');
});

test('OpenHands: observations belong to their cause in any order; noise and thoughts are counted, suffixes go', async () => {
  const event = (id: number, more: object) => ({
    id,
    source: 'agent',
    timestamp: `2026-03-01T09:00:0${id}`,
    ...more,
  });
  const run = (id: number, command: string) =>
    event(id, { action: 'run', args: { command, thought: 'secret' } });
  const seen = (id: number, cause: number, content: string, exit: number) =>
    event(id, {
      cause,
      observation: 'run',
      content,
      extras: { metadata: { exit_code: exit, suffix: '\n[The command completed with exit code 2.]' } },
    });
  const { trajectories, report } = await importAll(
    new TextEncoder().encode(
      [
        event(0, { source: 'user', action: 'message', args: { content: 'Fix it.' } }),
        seen(4, 3, 'two', 0),
        run(1, 'one'),
        run(3, 'two'),
        seen(2, 1, 'bad\r\n\n[The command completed with exit code 2.]', 2),
        event(5, { action: 'think', args: { thought: 'secret' } }),
        event(6, { observation: 'think', cause: 5, content: 'logged', extras: {} }),
        event(7, { action: 'read', args: { path: '/w/a', thought: '' } }),
        event(8, { observation: 'error', cause: 99, content: 'lost', extras: {} }),
        event(9, { action: 'finish', args: {} }),
      ]
        .map((one) => JSON.stringify(one))
        .join(''),
    ),
  );
  expect(trajectories.map(shown)).toEqual([
    [
      ['{"name":"execute_bash","arguments":{"command":"one"}}', 'bad\n'],
      ['{"name":"execute_bash","arguments":{"command":"two"}}', 'two'],
    ],
  ]);
  expect(trajectories[0]?.turns[0]?.meta).toMatchObject({ exitCode: 2, isError: true, durationMs: 1000 });
  expect([report.pairs, report.dangling, report.orphans]).toEqual([2, 1, 1]);
  expect(report.skipped).toEqual({
    'action finish': 1,
    'action message': 1,
    'action think': 1,
    'observation think': 1,
  });
  expect(JSON.stringify(trajectories)).not.toContain('secret');
});

function atifOf(agent: string, steps: readonly object[]): Uint8Array {
  const numbered = steps.map((step, index) => ({
    step_id: index + 1,
    source: 'agent',
    message: '',
    ...step,
  }));
  return bytesOf({ schema_version: 'ATIF-v1.7', session_id: 's', agent: { name: agent }, steps: numbered });
}

test('ATIF of terminus: the keys of a step are one action, the screen is without headings, copies are left out', async () => {
  const keys = (keystrokes: string) => ({
    function_name: 'bash_command',
    arguments: { keystrokes, duration: 0.1 },
  });
  const { trajectories, report } = await importAll(
    atifOf('terminus-2', [
      { source: 'user', message: 'Do it.', is_copied_context: true },
      { tool_calls: [keys('a\n')], observation: { results: [{ content: 'old' }] }, is_copied_context: true },
      {
        tool_calls: [keys('cd x\n'), keys('ls\n')],
        observation: { results: [{ content: 'New Terminal Output:\n\n/x$ ls\na  \n\n\n' }] },
      },
      {
        source: 'system',
        message: 'Performed context summarization.',
        observation: {
          results: [
            { content: null, subagent_trajectory_ref: [{ session_id: 'q', trajectory_path: 'q.json' }] },
          ],
        },
      },
      {
        message:
          '{"analysis":"secret","commands":[{"keystrokes":"pwd\\n","duration":1}],"task_complete":false}',
        observation: { results: [{ content: 'Current Terminal Screen:\n/x$ pwd\n/x' }] },
      },
      {
        tool_calls: [{ function_name: 'mark_task_complete', arguments: {} }],
        observation: {
          results: [
            {
              content:
                'Current terminal state:\nNew Terminal Output:\n/x$\n\nAre you sure you want to mark the task as complete? Yes?',
            },
          ],
        },
      },
      {
        message: 'no JSON',
        observation: { results: [{ content: 'Previous response had parsing errors:\nERROR' }] },
      },
    ]),
  );
  expect(trajectories.map(({ domain, gaps }) => [domain, gaps])).toEqual([['terminal', [0]]]);
  expect(trajectories.map(shown)).toEqual([
    [
      ['[{"keystrokes":"cd x\\n","duration":0.1},{"keystrokes":"ls\\n","duration":0.1}]', '/x$ ls\na'],
      ['[{"keystrokes":"pwd\\n","duration":1}]', '/x$ pwd\n/x'],
      ['[]', '/x$'],
    ],
  ]);
  expect(report.skipped).toEqual({
    'agent step whose message was no call': 1,
    'compaction step': 1,
    'copied step': 2,
  });
  expect(JSON.stringify(trajectories)).not.toContain('secret');
});

test('ATIF of other agents: results go to the call they name, references are external, nothing is told by place', async () => {
  const call = (id: string) => ({ tool_call_id: id, function_name: 'run', arguments: { id } });
  const { trajectories, report } = await importAll(
    atifOf('coder', [
      { source: 'system', message: 'Sys' },
      {
        tool_calls: [call('a'), call('b'), call('c')],
        observation: {
          results: [
            {
              source_call_id: 'b',
              content: [
                { type: 'text', text: 'B' },
                { type: 'image', source: { path: 'i.png' } },
              ],
            },
            {
              source_call_id: 'a',
              subagent_trajectory_ref: [{ session_id: 's2', trajectory_path: 'sub.json' }],
            },
            { source_call_id: 'z', content: 'of nobody' },
          ],
        },
      },
      { tool_calls: [call('d'), call('e')], observation: { results: [{ content: 'of one of two' }] } },
      {
        message: 'Now.\n<function=execute_bash>\n<parameter=command>ls</parameter>\n</function>',
        observation: { results: [{ content: 'x' }] },
      },
    ]),
  );
  expect(trajectories.map(({ domain, system }) => [domain, system.text])).toEqual([['swe', 'Sys']]);
  expect(trajectories.map(shown)).toEqual([
    [
      ['{"name":"run","arguments":{"id":"a"}}', '', ['external']],
      ['{"name":"run","arguments":{"id":"b"}}', 'B\n[image]', ['image']],
      ['{"name":"execute_bash","arguments":{"command":"ls"}}', 'x'],
    ],
  ]);
  expect([report.pairs, report.dangling, report.orphans, report.external]).toEqual([3, 3, 2, 1]);
});

test('nothing that these formats could hold makes the import fail', async () => {
  const seeds = [
    ...ROWS,
    {
      schema_version: 'ATIF-v1.5',
      steps: [{ step_id: 1, source: 'agent', tool_calls: [{}], observation: { results: [{}] } }],
    },
    { trajectory: [{ action: 'x', observation: 'y' }], history: [{ role: 'user' }] },
    {
      trajectory_format: 'mini-swe-agent-1.1',
      messages: [{ role: 'tool' }, { role: 'assistant', tool_calls: [{}] }],
    },
    {
      id: 1,
      action: 'run',
      source: 'agent',
      args: { command: 'x' },
      tool_call_metadata: { model_response: { choices: [{}] } },
    },
    { simulations: [{ task_id: 1, termination_reason: '', messages: [{ role: 'tool' }] }], info: {} },
    { version: 3, term: { cols: 80, rows: 24 } },
    [1, 'o', '\u001b[?2004h$ '],
    [1, 'i', 'x\r'],
    [1, 'r', '0x0'],
  ];
  const broken = fc
    .tuple(fc.constantFrom(...seeds.map((seed) => JSON.stringify(seed))), fc.jsonValue(), fc.nat())
    .map(([text, value, at]) => {
      const places = [...text.matchAll(/"[^"]*"(?!:)|\b\d+\b|\[\]|\{\}/g)];
      const place = places[at % places.length];
      const made =
        place === undefined
          ? text
          : `${text.slice(0, place.index)}${JSON.stringify(value)}${text.slice(place.index + place[0].length)}`;
      return parseJson(made).ok ? made : text;
    });
  await fc.assert(
    fc.asyncProperty(fc.array(broken, { minLength: 1, maxLength: 4 }), async (texts) => {
      const { trajectories, report } = await importAll(new TextEncoder().encode(texts.join('\n')));
      expect(trajectories.reduce((sum, { turns }) => sum + turns.length, 0)).toBe(report.pairs);
    }),
    { numRuns: 500 },
  );
});
