/**
 * `pip` of the machine, over the index that the world gives: list, show, freeze, check, install, uninstall, download of
 * nothing else; Debian 12's refusal outside a virtual environment.
 *
 * Source: pip 23.0.1 of Debian 12, PEP 668. A world without an index has its `pip` asked, as before. Not covered: config,
 * cache, wheel, search, colours; output on a terminal is the same without moving bars.
 */
import { type Command, type Io, type Process, type Running, SystemError } from '../../kernel/index.js';
import type { PackageIndex } from '../../kernel/package-index.js';
import { unknownProgram } from '../program/unknown-program.js';
import { conflictsOf, install, osError } from './pip-install.js';
import {
  filesOf,
  type Installed,
  installedIn,
  type PythonSite,
  removePackage,
  siteOf,
} from './python-site.js';
import { packageKey, parseRequirement, type Requirement } from './versions.js';

const VERSION = '23.0.1';
const MANAGED = `error: externally-managed-environment

× This environment is externally managed
╰─> To install Python packages system-wide, try apt install
    python3-xyz, where xyz is the package you are trying to
    install.
    
    If you wish to install a non-Debian-packaged Python package,
    create a virtual environment using python3 -m venv path/to/venv.
    Then use path/to/venv/bin/python and path/to/venv/bin/pip. Make
    sure you have python3-full installed.
    
    If you wish to install a non-Debian packaged Python application,
    it may be easiest to use pipx install xyz, which will manage a
    virtual environment for you. Make sure you have pipx installed.
    
    See /usr/share/doc/python3.11/README.venv for more information.

note: If you believe this is a mistake, please contact your Python installation or OS distribution provider. You can override this, at the risk of breaking your Python installation or OS, by passing --break-system-packages.
hint: See PEP 668 for the detailed specification.
`;

/** One run of pip. */
export interface PipCall {
  readonly proc: Process;
  readonly index: PackageIndex;
  readonly cache: string;
  out(text: string): void;
  err(text: string): void;
  flush(): Running<void>;
}

/** Runs pip as an interpreter's; `executable` tells which. Null where the world has no index. */
export function* runPip(
  proc: Process,
  io: Io,
  how: { name?: string; executable: string; args: readonly string[] },
): Running<number> {
  const index = proc.kernel.packageIndex;
  if (index === null) return yield* unknownProgram(how.name ?? 'pip')(proc);
  const cache = `${proc.env.get('HOME') ?? '/root'}/.cache/pip`;
  const call: PipCall = {
    proc,
    index,
    cache,
    out: (text) => io.out(text),
    err: (text) => io.err(text),
    flush: () => io.flush(),
  };
  const site = siteOf(proc, how.executable);
  try {
    return yield* command(call, site, how.args);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    yield* io.flush();
    call.err(osError(error));
    return 1;
  }
}

function* command(call: PipCall, site: PythonSite, args: readonly string[]): Running<number> {
  const [verb = 'help', ...rest] = args;
  const flags = rest.filter((one) => one.startsWith('-') && one !== '-');
  const operands = rest.filter((one) => !one.startsWith('-'));
  const all = yield* installedIn(call.proc, site);
  switch (verb) {
    case '--version':
    case '-V': {
      const home = site.venv === null ? '/usr/lib/python3/dist-packages' : site.target;
      call.out(`pip ${VERSION} from ${home}/pip (python 3.11)\n`);
      return 0;
    }
    case 'list': {
      if (flags.some((one) => !/^(--format=(columns|freeze|json)|--disable-pip-version-check)$/.test(one)))
        break;
      if (flags.includes('--format=json')) {
        call.out(
          `${JSON.stringify(all.map(({ name, version }) => ({ name, version })))
            .replaceAll('":', '": ')
            .replaceAll(',"', ', "')
            .replaceAll('},', '}, ')}\n`,
        );
        return 0;
      }
      if (flags.includes('--format=freeze')) return freeze(call, all);
      if (all.length === 0) return 0;
      const width = Math.max(7, ...all.map(({ name }) => name.length));
      const last = Math.max(7, ...all.map(({ version }) => version.length));
      const rows = [
        ['Package', 'Version'],
        ['-'.repeat(width), '-'.repeat(last)],
        ...all.map(({ name, version }) => [name, version]),
      ];
      call.out(rows.map(([name = '', version = '']) => `${name.padEnd(width)} ${version}\n`).join(''));
      return 0;
    }
    case 'freeze':
      return freeze(
        call,
        all.filter(({ key }) => !['pip', 'setuptools', 'wheel', 'distribute'].includes(key)),
      );
    case 'check': {
      const bad = conflictsOf(all);
      for (const { one, requirement, has } of bad)
        call.out(
          has === undefined
            ? `${one.key} ${one.version} requires ${requirement.key}, which is not installed.\n`
            : `${one.key} ${one.version} has requirement ${requirement.text}, but you have ${has.key} ${has.version}.\n`,
        );
      if (bad.length === 0) call.out('No broken requirements found.\n');
      return bad.length === 0 ? 0 : 1;
    }
    case 'show':
      return show(call, all, operands);
    case 'install':
      return yield* installVerb(call, site, rest);
    case 'uninstall':
      return yield* uninstall(call, site, { flags, operands });
  }
  return yield* unknownProgram('pip', `pip ${verb} with these options is not computed`)(call.proc);
}

function freeze(call: PipCall, all: readonly { name: string; version: string }[]): number {
  call.out(all.map(({ name, version }) => `${name}==${version}\n`).join(''));
  return 0;
}

function show(call: PipCall, all: readonly Installed[], names: readonly string[]): number {
  if (names.length === 0) {
    call.err('WARNING: ERROR: Please provide a package name or names.\n');
    return 1;
  }
  const found = names.flatMap((name) => all.filter(({ key }) => key === packageKey(name)));
  const missing = names.filter((name) => !all.some(({ key }) => key === packageKey(name)));
  if (missing.length > 0) call.err(`WARNING: Package(s) not found: ${missing.join(', ')}\n`);
  const texts = found.map((one) => {
    const requires = one.requires.map((text) => parseRequirement(text)?.name ?? text).sort();
    const by = all
      .filter((other) => other.requires.some((text) => parseRequirement(text)?.key === one.key))
      .map(({ name }) => name);
    return `Name: ${one.name}\nVersion: ${one.version}\nSummary: ${one.summary}\nHome-page: \nAuthor: \nAuthor-email: \nLicense: \nLocation: ${one.folder}\nRequires: ${requires.join(', ')}\nRequired-by: ${by.join(', ')}\n`;
  });
  call.out(texts.join('---\n'));
  return found.length > 0 ? 0 : 1;
}

const PLAIN = new Set([
  '-q',
  '--quiet',
  '--no-input',
  '--disable-pip-version-check',
  '--break-system-packages',
  '--user',
  '-U',
  '--upgrade',
  '--force-reinstall',
  '--no-deps',
  '--no-cache-dir',
  '--root-user-action=ignore',
]);

function* installVerb(call: PipCall, given: PythonSite, args: readonly string[]): Running<number> {
  const flags = new Set<string>();
  const wanted: Requirement[] = [];
  const left = [...args];
  let isUnknown = false;
  const add = (text: string): boolean => {
    const requirement = parseRequirement(text);
    if (requirement === null) {
      call.err(`ERROR: Invalid requirement: '${text}'\n`);
      return false;
    }
    wanted.push(requirement);
    return true;
  };
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '-r' || word === '--requirement') {
      const path = left.shift() ?? '';
      let text: string;
      try {
        text = yield* call.proc.readText(path);
      } catch (error) {
        if (!(error instanceof SystemError)) throw error;
        call.err(`ERROR: Could not open requirements file: [Errno 2] No such file or directory: '${path}'\n`);
        return 1;
      }
      const lines = text
        .split('\n')
        .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
        .filter((line) => line !== '');
      if (lines.some((line) => line.startsWith('-'))) isUnknown = true;
      else if (!lines.every(add)) return 1;
    } else if (PLAIN.has(word)) flags.add(word);
    else if (word.startsWith('-') || /^(\.|\/|git\+|https?:)/.test(word)) isUnknown = true;
    else if (!add(word)) return 1;
  }
  if (isUnknown)
    return yield* unknownProgram('pip', 'pip install with these arguments is not computed')(call.proc);
  if (wanted.length === 0) {
    call.err('ERROR: You must give at least one requirement to install (see "pip help install")\n');
    return 1;
  }
  if (given.venv === null && !flags.has('--break-system-packages')) {
    call.err(MANAGED);
    return 1;
  }
  if (given.venv === null && call.proc.uid !== 0 && !flags.has('--user'))
    call.out('Defaulting to user installation because normal site-packages is not writeable\n');
  const isQuiet = flags.has('-q') || flags.has('--quiet');
  const quiet: PipCall = isQuiet ? { ...call, out: () => undefined } : call;
  return yield* install(quiet, given, {
    wanted,
    upgrades: flags.has('-U') || flags.has('--upgrade'),
    reinstalls: flags.has('--force-reinstall'),
    noDeps: flags.has('--no-deps'),
    noCache: flags.has('--no-cache-dir'),
  });
}

function* uninstall(
  call: PipCall,
  site: PythonSite,
  { flags, operands }: { flags: readonly string[]; operands: readonly string[] },
): Running<number> {
  if (operands.length === 0) {
    call.err('ERROR: You must give at least one requirement to uninstall (see "pip help uninstall")\n');
    return 1;
  }
  if (site.venv === null && !flags.includes('--break-system-packages')) {
    call.err(MANAGED);
    return 1;
  }
  const all = yield* installedIn(call.proc, site);
  for (const name of operands) {
    const one = all.find(({ key }) => key === packageKey(name));
    if (one === undefined) {
      call.err(`WARNING: Skipping ${name} as it is not installed.\n`);
      continue;
    }
    call.out(
      `Found existing installation: ${one.name} ${one.version}\nUninstalling ${one.name}-${one.version}:\n`,
    );
    if (!flags.includes('-y') && !flags.includes('--yes')) {
      const tops = [
        ...new Set(
          (yield* filesOf(call.proc, one)).map(
            (path) => `${one.folder}/${path.slice(one.folder.length + 1).split('/')[0]}/*`,
          ),
        ),
      ].sort();
      call.out(`  Would remove:\n${tops.map((path) => `    ${path}\n`).join('')}Proceed (Y/n)? `);
      yield* call.flush();
      const reply = (yield* readLine(call.proc)).trim().toLowerCase();
      if (reply !== '' && reply !== 'y') continue;
    }
    yield* removePackage(call.proc, one);
    call.out(`  Successfully uninstalled ${one.name}-${one.version}\n`);
  }
  return 0;
}

function* readLine(proc: Process): Running<string> {
  let line = '';
  for (;;) {
    const piece = yield* proc.read(0, 1);
    if (piece.length === 0 || piece[0] === 10) return line;
    line += String.fromCharCode(piece[0] ?? 0);
  }
}

function pipCommand(name: string): Command {
  return {
    name,
    path: `/usr/bin/${name}`,
    sizeBytes: 223,
    run: (proc, io) => runPip(proc, io, { name, executable: '/usr/bin/python3', args: proc.argv.slice(1) }),
  };
}

/** `pip` and `pip3`. */
export const PIP_COMMANDS: readonly Command[] = [pipCommand('pip'), pipCommand('pip3')];
