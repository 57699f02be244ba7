/**
 * `node --test` and `node:test`, against what Node 20.20 printed for the same files; durations are the machine's own.
 */
import { expect, test } from 'vitest';
import { toBytes } from '../../kernel/index.js';
import { DEFAULT_SPEC, openMachine, runProgram } from '../../machine/index.js';

const FILES = {
  'test/sum.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
console.log('begin');
test('adds', () => {});
test('is wrong', () => { assert.strictEqual(1 + 1, 3); });
test('inside', async (t) => {
  await t.test('deep', () => { assert.deepStrictEqual({ a: [1, 2] }, { a: [1, 3] }); });
});
test.skip('later', () => {});
`,
  'test/hangs.test.mjs': `import { describe, it } from 'node:test';
describe('a suite', () => {
  it('never ends', () => new Promise(() => {}));
  it('comes after', () => {});
});
`,
  'test/throws.js': "throw new Error('at load');\n",
  'src/other.js': "require('node:test')('not looked at', () => {});\n",
  'mock.js': `const { test, mock } = require('node:test');
const assert = require('node:assert/strict');
test('counts calls', () => {
  const o = { f: (n) => n + 1 };
  mock.method(o, 'f', () => 7);
  assert.equal(o.f(1), 7);
  assert.deepEqual(o.f.mock.calls[0].arguments, [1]);
  mock.restoreAll();
  assert.equal(o.f(1), 2);
});
`,
};

const FAILED = `TAP version 13
# Subtest: a suite
    # Subtest: never ends
    not ok 1 - never ends
      ---
      location: '/home/user/test/hangs.test.mjs:3:3'
      failureType: 'cancelledByParent'
      error: 'Promise resolution is still pending but the event loop has already resolved'
      code: 'ERR_TEST_FAILURE'
      stack: |-
        process.emit (node:events:524:28)
      ...
    # Subtest: comes after
    not ok 2 - comes after
      ---
      location: '/home/user/test/hangs.test.mjs:4:3'
      failureType: 'cancelledByParent'
      error: 'Promise resolution is still pending but the event loop has already resolved'
      code: 'ERR_TEST_FAILURE'
      stack: |-
        process.emit (node:events:524:28)
      ...
    1..2
not ok 1 - a suite
  ---
  type: 'suite'
  location: '/home/user/test/hangs.test.mjs:2:1'
  failureType: 'cancelledByParent'
  error: 'Promise resolution is still pending but the event loop has already resolved'
  code: 'ERR_TEST_FAILURE'
  stack: |-
    process.emit (node:events:524:28)
  ...
# begin
# Subtest: adds
ok 2 - adds
  ---
  ...
# Subtest: is wrong
not ok 3 - is wrong
  ---
  location: '/home/user/test/sum.test.js:5:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
${'    '}
    2 !== 3
${'    '}
  code: 'ERR_ASSERTION'
  name: 'AssertionError'
  expected: 3
  actual: 2
  operator: 'strictEqual'
  stack: |-
    TestContext.<anonymous> (/home/user/test/sum.test.js:5:33)
    Test.runInAsyncScope (node:async_hooks:206:9)
    Test.run (node:internal/test_runner/test:796:25)
    Test.processPendingSubtests (node:internal/test_runner/test:526:18)
    Test.postRun (node:internal/test_runner/test:889:19)
    Test.run (node:internal/test_runner/test:835:12)
    async Test.processPendingSubtests (node:internal/test_runner/test:526:7)
  ...
# Subtest: inside
    # Subtest: deep
    not ok 1 - deep
      ---
      location: '/home/user/test/sum.test.js:7:11'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly deep-equal:
        + actual - expected
${'        '}
          {
            a: [
              1,
        +     2
        -     3
            ]
          }
      code: 'ERR_ASSERTION'
      name: 'AssertionError'
      expected:
        a:
          0: 1
          1: 3
      actual:
        a:
          0: 1
          1: 2
      operator: 'deepStrictEqual'
      stack: |-
        TestContext.<anonymous> (/home/user/test/sum.test.js:7:39)
        Test.runInAsyncScope (node:async_hooks:206:9)
        Test.run (node:internal/test_runner/test:796:25)
        Test.start (node:internal/test_runner/test:702:17)
        TestContext.test (node:internal/test_runner/test:292:20)
        TestContext.<anonymous> (/home/user/test/sum.test.js:7:11)
        Test.runInAsyncScope (node:async_hooks:206:9)
        Test.run (node:internal/test_runner/test:796:25)
        Test.processPendingSubtests (node:internal/test_runner/test:526:18)
        Test.postRun (node:internal/test_runner/test:889:19)
      ...
    1..1
not ok 4 - inside
  ---
  location: '/home/user/test/sum.test.js:6:1'
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  code: 'ERR_TEST_FAILURE'
  ...
# Subtest: later
ok 5 - later # SKIP
  ---
  ...
`;

const SUMMARY = `# Subtest: /home/user/test/throws.js
not ok 3 - /home/user/test/throws.js
  ---
  location: '/home/user/test/throws.js:1:1'
  failureType: 'testCodeFailure'
  exitCode: 1
  signal: ~
  error: 'test failed'
  code: 'ERR_TEST_FAILURE'
  ...
1..6
# tests 8
# suites 1
# pass 1
# fail 4
# cancelled 2
# skipped 1
# todo 0
`;

function run(line: string): string {
  const files = Object.entries(FILES).map(([name, text]) => ({
    path: `/home/user/${name}`,
    content: toBytes(text),
  }));
  const on = openMachine({ ...DEFAULT_SPEC, files }, 1);
  const { merged, exitCode, crashes } = runProgram(on, {
    program: function* (proc) {
      return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
    },
    argv: ['bash'],
  });
  expect(crashes).toEqual([]);
  return `${merged.replace(/^.*duration_ms.*\n/gm, '').replace(/ \([\d.]+ms\)/g, '')}${exitCode}`;
}

test('node --test finds the test files and prints TAP where nobody looks at a terminal', () => {
  const out = run('node --test');
  expect(out.slice(0, FAILED.length)).toBe(FAILED);
  expect(out.slice(out.indexOf('# Subtest: /home'))).toBe(`${SUMMARY}1`);
});

test('a file with tests prints them itself, and the spec reporter draws a tree', () => {
  expect(run('node mock.js | grep -E "^(ok|not|# (pass|fail))"')).toBe(
    'ok 1 - counts calls\n# pass 1\n# fail 0\n0',
  );
  expect(run('node --test-reporter=spec --test-name-pattern=adds --test test/sum.test.js | head -n 8')).toBe(
    'begin\n✔ adds\n﹣ is wrong # test name does not match pattern\n﹣ inside # test name does not match pattern\n﹣ later # test name does not match pattern\nℹ tests 4\nℹ suites 0\nℹ pass 1\n0',
  );
  expect(run('node --test nothing.js')).toBe("Could not find '/home/user/nothing.js'\n1");
});
