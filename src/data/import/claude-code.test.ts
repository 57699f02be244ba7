import { expect, test } from 'vitest';
import { countsOf, importBytes, linesOf, pairsOf } from './import-fixture.contract.js';

const BASE = { sessionId: 's', version: '2.1.40', isSidechain: false, cwd: '/p' };

interface More {
  readonly [key: string]: unknown;
}

function says(uuid: string, parentUuid: string | null, text: string, more: More = {}): object {
  return { ...BASE, type: 'user', uuid, parentUuid, message: { role: 'user', content: text }, ...more };
}

function calls(
  uuid: string,
  parentUuid: string | null,
  [reply, id, name]: readonly [string, string, string],
  more: More = {},
): object {
  const content = [{ type: 'tool_use', id, name, input: { of: id } }];
  const message = { id: reply, role: 'assistant', model: 'm', content, usage: { output_tokens: 7 } };
  return {
    ...BASE,
    type: 'assistant',
    uuid,
    parentUuid,
    timestamp: '2026-01-01T00:00:00.000Z',
    message,
    ...more,
  };
}

function answers(
  uuid: string,
  parentUuid: string | null,
  [id, content]: readonly [string, unknown],
  more: More = {},
): object {
  const block = { type: 'tool_result', tool_use_id: id, content, ...(more.block as object) };
  const { block: _block, ...line } = more;
  return { ...BASE, type: 'user', uuid, parentUuid, message: { role: 'user', content: [block] }, ...line };
}

test('one reply over several lines is one step with parallel calls, whatever the order of the answers', async () => {
  const { trajectories, report } = await importBytes(
    linesOf(
      says('u1', null, 'count files'),
      calls('a1', 'u1', ['m1', 'k1', 'Bash']),
      calls('a2', 'a1', ['m1', 'k2', 'Read']),
      answers('r2', 'a2', ['k2', 'two']),
      answers('r1', 'a1', ['k1', 'one']),
      calls('a3', 'r1', ['m2', 'k3', 'Glob']),
      answers('r3', 'a3', ['k3', 'three']),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['Bash', 'one'], ['Read', 'two'], ['Glob', 'three']]]);
  expect(countsOf(report)).toEqual([3, 0, 0, 1]);
  expect(trajectories[0]?.domain).toBe('swe');
  expect(trajectories[0]?.source).toEqual({
    dataset: 'claude-code',
    file: 'log',
    agent: 'claude-code',
    version: '2.1.40',
  });
  expect(trajectories[0]?.meta).toEqual({ sessionId: 's', cwd: '/p', model: 'm', outputTokens: 14 });
});

test('an abandoned branch leaves the living path and is a trajectory of its own, after a gap', async () => {
  const { trajectories, report } = await importBytes(
    linesOf(
      says('u1', null, 'look'),
      calls('a1', 'u1', ['m1', 'k1', 'Bash']),
      answers('r1', 'a1', ['k1', 'x y']),
      says('b1', 'r1', 'delete x'),
      calls('b2', 'b1', ['m2', 'k2', 'Bash']),
      answers('b3', 'b2', ['k2', 'removed']),
      says('d1', 'r1', 'now z'),
      calls('d2', 'd1', ['m3', 'k3', 'Read']),
      answers('d3', 'd2', ['k3', 'x is here']),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([
    ['log#s', ['Bash', 'x y'], ['Read', 'x is here']],
    ['log#s/branch-1', ['Bash', 'removed']],
  ]);
  expect(trajectories.map(({ gaps, meta }) => [gaps, meta.branch])).toEqual([
    [undefined, undefined],
    [[0], 'abandoned'],
  ]);
  expect(report.skipped['line on an abandoned branch']).toBe(3);
  expect(report.notes.map(({ message }) => message)).toEqual([
    'an abandoned branch with 1 calls, given as a trajectory of its own',
  ]);
});

test('ids are not unique: an answer closes the oldest open call, and a line written twice counts once', async () => {
  const partial = calls('a1', 'u1', ['m1', 'k', 'Bash']);
  const { trajectories, report } = await importBytes(
    linesOf(
      says('u1', null, 'go'),
      partial,
      partial,
      answers('r1', 'a1', ['k', 'first']),
      calls('a2', 'r1', ['m2', 'k', 'Read']),
      answers('r2', 'a2', ['k', 'second']),
      answers('r3', 'r2', ['lost', 'nobody asked']),
      calls('a4', 'r3', ['m4', 'open', 'Bash']),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['Bash', 'first'], ['Read', 'second']]]);
  expect(countsOf(report)).toEqual([2, 1, 1, 0]);
  expect([report.reusedIds, report.duplicates]).toEqual([1, 1]);
});

test('compaction begins a new chain: earlier turns stay, the summary is no observation', async () => {
  const { trajectories, report } = await importBytes(
    linesOf(
      says('u1', null, 'go'),
      calls('a1', 'u1', ['m1', 'k1', 'Bash']),
      answers('r1', 'a1', ['k1', 'early']),
      {
        ...BASE,
        type: 'system',
        subtype: 'compact_boundary',
        uuid: 'c',
        parentUuid: null,
        logicalParentUuid: 'r1',
      },
      says('c1', 'c', 'This session is continued', { isCompactSummary: true }),
      calls('a2', 'c1', ['m2', 'k2', 'Bash']),
      answers('r2', 'a2', ['k2', 'late']),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['Bash', 'early'], ['Bash', 'late']]]);
  expect(report.skipped).toMatchObject({ 'summary of a compaction': 1, 'system compact_boundary': 1 });
});

test('sub-agents are trajectories of their own, and an MCP majority makes the domain mcp', async () => {
  const side = { isSidechain: true, agentId: 'x1' };
  const { trajectories } = await importBytes(
    linesOf(
      calls('a1', null, ['m1', 'k1', 'Task']),
      says('s1', null, 'search', side),
      calls('s2', 's1', ['m2', 'k2', 'mcp__docs__find'], side),
      answers('s3', 's2', ['k2', 'found'], side),
      answers('r1', 'a1', [
        'k1',
        [
          { type: 'text', text: 'done' },
          { type: 'text', text: "agentId: x1 (for resuming to continue this agent's work if needed)" },
        ],
      ]),
    ),
  );
  expect(pairsOf(trajectories)).toEqual([
    ['log#s', ['Task', 'done']],
    ['log#agent-x1', ['mcp__docs__find', 'found']],
  ]);
  expect(trajectories.map(({ domain }) => domain)).toEqual(['swe', 'mcp']);
});

test('words of the program are taken out beside the raw text, but not what the environment printed itself', async () => {
  const reminder = '<system-reminder>\nBe careful.\n</system-reminder>';
  const read = `     1\u2192text\n\n${reminder}\n`;
  const failed = 'Exit code 2\ngrep: x: No such file';
  const saved =
    '<persisted-output>\nOutput too large (90KB). Full output saved to: /home/u/.claude/x.txt\nPreview\n</persisted-output>';
  const { trajectories, report } = await importBytes(
    linesOf(
      calls('a1', null, ['m1', 'k1', 'Read']),
      answers('r1', 'a1', ['k1', read]),
      calls('a2', 'r1', ['m2', 'k2', 'Bash']),
      answers('r2', 'a2', ['k2', reminder], { toolUseResult: { stdout: reminder, stderr: '' } }),
      calls('a3', 'r2', ['m3', 'k3', 'Bash']),
      answers('r3', 'a3', ['k3', failed], { block: { is_error: true } }),
      calls('a4', 'r3', ['m4', 'k4', 'Bash']),
      answers('r4', 'a4', ['k4', saved]),
      calls('a5', 'r4', ['m5', 'k5', 'Write']),
      answers('r5', 'a5', ['k5', "The user doesn't want to proceed with this tool use."], {
        block: { is_error: true },
      }),
    ),
  );
  const turns = trajectories[0]?.turns ?? [];
  expect(
    turns.map(({ observation, flags, meta }) => [observation, flags, meta?.raw, meta?.exitCode]),
  ).toEqual([
    ['     1\u2192text', undefined, read, undefined],
    [reminder, undefined, undefined, undefined],
    ['grep: x: No such file', undefined, failed, 2],
    [saved, ['external', 'truncated'], undefined, undefined],
    ["The user doesn't want to proceed with this tool use.", ['harness-text'], undefined, undefined],
  ]);
  expect([report.errors, report.external, report.truncated]).toEqual([2, 1, 1]);
  expect(report.strippedBytes).toBe(`\n\n${reminder}\n`.length + 'Exit code 2\n'.length);
});

test('glued lines, zero bytes, half emoji and a torn last line lose nothing else, and each is told', async () => {
  const one = JSON.stringify(calls('a1', null, ['m1', 'k1', 'Bash']));
  const two = JSON.stringify(answers('r1', 'a1', ['k1', 'cut X'])).replace('X', '\\ud83d');
  const bytes = Buffer.concat([
    Buffer.from(`\ufeff${one}${two}\r\n`),
    Buffer.alloc(300),
    Buffer.from(
      `\n42\n{"silly":"this"}\n${JSON.stringify(calls('a2', 'r1', ['m2', 'k2', 'Bash']))}\n{"type":"user","uu`,
    ),
  ]);
  const { trajectories, report } = await importBytes([bytes.subarray(0, 100), bytes.subarray(100)]);
  expect(pairsOf(trajectories)).toEqual([['log#s', ['Bash', 'cut \ufffd']]]);
  expect(countsOf(report)).toEqual([1, 1, 0, 0]);
  expect([report.gluedLines, report.badLines, report.isCut]).toEqual([1, 3, true]);
  expect(report.skipped['record without a type']).toBe(1);
});

test('lines of a web export, lines without parents and reasoning are read as what they are', async () => {
  const { trajectories, report } = await importBytes(
    linesOf({
      loglines: [
        {
          type: 'assistant',
          uuid: '1',
          sessionId: 's',
          message: { role: 'assistant', content: [{ type: 'thinking', thinking: 'secret plan' }] },
        },
        {
          type: 'assistant',
          uuid: '2',
          sessionId: 's',
          message: { role: 'assistant', content: [{ type: 'tool_use', id: 'k', name: 'Bash', input: {} }] },
        },
        {
          type: 'user',
          uuid: '3',
          sessionId: 's',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'k', content: 'ok' }] },
        },
      ],
    }),
  );
  expect(pairsOf(trajectories)).toEqual([['log#s', ['Bash', 'ok']]]);
  expect(report.skipped).toEqual({ reasoning: 1 });
  expect(JSON.stringify(trajectories)).not.toContain('secret plan');
});

test('a session beyond the limit comes in parts, each later one after a gap, and no pair is lost', async () => {
  const big = 'x'.repeat(3_000_000);
  const values: object[] = [];
  for (let i = 0; i < 9; i++) {
    values.push(
      calls(`a${i}`, i === 0 ? null : `r${i - 1}`, [`m${i}`, `k${i}`, 'Bash']),
      answers(`r${i}`, `a${i}`, [`k${i}`, big]),
    );
  }
  const { trajectories, report } = await importBytes(linesOf(...values), true);
  expect(trajectories.map(({ id, gaps, meta, turns }) => [id, gaps, meta.part, turns.length])).toEqual([
    ['log#s', undefined, undefined, 3],
    ['log#s~2', [0], 2, 3],
    ['log#s~3', [0], 3, 3],
  ]);
  expect(countsOf(report)).toEqual([9, 0, 0, 0]);
});
