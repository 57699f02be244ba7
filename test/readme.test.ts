/**
 * The README's commands, run for real, with their printed output compared with the block that follows.
 *
 * A block is taken when `<!-- run -->` stands above it. Each line of a `sh` block is one command; a `text` or `json`
 * block right after it is the exact output of all of them. A `js` block is run as a file beside the installed
 * package. `npm ci` is left out: the package under test is the installed one, and `npx umwelt` is its command.
 * `UPDATE_README=1 npx vitest run test/readme.test.ts` writes what was printed into the README; read the difference.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

interface Block {
  readonly language: string;
  readonly body: string;
  readonly output: string | undefined;
}

function markedBlocks(): Block[] {
  const pattern = /<!-- run -->\n```(sh|js)\n(.*?)```\n(?:\n```(?:text|json)\n(.*?)```\n)?/gs;
  return [...README.matchAll(pattern)].map(([, language = '', body = '', output]) => ({
    language,
    body,
    output,
  }));
}

/** A folder like a fresh clone that was installed, but for the sources. */
function installedFolder(): string {
  const folder = mkdtempSync(join(inject('appDir'), 'readme-'));
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  symlinkSync(join(inject('appDir'), 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

const folder = installedFolder();
const main = join(inject('appDir'), 'node_modules/umwelt/dist/cli/main.js');

function runShell(body: string): string {
  const command = body
    .replaceAll(/^npm ci && /gm, '')
    .replaceAll('npx umwelt', `'${process.execPath}' '${main}'`);
  const env = { ...process.env, NO_COLOR: '1' };
  return execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, encoding: 'utf8', env });
}

function runScript(body: string): string {
  writeFileSync(join(folder, 'snippet.mjs'), body);
  return execFileSync(process.execPath, ['snippet.mjs'], { cwd: folder, encoding: 'utf8' });
}

function update({ body, output }: Block, printed: string): void {
  const path = join(ROOT, 'README.md');
  const [before, ...after] = readFileSync(path, 'utf8').split(body);
  const rest = after.join(body).replace(output ?? '', () => printed);
  writeFileSync(path, [before, rest].join(body));
}

const blocks = markedBlocks();

test('the first screen shows the main job with its output', () => {
  expect(blocks[0]?.body).toMatch(/^npm ci && npx umwelt stress /);
  expect(blocks[0]?.output).toBeDefined();
  expect(README.indexOf(blocks[0]?.body ?? '?')).toBeLessThan(1500);
});

for (const block of blocks) {
  test(`README: ${block.body.split('\n')[0]}`, () => {
    const printed = block.language === 'sh' ? runShell(block.body) : runScript(block.body);
    if (block.output === undefined) return;
    if (process.env.UPDATE_README === '1') update(block, printed);
    else expect(printed).toBe(block.output);
  });
}
