/**
 * pip on the machine: what it says, what it lays, and what a full disk leaves.
 */
import { expect, test } from 'vitest';
import type { PythonRelease } from '../../kernel/package-index.js';
import {
  DEFAULT_SPEC,
  type MachineSpec,
  openMachine,
  PYTHON_CATALOGUE,
  runProgram,
} from '../../machine/index.js';

const MIB = 1024 ** 2;

function release(version: string, more: Partial<PythonRelease> = {}): PythonRelease {
  return {
    version,
    sizeBytes: 20_000,
    installedBytes: 80_000,
    requires: [],
    summary: 'A package',
    tags: 'py3-none-any',
    module: 'm',
    ...more,
  };
}

const INDEX = {
  pip: {
    greet: [
      release('1.0', {
        module: 'greet',
        requires: ['words<2'],
        files: { 'greet/__init__.py': 'def hello():\n    return "hello 1"\n' },
      }),
      release('2.0', {
        module: 'greet',
        requires: ['words>=1'],
        files: { 'greet/__init__.py': 'import words\ndef hello():\n    return words.HELLO\n' },
      }),
    ],
    words: [
      release('1.5', { module: 'words', files: { 'words.py': 'HELLO = "hi 1.5"\n' } }),
      release('2.1', { module: 'words', sizeBytes: 12_300_000, files: { 'words.py': 'HELLO = "hi 2.1"\n' } }),
    ],
    huge: [release('1.0', { module: 'huge', sizeBytes: 70_000_000, installedBytes: 300_000_000 })],
  },
};

function machine(more: Partial<MachineSpec> = {}): (line: string) => string {
  const on = openMachine(
    { ...DEFAULT_SPEC, packages: ['python3', 'pip', 'pip3'], packageIndex: INDEX, ...more },
    1,
  );
  return (line) => {
    const { merged, exitCode, crashes } = runProgram(on, {
      program: function* (proc) {
        return yield* proc.exec('/bin/bash', ['bash', '-c', line]);
      },
      argv: ['bash'],
      limits: { maxMs: 3_000_000 },
    });
    expect(crashes).toEqual([]);
    return `${merged}${exitCode}`;
  };
}

test('outside a virtual environment pip refuses as Debian 12 does', () => {
  const run = machine();
  const [first, ...rest] = run('pip install greet').split('\n');
  expect(first).toBe('error: externally-managed-environment');
  expect(rest.slice(-3)).toEqual([
    'note: If you believe this is a mistake, please contact your Python installation or OS distribution provider. You can override this, at the risk of breaking your Python installation or OS, by passing --break-system-packages.',
    'hint: See PEP 668 for the detailed specification.',
    '1',
  ]);
});

test('in a virtual environment packages are installed with what they need, imported, listed and removed', () => {
  const run = machine();
  expect(run('python3 -m venv v; ls v v/bin; . v/bin/activate; which python pip; pip --version')).toBe(
    'v:\nbin\ninclude\nlib\nlib64\npyvenv.cfg\n\nv/bin:\nactivate\npip\npip3\npip3.11\npython\npython3\npython3.11\n' +
      '/home/user/v/bin/python\n/home/user/v/bin/pip\n' +
      'pip 23.0.1 from /home/user/v/lib/python3.11/site-packages/pip (python 3.11)\n0',
  );
  expect(run('v/bin/pip install greet')).toBe(`Collecting greet
  Downloading greet-2.0-py3-none-any.whl (20 kB)
Collecting words>=1
  Downloading words-2.1-py3-none-any.whl (12.3 MB)
     ${'━'.repeat(40)} 12.3/12.3 MB 12.4 MB/s eta 0:00:00
Installing collected packages: words, greet
Successfully installed greet-2.0 words-2.1
0`);
  expect(
    run('v/bin/python -c "import greet; print(greet.hello())"; python3 -c "import greet" 2>&1 | tail -n 1'),
  ).toBe("hi 2.1\nModuleNotFoundError: No module named 'greet'\n0");
  expect(
    run('v/bin/pip install "words<2"; v/bin/pip install greet; v/bin/pip freeze; v/bin/pip check'),
  ).toBe(`Collecting words<2
  Downloading words-1.5-py3-none-any.whl (20 kB)
Installing collected packages: words
  Attempting uninstall: words
    Found existing installation: words 2.1
    Uninstalling words-2.1:
      Successfully uninstalled words-2.1
Successfully installed words-1.5
Requirement already satisfied: greet in ./v/lib/python3.11/site-packages (2.0)
Requirement already satisfied: words>=1 in ./v/lib/python3.11/site-packages (from greet) (1.5)
greet==2.0
words==1.5
No broken requirements found.
0`);
  expect(
    run(
      'v/bin/pip uninstall -y words; v/bin/pip check; v/bin/pip show words; ls v/lib/python3.11/site-packages | grep -v pycache',
    ),
  ).toBe(`Found existing installation: words 1.5
Uninstalling words-1.5:
  Successfully uninstalled words-1.5
greet 2.0 requires words, which is not installed.
WARNING: Package(s) not found: words
greet
greet-2.0.dist-info
pip
pip-23.0.1.dist-info
setuptools
setuptools-66.1.1.dist-info
0`);
});

test('what is not there, does not fit or cannot be reached is told in its words', () => {
  const run = machine();
  run('python3 -m venv v');
  expect(run('v/bin/pip install nosuch')).toBe(
    'ERROR: Could not find a version that satisfies the requirement nosuch (from versions: none)\nERROR: No matching distribution found for nosuch\n1',
  );
  expect(run('v/bin/pip install greet==9')).toBe(
    'ERROR: Could not find a version that satisfies the requirement greet==9 (from versions: 1.0, 2.0)\nERROR: No matching distribution found for greet==9\n1',
  );
  expect(
    run('v/bin/pip install greet==1.0 words==2.1'),
  ).toBe(`ERROR: Cannot install greet==1.0 and words==2.1 because these package versions have conflicting dependencies.

The conflict is caused by:
    The user requested words==2.1
    greet 1.0 depends on words<2

To fix this you could try to:
1. loosen the range of package versions you've specified
2. remove package versions to allow pip attempt to solve the dependency conflict

ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/#dealing-with-dependency-conflicts
1`);
  const offline = machine({ packageIndex: { pip: 'offline' } });
  expect(offline('python3 -m venv v; v/bin/pip install greet 2>&1 | cut -c1-60 | tail -n 3')).toBe(
    'WARNING: Retrying (Retry(total=0, connect=None, read=None, r\nERROR: Could not find a version that satisfies the requireme\nERROR: No matching distribution found for greet\n0',
  );
});

test('a disk that runs full while unpacking fails the install and leaves what was written', () => {
  const run = machine({ diskBytes: 1024 * MIB, freeBytes: 200 * MIB });
  run('python3 -m venv v');
  const text = run('v/bin/pip install huge');
  expect(text.split('\n').slice(-4)).toEqual([
    'Installing collected packages: huge',
    'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device',
    '',
    '1',
  ]);
  expect(
    run(
      'du -sm ~/.cache/pip | cut -f1; df --output=avail / | tail -n 1; ls /tmp; v/bin/pip list | grep huge',
    ),
  ).toBe('67\n    0\n1');
});

test('a world with the usual index computes torch, and installed packages of the system show', () => {
  const run = machine({
    packageIndex: { pip: PYTHON_CATALOGUE },
    pythonPackages: { requests: '2.28.2' },
    diskBytes: 1024 * MIB,
    freeBytes: 200 * MIB,
  });
  expect(run('pip list')).toBe('Package  Version\n-------- -------\nrequests 2.28.2\n0');
  run('python3 -m venv v');
  const text = run('v/bin/pip install torch');
  expect(text.split('\n').slice(-3)).toEqual([
    'ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device',
    '',
    '1',
  ]);
});
