/**
 * Python on the machine: what it prints, what it changes, and what it can not do to others.
 */
import { expect, test } from 'vitest';
import { toBytes } from '../../kernel/index.js';
import { DEFAULT_SPEC, openMachine, runProgram } from '../../machine/index.js';

const FILES = {
  'div.py': 'import sys\n\ndef f(x):\n    return 1 / x\n\nprint(sys.argv)\nf(0)\n',
  'broken.py': 'x = (1,\nprint(x\n',
  'pkg/__init__.py': '',
  'pkg/calc.py': 'def add(a, b):\n    return a - b\n',
  'test_calc.py':
    'import unittest\nfrom pkg.calc import add\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n\nif __name__ == "__main__":\n    unittest.main()\n',
  'words.txt': 'b\na\n',
};

function machine(seed = 1) {
  const files = Object.entries(FILES).map(([name, text]) => ({
    path: `/home/user/${name}`,
    content: toBytes(text),
  }));
  return openMachine({ ...DEFAULT_SPEC, files }, seed);
}

function run(on: ReturnType<typeof machine>, line: string): string {
  const { merged, exitCode, crashes } = runProgram(on, {
    program: function* (proc) {
      return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
    },
    argv: ['bash'],
  });
  expect(crashes).toEqual([]);
  return `${merged}${exitCode}`;
}

const TRACEBACK = 'Traceback (most recent call last):\n';

const CASES: readonly (readonly [string, string])[] = [
  ['python3 -c "print(6 * 7)"', '42\n0'],
  ['python3 --version', 'Python 3.11.2\n0'],
  ['seq 4 | python3 -c "import sys; print(sum(map(int, sys.stdin)))"', '10\n0'],
  ['python3 -c "import sys; sys.exit(3)"', '3'],
  ['python3 -c "import sys; sys.exit(\'no\')"', 'no\n1'],
  [
    'python3 div.py a 2>&1',
    `['div.py', 'a']\n${TRACEBACK}  File "/home/user/div.py", line 7, in <module>\n    f(0)\n  File "/home/user/div.py", line 4, in f\n    return 1 / x\n           ~~^~~\nZeroDivisionError: division by zero\n1`,
  ],
  [
    'python3 broken.py',
    `  File "/home/user/broken.py", line 2\n    print(x\n         ^\nSyntaxError: '(' was never closed\n1`,
  ],
  [
    'python3 nope.py',
    "python3: can't open file '/home/user/nope.py': [Errno 2] No such file or directory\n2",
  ],
  ['python3 -m nope', '/usr/bin/python3: No module named nope\n1'],
  [
    'echo "{" | python3 -m json.tool',
    'Expecting property name enclosed in double quotes: line 2 column 1 (char 2)\n1',
  ],
  ['echo "{\\"b\\":[1,2]}" | python3 -m json.tool --compact', '{"b":[1,2]}\n0'],
  [
    'python3 -c "open(\'/etc/shadow\')" 2>&1 | tail -1',
    "PermissionError: [Errno 13] Permission denied: '/etc/shadow'\n0",
  ],
  ['python3 -c "open(\'pkg\')" 2>&1 | tail -1', "IsADirectoryError: [Errno 21] Is a directory: 'pkg'\n0"],
  ["python3 -c \"open('new.txt', 'w').write('hi\\n')\"; cat new.txt; stat -c %a new.txt", 'hi\n644\n0'],
  [
    "python3 -c \"import os; os.makedirs('a/b'); os.rename('a/b', 'a/c'); print(os.listdir('a'))\"",
    "['c']\n0",
  ],
  [
    "python3 -c \"import subprocess as s; print(s.run(['sort', 'words.txt'], capture_output=True, text=True).stdout, end='')\"",
    'a\nb\n0',
  ],
  [
    'python3 -c "import subprocess as s; s.run(\'exit 7\', shell=True, check=True)" 2>&1 | tail -1',
    "subprocess.CalledProcessError: Command 'exit 7' returned non-zero exit status 7.\n0",
  ],
  [
    'python3 -c "import subprocess as s; s.run([\'nope\'])" 2>&1 | tail -1',
    "FileNotFoundError: [Errno 2] No such file or directory: 'nope'\n0",
  ],
  ['python3 -c "import os; print(os.system(\'echo in; exit 2\') >> 8)"', 'in\n2\n0'],
  [
    'python3 -c "import os, errno; print(errno.ENOENT, os.strerror(98), os.getuid(), os.getcwd())"',
    '2 Address already in use 1000 /home/user\n0',
  ],
  ['python3 -c "import requests" 2>&1 | tail -1', "ModuleNotFoundError: No module named 'requests'\n0"],
  [
    'python3 -c "import datetime, time; t = time.time(); time.sleep(50); print(round(time.time() - t), datetime.date.today())"',
    '50 2024-03-15\n0',
  ],
  [
    'python3 test_calc.py 2>&1 | grep -v "^Ran"',
    `F\n======================================================================\nFAIL: test_add (__main__.T.test_add)\n----------------------------------------------------------------------\n${TRACEBACK}  File "/home/user/test_calc.py", line 6, in test_add\n    self.assertEqual(add(2, 3), 5)\nAssertionError: -1 != 5\n\n----------------------------------------------------------------------\n\nFAILED (failures=1)\n0`,
  ],
  ['ls pkg/__pycache__', '__init__.cpython-311.pyc\ncalc.cpython-311.pyc\n0'],
  ['yes | python3 -c "import sys; print(sys.stdin.readline())"', 'y\n\n0'],
  ['python3 -c "for i in range(100000): print(i)" 2>/dev/null | head -1', '0\n0'],
  [
    'printf "1/0\\n" | python3 2>&1',
    `${TRACEBACK}  File "<stdin>", line 1, in <module>\nZeroDivisionError: division by zero\n1`,
  ],
  ['timeout 2 python3 -c "while True: pass"', '124'],
  ['python3 -c "x = \'a\' * 10**9" 2>&1 | tail -1', 'MemoryError\n0'],
  [
    'python3 -c "import threading as t; a = [t.Thread(target=print, args=(i,)) for i in range(3)]; [x.start() for x in a]; [x.join() for x in a]"',
    '0\n1\n2\n0',
  ],
  ['python3 -c "import asyncio; print(asyncio.run(asyncio.sleep(5, 1)))"', '1\n0'],
  ['python3 -c "import sys; sys.x = 1"; python3 -c "import sys; print(hasattr(sys, \'x\'))"', 'False\n0'],
];

test('python3 prints, changes and ends as Debian 12 does', () => {
  const on = machine();
  expect(CASES.map(([line]) => [line, run(on, line)])).toEqual(CASES.map(([line, out]) => [line, out]));
});

test('chance comes from the seed of the world, run by run', () => {
  const line =
    'python3 -c "import random, uuid, os; print(random.random(), uuid.uuid4(), os.urandom(4).hex())"';
  const [one, again, other] = [machine(5), machine(5), machine(6)].map((on) => [
    run(on, line),
    run(on, line),
  ]);
  expect(again).toEqual(one);
  expect(new Set([...(one ?? []), ...(other ?? [])]).size).toBe(4);
});

test('programs that wait share few threads, and each goes on where it was', () => {
  const on = machine();
  const line =
    'python3 -c "print(1)" | python3 -c "print(input(), 2)" | python3 -c "print(input(), 3)" | python3 -c "import subprocess as s; print(input(), s.run([\'python3\', \'-c\', \'print(4)\'], capture_output=True, text=True).stdout)"';
  expect(run(on, line)).toBe('1 2 3 4\n\n0');
});

const SOCKET_CASES: readonly (readonly [string, string])[] = [
  [
    'echo hi > a.txt; python3 -m http.server 8000 2>log >out & sleep 1; curl -s localhost:8000/a.txt; kill %1; wait; cat log',
    'hi\n127.0.0.1 - - [15/Mar/2024 10:30:01] "GET /a.txt HTTP/1.1" 200 -\n0',
  ],
  [
    'nc -l 8000 & sleep 0.1; python3 -m http.server 8000 2>&1 | tail -3',
    '  File "/usr/lib/python3.11/socketserver.py", line 472, in server_bind\n    self.socket.bind(self.server_address)\nOSError: [Errno 98] Address already in use\n0',
  ],
  [
    'python3 -c "import socket; socket.create_connection((\'localhost\', 9))" 2>&1 | tail -1',
    'ConnectionRefusedError: [Errno 111] Connection refused\n0',
  ],
  ['python3 serve.py', "b'3 a=1' True\nFalse\n0"],
  ['python3 streams.py', "b'echo hi'\n[Errno 111] Connect call failed ('127.0.0.1', 9)\n0"],
];

test('python3 listens and connects, in threads that serve and in asyncio too', () => {
  const files = Object.entries({
    'serve.py': `import http.server, threading, urllib.request
class H(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        self.send_response(200); self.end_headers()
        self.wfile.write(b'%d %s' % (len(body), body))
    def log_message(self, *args): pass
s = http.server.HTTPServer(('localhost', 0), H)
t = threading.Thread(target=s.serve_forever, daemon=True)
t.start()
print(urllib.request.urlopen('http://localhost:%d/' % s.server_port, b'a=1').read(), t.is_alive())
s.shutdown(); t.join()
print(t.is_alive())
`,
    'streams.py': `import asyncio
async def echo(r, w):
    w.write(b'echo ' + await r.read(2)); await w.drain(); w.close()
async def main():
    async with await asyncio.start_server(echo, 'localhost', 9000):
        r, w = await asyncio.open_connection('localhost', 9000)
        w.write(b'hi'); print(await r.read()); w.close()
    try: await asyncio.open_connection('127.0.0.1', 9)
    except OSError as error: print(error)
asyncio.run(main())
`,
  }).map(([name, text]) => ({ path: `/home/user/${name}`, content: toBytes(text) }));
  const on = () => openMachine({ ...DEFAULT_SPEC, files }, 1);
  expect(SOCKET_CASES.map(([line]) => [line, run(on(), line)])).toEqual(
    SOCKET_CASES.map(([line, out]) => [line, out]),
  );
});
