/**
 * Terminals of others: what a history shows is answered exactly, and what it does not show is not answered.
 */
import { expect, test } from 'vitest';
import { terminalFormat } from '../../../domains/index.js';
import { type ForeignAnswer, ForeignTerminal } from './foreign-terminal.js';

function call(keystrokes: string) {
  const action = terminalFormat.parseAction(JSON.stringify([{ keystrokes, duration: 0.5 }]));
  if (action.kind !== 'tool-call') throw new Error('no action');
  return action;
}

/** A terminal after a history in which each observation begins at its own prompt. */
function after(...turns: readonly (readonly [keys: string, observation: string])[]): ForeignTerminal {
  const opened = ForeignTerminal.open({ prompt: 'root@c0ffee:/app#', form: 'new', columns: 80 });
  if (opened === null) throw new Error('no terminal');
  return turns.reduce((terminal, [keys, observation]) => terminal.live(call(keys), observation), opened);
}

const P = 'root@c0ffee:/app#';
const said = (answer: ForeignAnswer): string => (answer.isKnown ? answer.observation : `? ${answer.reason}`);
const asked = (terminal: ForeignTerminal, line: string): string => said(terminal.predict(call(`${line}\n`)));

test('texts that were shown, written and changed are known; others are not', () => {
  const terminal = after(
    ['cat a.txt\n', `${P} cat a.txt\nred\nblue\n${P}`],
    [
      'cat > b.sh <<\'EOF\'\n#!/bin/bash\necho "hi $1!"\nEOF\n',
      `${P} cat > b.sh <<'EOF'\n> #!/bin/bash\n> echo "hi $1!"\n> EOF\n${P}`,
    ],
    ['sed -i s/red/green/ a.txt\n', `${P} sed -i s/red/green/ a.txt\n${P}`],
  );
  expect(asked(terminal, 'cat a.txt')).toBe(`${P} cat a.txt\ngreen\nblue\n${P}`);
  expect(asked(terminal, 'bash b.sh Ann')).toBe(`${P} bash b.sh Ann\nhi Ann!\n${P}`);
  expect(asked(terminal, 'sort a.txt | head -1 > c.txt; cat c.txt')).toBe(
    `${P} sort a.txt | head -1 > c.txt; cat c.txt\nblue\n${P}`,
  );
  expect(asked(terminal, 'cat d.txt')).toBe('? the history does not show whether /app/d.txt exists');
  expect(asked(terminal, 'ls')).toBe('? the history does not show what is in /app');
  expect(asked(terminal, 'mkdir out')).toBe('? the history does not show whether /app/out exists');
  expect(asked(terminal, 'python3 x.py')).toMatch(/^\? /);
});

test('listings tell what is there and what is not, as far as they go', () => {
  const terminal = after(
    ['ls\n', `${P} ls\nREADME.md  main.py  src\n${P}`],
    ['ls src\n', `${P} ls src\nlib.py\n${P}`],
  );
  expect(asked(terminal, 'ls')).toBe(`${P} ls\nREADME.md  main.py  src\n${P}`);
  expect(asked(terminal, 'ls *.py | wc -l')).toBe(`${P} ls *.py | wc -l\n1\n${P}`);
  expect(asked(terminal, 'cat nothing.txt')).toBe(
    `${P} cat nothing.txt\ncat: nothing.txt: No such file or directory\n${P}`,
  );
  expect(asked(terminal, 'cd src && ls')).toBe(`${P} cd src && ls\nlib.py\nroot@c0ffee:/app/src#`);
  expect(asked(terminal, 'rm main.py; ls')).toBe(`${P} rm main.py; ls\nREADME.md  src\n${P}`);
  // Hidden names, times, texts and sizes were not shown.
  for (const line of ['ls -a', 'ls -l', 'cat main.py', 'wc -c README.md', 'find .'])
    expect(asked(terminal, line)).toMatch(/^\? /);
});

test('details of ls -l are kept as they were shown, and a new file’s time is not made up', () => {
  const long = [
    'total 8',
    '-rw-r--r-- 1 root root  120 Mar  3 09:15 data.csv',
    'drwxr-xr-x 2 root root 4096 Mar  3 09:14 logs',
  ].join('\n');
  const opened = ForeignTerminal.open({ prompt: P, form: 'new', columns: 80, newest: 'Mar  3 09:15' });
  const terminal = opened?.live(call('ls -l\n'), `${P} ls -l\n${long}\n${P}`);
  if (terminal === undefined) throw new Error('no terminal');
  expect(terminal.wasShown).toBe(true);
  expect(asked(terminal, 'ls -l')).toBe(`${P} ls -l\n${long}\n${P}`);
  expect(asked(terminal, 'ls')).toBe(`${P} ls\ndata.csv  logs\n${P}`);
  expect(asked(terminal, 'cat data.csv')).toMatch(/^\? /);
  expect(asked(terminal, 'touch new && ls -l')).toMatch(/^\? /);
});

test('the machine’s own affairs are never made up', () => {
  const terminal = after(['pwd\n', `${P} pwd\n/app\n${P}`]);
  for (const line of [
    'date',
    'uname -a',
    'echo $$',
    'echo $RANDOM',
    'ps',
    'df -h',
    'env',
    'echo $PATH',
    'cat /etc/os-release',
    'jq --version',
    'git status',
    'history',
    'cat /proc/cpuinfo',
    'sleep 1 &',
  ])
    expect([line, asked(terminal, line).slice(0, 2)]).toEqual([line, '? ']);
  expect(asked(terminal, 'whoami; echo $HOME')).toBe(`${P} whoami; echo $HOME\nroot\n/root\n${P}`);
});

test('a turn that nobody can compute leaves what it cannot have changed', () => {
  const history = (script: string) =>
    after(
      ['cat run.py\n', `${P} cat run.py\n${script}\n${P}`],
      ['cat out.json\n', `${P} cat out.json\n{}\n${P}`],
      ['python3 run.py\n', `${P} python3 run.py\n1\n${P}`],
    );
  const terminal = history('open("x", "w"); print(1)');
  expect(terminal.wasShown).toBe(false);
  expect(asked(terminal, 'head -c 4 run.py')).toMatch(/^root/);
  expect(asked(terminal, 'cat out.json')).toMatch(/^\? /);
  expect(asked(terminal, 'echo $?')).toBe('? how the last command ended');
  expect(asked(terminal, 'echo done')).toBe(`${P} echo done\ndone\n${P}`);
  // A script that was shown and only prints changes nothing.
  expect(asked(history('print(1)'), 'cat out.json')).toBe(`${P} cat out.json\n{}\n${P}`);
});

test('programs that run in the foreground get the next keys, and a shell of another kind is told by its prompt', () => {
  const terminal = after(['cat > note\n', `${P} cat > note`], ['milk\n', `${P} cat > note\nmilk`]);
  expect(said(terminal.predict(call('C-d')))).toBe(`${P} cat > note\nmilk\n${P}`);
  expect(ForeignTerminal.open({ prompt: '>>> ' })).toBe(null);
});

test('the form of observations, what harnesses write before them and the blank behind a prompt are kept', () => {
  const open = (form?: 'screen' | 'new') => ForeignTerminal.open({ prompt: P, ...(form && { form }) });
  const whole = open()
    ?.live(call('echo a\n'), `${P} echo a\na\n${P}`)
    .live(call('echo b\n'), `${P} echo a\na\n${P} echo b\nb\n${P}`);
  expect(whole && asked(whole, 'echo c')).toBe(`${P} echo a\na\n${P} echo b\nb\n${P} echo c\nc\n${P}`);
  const mark = 'New Terminal Output:\n\n';
  const fresh = open()
    ?.live(call('echo a\n'), `${mark}${P} echo a\na\n${P} `)
    .live(call('echo b\n'), `${mark}${P} echo b\nb\n${P} `);
  expect(fresh && asked(fresh, 'echo c')).toBe(`${mark}${P} echo c\nc\n${P} `);
});
