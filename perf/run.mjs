/**
 * Runs every measurement and prints a Markdown table; `--write` also puts it into docs/BENCHMARKS.md.
 *
 * Usage: npm run build && npm run perf [-- --write] [NAME…]. Names are files beside this one, for example start-up.
 * The exit code is 1 if a promise does not hold.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { row } from './measure.mjs';

const ALL = [
  'start-up',
  'tool-steps',
  'fork-snapshot',
  'live-episodes',
  'growth',
  'expand',
  'stress-runs',
  'data-stages',
  'shell-steps',
  'guest-programs',
  'long-run',
  'bench-runs',
  'service',
];
const PAGE = fileURLToPath(new URL('../docs/BENCHMARKS.md', import.meta.url));

function machine() {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim()}, ${memory} GB, Node ${process.versions.node}`;
}

function write(table) {
  const page = readFileSync(PAGE, 'utf8');
  const marked = /(<!-- results -->\n).*?(<!-- end -->)/s;
  if (!marked.test(page)) throw new Error(`${PAGE} has no results block`);
  writeFileSync(
    PAGE,
    page.replace(marked, (_all, start, end) => `${start}\n${table}\n\n${end}`),
  );
}

const words = process.argv.slice(2);
if (words.includes('--help')) {
  console.log(
    `npm run perf [-- --write] [NAME…]\nNames: ${ALL.join(', ')}\n--write puts the table into docs/BENCHMARKS.md`,
  );
  process.exit(0);
}
const names = words.filter((word) => word !== '--write');
const unknown = names.find((name) => !ALL.includes(name));
if (unknown !== undefined) {
  console.error(`no measurement ${unknown}; there are ${ALL.join(', ')}`);
  process.exit(2);
}

const results = [];
for (const name of names.length > 0 ? names : ALL) {
  console.error(`measuring ${name} …`);
  const { measure } = await import(`./${name}.mjs`);
  results.push(...(await measure()));
}
const today = new Date().toISOString().slice(0, 10);
const table = [
  `Measured ${today} with \`npm run perf\` on ${machine()}.`,
  '',
  '| what | median | against | ratio | promise | holds |',
  '|---|--:|---|--:|--:|---|',
  ...results.map(row),
].join('\n');
console.log(table);
if (words.includes('--write')) write(table);
process.exitCode = results.some((result) => result.holds === false) ? 1 : 0;
