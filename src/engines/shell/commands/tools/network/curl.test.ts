/**
 * curl on the machine's own ports.
 */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, openMachine, runProgram } from '../../../machine/index.js';

const LISTENING = [
  {
    port: 8080,
    http: {
      '/': { status: 200, type: 'application/json', body: '{"ok":true}\n' },
      '/bad': { status: 503, type: 'text/plain', body: 'down\n' },
    },
  },
];

const REFUSED = "Failed to connect to localhost port 3000 after 0 ms: Couldn't connect to server";

const CASES: readonly (readonly [string, string])[] = [
  ['curl -s localhost:3000', '7'],
  ['curl -sS http://localhost:3000/x', `curl: (7) ${REFUSED}\n7`],
  ['curl -s localhost:3000 | python3 -m json.tool', 'Expecting value: line 1 column 1 (char 0)\n1'],
  ['curl -s localhost:8080 | python3 -m json.tool', '{\n    "ok": true\n}\n0'],
  ['curl -s localhost:8080/nope', 'Not Found\n0'],
  ['curl -sf localhost:8080/bad', '22'],
  ['curl -s -o out.txt -w "%{http_code}\\n" localhost:8080/bad; cat out.txt', '503\ndown\n0'],
  ['curl -sI 127.0.0.1:8080 | head -1 | tr -d "\\r"', 'HTTP/1.1 200 OK\n0'],
];

test('curl sees what listens on the machine, and nothing where nothing does', () => {
  const on = openMachine({ ...DEFAULT_SPEC, listening: LISTENING }, 1);
  const run = (line: string): string => {
    const { merged, exitCode } = runProgram(on, {
      program: function* (proc) {
        return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
      },
      argv: ['bash'],
    });
    return `${merged}${exitCode}`;
  };
  expect(CASES.map(([line]) => [line, run(line)])).toEqual(CASES.map(([line, out]) => [line, out]));
});
