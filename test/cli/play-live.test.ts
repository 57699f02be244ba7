/**
 * A played world under signals and on a real terminal.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, mainPath, runUmwelt, startUmwelt } from '../setup/run-umwelt.js';

const GET = '{"name":"get_issue","arguments":{"number":107}}\n';

/** Starts a recorded run on piped actions; resolves when `lines` lines were printed. */
async function startRecorded(record: string, lines: number) {
  const child = startUmwelt(['play', 'issue-tracker', '--json', '--record', record, '--actions', '-']);
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  let printed = '';
  const seen = new Promise<void>((resolve) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.split('\n').length > lines) resolve();
    });
  });
  child.stdin?.write(GET.repeat(lines));
  await seen;
  return { child, closed };
}

test('kill -9 leaves a recording that holds every turn that was seen', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const { child, closed } = await startRecorded(record, 5);
  child.kill('SIGKILL');
  expect(await closed).toEqual({ code: null, signal: 'SIGKILL' });
  const again = await runUmwelt(['play', 'issue-tracker', '--json', '--actions', record]);
  expect(again.stderr).toBe('observations equal to the recording: 5 of 5\n');
});

test('a recording cut at any byte plays again as far as it goes', async () => {
  const folder = emptyFolder();
  const record = join(folder, 'run.jsonl');
  await runUmwelt(['play', 'issue-tracker', '--record', record, '--actions', '-'], { input: GET.repeat(2) });
  const whole = readFileSync(record);
  const header = whole.indexOf('\n') + 1;
  for (const size of [header, header + 1, header + 500, whole.length - 1]) {
    const cut = join(folder, `cut-${size}.jsonl`);
    writeFileSync(cut, whole.subarray(0, size));
    const ran = await runUmwelt(['play', 'issue-tracker', '--actions', cut]);
    expect({ size, code: ran.code }).toEqual({ size, code: 0 });
  }
});

test('Ctrl-C exits 130 and leaves a valid recording', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const { child, closed } = await startRecorded(record, 3);
  child.kill('SIGINT');
  expect(await closed).toEqual({ code: 130, signal: null });
  expect(statSync(record).size).toBeGreaterThan(0);
  const again = await runUmwelt(['play', 'issue-tracker', '--actions', record]);
  expect(again.stderr).toBe('observations equal to the recording: 3 of 3\n');
});

test('a reader that goes away does not break the recording', async () => {
  const record = join(emptyFolder(), 'run.jsonl');
  const { child, closed } = await startRecorded(record, 1);
  child.stdout?.destroy();
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(GET.repeat(20));
  expect(await closed).toEqual({ code: 0, signal: null });
  const again = await runUmwelt(['play', 'issue-tracker', '--actions', record]);
  expect(again.stderr).toMatch(/observations equal to the recording: (\d+) of \1\n/);
});

const hasScript =
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') === true;

/** Types keys into `umwelt play` on a pseudo terminal, each when the screen shows what it waits for. */
async function onTerminal(keys: readonly { readonly wait: string; readonly type: string }[]) {
  const command = `'${process.execPath}' '${mainPath()}' play issue-tracker`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1' },
  });
  let screen = '';
  let from = 0;
  const left = [...keys];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const at = left[0] === undefined ? -1 : screen.indexOf(left[0].wait, from);
    if (at < 0) return;
    from = screen.length;
    child.stdin.write(left.shift()?.type ?? '');
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { screen, code, untyped: left.length };
}

test.skipIf(!hasScript)(
  'TAB completes a tool and its arguments on a terminal (skipped: no util-linux script)',
  async () => {
    const { screen, code, untyped } = await onTerminal([
      { wait: '› ', type: 'get_is\t' },
      { wait: 'get_issue ', type: '\t' },
      // The cursor goes to the blank by itself. One digit at a time, as a person types.
      { wait: '\u001b[1D', type: '1' },
      { wait: '1}', type: '0' },
      { wait: '10}', type: '7' },
      { wait: '107}', type: '\r' },
      { wait: '› ', type: ':answer 107\r' },
    ]);
    expect(screen).toContain('get_issue {"number": 107}');
    expect(screen).toContain('reward: ');
    expect({ code, untyped }).toEqual({ code: 0, untyped: 0 });
  },
);

test.skipIf(!hasScript)('Ctrl-C on a terminal exits 130 (skipped: no util-linux script)', async () => {
  const { code } = await onTerminal([{ wait: '› ', type: '\u0003' }]);
  expect(code).toBe(130);
});
