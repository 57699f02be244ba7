/**
 * Terminal worlds as files: what a state becomes, and how mistakes are told.
 */
import { expect, test } from 'vitest';
import type { WorldProblem } from './index.js';
import { loadWorld } from './load-world.js';

function problems(text: string): readonly WorldProblem[] {
  const result = loadWorld(text);
  if (result.ok) throw new Error('the file is good');
  return result.error.data.problems as readonly WorldProblem[];
}

test('a terminal world is checked and becomes a machine', () => {
  const head = 'world: 1\nname: x\ndomain: terminal\n';
  const result = loadWorld(
    `${head}state: {user: ann, host: lab, disk: {size: 1G, free: 10M}, packages: [git], files: {/home/ann/a: {content: hi, mode: "600", x-why: no}}}\n`,
  );
  if (!result.ok) throw result.error;
  expect(result.value.machine).toMatchObject({
    hostname: 'lab',
    user: { name: 'ann', uid: 1000, home: '/home/ann' },
    cwd: '/home/ann',
    diskBytes: 1024 ** 3,
    freeBytes: 10 * 1024 ** 2,
    packages: ['git'],
    files: [{ path: '/home/ann/a', kind: 'file', content: new TextEncoder().encode('hi'), mode: 0o600 }],
  });
  const wrong = `${head}state: {hots: lab, files: {a: x, /b: {content: x, link: y}, /c: {mode: "9"}}}\n`;
  expect(problems(wrong).map(({ path, message }) => `${path} ${message}`)).toMatchInlineSnapshot(`
    [
      "state.hots unknown key \`hots\`; did you mean \`host\`?",
      "state.files.a is "x"; wanted below an absolute path without . and .. parts",
      "state.files["/b"] is {"content":"x","link":"y"}; wanted must have one of content, base64, link and directory",
      "state.files["/c"].mode is "9"; wanted octal permission bits such as "644"",
    ]
  `);
});
