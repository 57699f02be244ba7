/**
 * JavaScript on the machine: what it prints, what it changes, and what it can not do to others.
 */
import { expect, test } from 'vitest';
import { toBytes } from '../../kernel/index.js';
import { DEFAULT_SPEC, openMachine, runProgram } from '../../machine/index.js';

const FILES = {
  'main.js': "const { add } = require('./lib/add');\nconsole.log(add(1, 2), require('./data.json').n);\n",
  'lib/add.js': 'exports.add = (a, b) => a + b;\n',
  'data.json': '{"n": 5}\n',
  'deep.js': 'function f(o) {\n  return o.a.b;\n}\nf({});\n',
  'm.mjs':
    "import fs, { existsSync } from 'node:fs'; import { x } from './n.mjs';\nconsole.log(x, existsSync('n.mjs'), typeof fs.readFileSync);\n",
  'n.mjs': 'export const x = 7;\n',
  'node_modules/left/package.json': '{"main": "lib.js"}',
  'node_modules/left/lib.js': "module.exports = 'left';\n",
};

function run(on: ReturnType<typeof openMachine>, line: string): string {
  const { merged, exitCode, crashes } = runProgram(on, {
    program: function* (proc) {
      return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
    },
    argv: ['bash'],
  });
  expect(crashes).toEqual([]);
  return `${merged}${exitCode}`;
}

const LOADER = `    at Module._compile (node:internal/modules/cjs/loader:1364:14)
    at Module._extensions..js (node:internal/modules/cjs/loader:1422:10)
    at Module.load (node:internal/modules/cjs/loader:1203:32)
    at Module._load (node:internal/modules/cjs/loader:1019:12)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:128:12)
    at node:internal/main/run_main_module:28:49
`;

const CASES: readonly (readonly [string, string])[] = [
  ['node main.js', '3 5\n0'],
  ['node m.mjs', '7 true function\n0'],
  ['node --version', 'v18.20.4\n0'],
  ['node -p \'require("left")\'', 'left\n0'],
  ["node -p '[1, {a: [new Map([[1, {b: {}}]])]}]'", '[ 1, { a: [ [Map] ] } ]\n0'],
  ["node -e 'process.exit(4)'", '4'],
  ["node -e 'process.exitCode = 3; setTimeout(() => console.log(2), 10); console.log(1)'", '1\n2\n3'],
  ["node -e 'Promise.resolve(1).then(console.log); process.nextTick(() => console.log(0))'", '0\n1\n0'],
  [
    'node deep.js',
    `/home/user/deep.js:2\n  return o.a.b;\n             ^\n\nTypeError: Cannot read properties of undefined (reading 'b')\n    at f (/home/user/deep.js:2:14)\n    at Object.<anonymous> (/home/user/deep.js:4:1)\n${LOADER}\nNode.js v18.20.4\n1`,
  ],
  [
    "node -e 'try { null.x } catch (e) { console.log(e.message) }'",
    "Cannot read properties of null (reading 'x')\n0",
  ],
  [
    'node -e \'JSON.parse("{a")\' 2>&1 | grep Error',
    'SyntaxError: Unexpected token a in JSON at position 1\n0',
  ],
  ['node -e \'require("fs").writeFileSync("o.txt", "hi\\n")\'; cat o.txt', 'hi\n0'],
  [
    'node -e \'require("fs").readFileSync("/etc/shadow")\' 2>&1 | grep Error',
    "Error: EACCES: permission denied, open '/etc/shadow'\n0",
  ],
  ['node -p \'require("child_process").execSync("echo sub", {encoding: "utf8"})\'', 'sub\n\n0'],
  ['echo line | node -e \'process.stdin.on("data", (d) => process.stdout.write(String(d)))\'', 'line\n0'],
  [
    "node -e 'const t = Date.now(); setTimeout(() => console.log(Math.round((Date.now() - t) / 1000)), 30000)'",
    '30\n0',
  ],
  ["timeout 2 node -e 'for (;;);'", '124'],
  ["node -e 'globalThis.x = 1'; node -p 'typeof x'", 'undefined\n0'],
  ['yes | node -e \'process.stdin.once("data", () => process.exit(0))\'', '0'],
];

test('chance in node comes from the seed of the world', () => {
  const line = 'node -p \'Math.random() + require("crypto").randomUUID()\'';
  const [one, again, other] = [5, 5, 6].map((seed) => {
    const on = openMachine(DEFAULT_SPEC, seed);
    return [run(on, line), run(on, line)];
  });
  expect(again).toEqual(one);
  expect(new Set([...(one ?? []), ...(other ?? [])]).size).toBe(4);
});

test('node prints, changes and ends as Debian 12 does', () => {
  const files = Object.entries(FILES).map(([name, text]) => ({
    path: `/home/user/${name}`,
    content: toBytes(text),
  }));
  const on = openMachine({ ...DEFAULT_SPEC, files }, 1);
  expect(CASES.map(([line]) => [line, run(on, line)])).toEqual(CASES.map(([line, out]) => [line, out]));
});
