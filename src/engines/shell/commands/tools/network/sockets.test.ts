/**
 * Programs of the machine that talk to one another over loopback.
 */
import { expect, test } from 'vitest';
import { DEFAULT_SPEC, openMachine, runProgram } from '../../../machine/index.js';

const SPEC = {
  ...DEFAULT_SPEC,
  listening: [
    { port: 8080, http: { '/': { status: 200, type: 'text/plain', body: 'up\n' } } },
    { port: 5432 },
  ],
};

function run(line: string): string {
  const { merged, exitCode } = runProgram(openMachine(SPEC, 1), {
    program: function* (proc) {
      return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
    },
    argv: ['bash'],
  });
  return `${merged}${exitCode}`;
}

const CASES: readonly (readonly [string, string])[] = [
  ['nc -l -p 9000 > got & sleep 0.1; echo hello | nc -N localhost 9000; wait; cat got', 'hello\n0'],
  ['nc -zv localhost 9', 'nc: connect to localhost (127.0.0.1) port 9 (tcp) failed: Connection refused\n1'],
  ['nc -zv 127.0.0.1 8080', 'Connection to 127.0.0.1 8080 port [tcp/http-alt] succeeded!\n0'],
  ['nc -l 8080', 'nc: Address already in use\n1'],
  ['nc -l 80', 'nc: Permission denied\n1'],
  [
    'nc -l 9000 & sleep 0.1; ss -tlnp',
    'State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess                  \n' +
      'LISTEN 0      511          0.0.0.0:8080      0.0.0.0:*                            \n' +
      'LISTEN 0      511             [::]:8080         [::]:*                            \n' +
      'LISTEN 0      511          0.0.0.0:5432      0.0.0.0:*                            \n' +
      'LISTEN 0      511             [::]:5432         [::]:*                            \n' +
      'LISTEN 0      1            0.0.0.0:9000      0.0.0.0:*   users:(("nc",pid=3,fd=3))\n0',
  ],
  [
    'netstat -tln 2>&1 | head -3',
    'Active Internet connections (only servers)\n' +
      'Proto Recv-Q Send-Q Local Address           Foreign Address         State      \n' +
      'tcp        0      0 0.0.0.0:8080            0.0.0.0:*               LISTEN     \n0',
  ],
  ['wget -qO - localhost:8080', 'up\n0'],
  [
    'wget http://127.0.0.1:9/',
    '--2024-03-15 10:30:00--  http://127.0.0.1:9/\nConnecting to 127.0.0.1:9... failed: Connection refused.\n4',
  ],
  [
    'curl -sSv localhost:9 2>&1',
    '*   Trying 127.0.0.1:9...\n* connect to 127.0.0.1 port 9 failed: Connection refused\n' +
      "* Failed to connect to localhost port 9 after 0 ms: Couldn't connect to server\n* Closing connection 0\n" +
      "curl: (7) Failed to connect to localhost port 9 after 0 ms: Couldn't connect to server\n7",
  ],
  [
    'printf "HTTP/1.0 200 OK\\r\\n\\r\\nhi" | nc -l -N 9000 >asked & sleep 0.1; curl -s -d a=1 localhost:9000; tail -1 asked',
    'hia=10',
  ],
  [
    'nc -l 9000 >/dev/null & sleep 0.1; curl -sS -m 1 localhost:9000',
    'curl: (28) Operation timed out after 1000 milliseconds with 0 bytes received\n28',
  ],
];

test('programs of the machine listen, connect, and are told what listens', () => {
  expect(CASES.map(([line]) => [line, run(line)])).toEqual(CASES.map(([line, out]) => [line, out]));
});
