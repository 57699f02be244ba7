/** The engine's shell on recorded cases of its own. */
import { expect, test } from 'vitest';
import { createEngineShell, readParitySetups } from '../index.js';

const SETUPS = readParitySetups(
  JSON.stringify({
    s: {
      cwd: '/home/user/p',
      env: { PATH: '/usr/bin:/bin', HOME: '/home/user', LANG: 'C.UTF-8' },
      files: {
        'd/a.txt': { content: 'one two\nthree\n', mode: '640' },
        'bytes.bin': { base64: 'AAEC/w==' },
        link: { link: 'd/a.txt' },
        'empty.d': { directory: true },
      },
      mtime: '2022-05-06T07:08:09Z',
      uid: 1000,
      user: 'user',
    },
  }),
  'setups.json',
);

test('a command runs among the files, links and folders of its setup, in the order a real shell writes', async () => {
  const setup = SETUPS.get('s');
  if (setup === undefined) throw new Error('no setup');
  const run = createEngineShell();
  const ran = await run(
    setup,
    'grep -c t d/a.txt nosuch; sed -n 2p link; find . -type d -printf "%p %TY\\n" | sort; wc -c < bytes.bin',
  );
  expect(ran).toEqual({
    stdout: 'd/a.txt:2\nthree\n. 2022\n./d 2022\n./empty.d 2022\n4\n',
    stderr: 'grep: nosuch: No such file or directory\n',
    merged:
      'd/a.txt:2\ngrep: nosuch: No such file or directory\nthree\n. 2022\n./d 2022\n./empty.d 2022\n4\n',
    exitCode: 0,
  });
});
