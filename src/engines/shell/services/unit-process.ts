/**
 * Processes of units: started with the user, folder and environment of the unit file, their output going to the journal.
 *
 * Source: systemd.exec(5). A process belongs to a unit by its control group, which its children inherit. Not covered:
 * sandboxing (`ProtectSystem=` and its like change nothing), credentials, `StandardOutput=` other than the journal.
 */
import {
  execOrScript,
  type Kernel,
  type Process,
  type Program,
  SIG,
  SystemError,
  toText,
} from '../kernel/index.js';
import type { Inode } from '../kernel/inode.js';
import { OpenFile } from '../kernel/open-file.js';
import { readWhole } from './needs.js';
import type { ServiceManager } from './supervisor.js';
import type { Unit } from './unit.js';
import { expandWords, type UnitCommand } from './unit-file.js';

const INFO = 6;
const ERROR = 3;
const CHDIR = 200;
const EXEC = 203;
const USER = 217;
const ROOT_FOLDER = 2;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** A file whose lines become entries of the journal. */
class JournalStream extends OpenFile {
  private rest = '';

  constructor(
    private readonly inode: Inode,
    private readonly say: (line: string) => void,
  ) {
    super({ read: false, write: true }, 'socket:[18522]');
  }

  override stat(): Inode {
    return this.inode;
  }

  override readNow(): Uint8Array {
    return new Uint8Array(0);
  }

  override writeNow(bytes: Uint8Array): number {
    const lines = (this.rest + toText(bytes)).split('\n');
    this.rest = (lines.pop() ?? '').slice(-48_000);
    for (const line of lines) if (line.trim() !== '') this.say(line);
    return bytes.length;
  }

  protected override onClose(): void {
    if (this.rest.trim() !== '') this.say(this.rest);
    this.rest = '';
  }
}

/** The live processes of a unit. */
export function membersOf(kernel: Kernel, unit: string): Process[] {
  return [...kernel.processes.values()].filter((one) => one.cgroup === unit && one.exit === null);
}

/** Sends a signal to every process of a unit. */
export function killUnit(kernel: Kernel, unit: string, signal: number): void {
  for (const proc of membersOf(kernel, unit)) {
    kernel.post(proc, signal);
    if (signal === SIG.TERM) kernel.post(proc, SIG.CONT);
  }
}

/** Starts a process of a unit. `program` stands for the command where the world scripts it. Raises `EAGAIN`. */
export function spawnUnit(
  manager: ServiceManager,
  unit: Unit,
  how: { readonly command: UnitCommand; readonly init: Process; readonly program: Program | null },
): Process {
  const { command, init, program } = how;
  const { accounts } = manager;
  const userName = manager.value(unit, 'Service', 'User');
  const account =
    userName === undefined ? undefined : (accounts.userNamed(userName) ?? accounts.user(Number(userName)));
  const groupName = manager.value(unit, 'Service', 'Group');
  const group = groupName === undefined ? undefined : accounts.groupNamed(groupName);
  const uid = account?.uid ?? 0;
  const gid = group?.gid ?? account?.gid ?? 0;
  const groups =
    account === undefined ? [gid] : [gid, ...accounts.groupsOf(account).filter((one) => one !== gid)];
  const env = environmentOf(manager, unit, init);
  if (account !== undefined) {
    for (const [key, value] of Object.entries({
      HOME: account.home,
      LOGNAME: account.name,
      USER: account.name,
      SHELL: account.shell,
    }))
      if (!env.has(key)) env.set(key, value);
  }
  env.set('MAINPID', String(unit.mainPid));
  const argv = expandWords(command.words, env, unit.name);
  if (unit.mainPid === 0) env.delete('MAINPID');
  const [path = ''] = argv;
  const say = (proc: Process, text: string, priority: number): void =>
    manager.logOf(unit.name, proc, { text, priority, ident: path.replace(/^.*\//, '') });
  const body: Program = function* (proc) {
    const problem =
      userName !== undefined && account === undefined
        ? 'Failed to determine user credentials: No such process'
        : null;
    if (problem !== null) {
      complain(manager, unit, { proc, path, step: 'USER', why: 'No such process', first: problem });
      return USER;
    }
    const folder = manager.value(unit, 'Service', 'WorkingDirectory');
    const missing =
      folder === undefined ? null : enter(proc, folder.replace(/^-/, ''), account?.home ?? '/root');
    if (missing !== null && folder?.startsWith('-') !== true) {
      const first = `Changing to the requested working directory failed: ${missing}`;
      complain(manager, unit, { proc, path, step: 'CHDIR', why: missing, first });
      return CHDIR;
    }
    try {
      proc.access(path, 1);
      if (program !== null) {
        proc.exe = path;
        proc.comm = path.replace(/^.*\//, '').slice(0, 15);
        return yield* program(proc);
      }
      place(proc, (line) => say(proc, line, INFO));
      return yield* execOrScript(proc, path, argv);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const first = `Failed to locate executable ${path}: ${error.text}`;
      complain(manager, unit, {
        proc,
        path,
        step: 'EXEC',
        why: error.text,
        ...(error.code === 'ENOENT' ? { first } : {}),
      });
      return EXEC;
    }
  };
  const proc = manager.kernel.start(
    { argv, env, uid, gid, groups, ppid: 1, cwdIno: ROOT_FOLDER, umask: 0o022 },
    body,
  );
  proc.cgroup = unit.name;
  proc.exe = path;
  return proc;
}

function complain(
  manager: ServiceManager,
  unit: Unit,
  how: {
    readonly proc: Process;
    readonly path: string;
    readonly step: string;
    readonly why: string;
    readonly first?: string;
  },
): void {
  const { proc, path, step, why, first } = how;
  const ident = `(${path.replace(/^.*\//, '').slice(-8)})`;
  const said = { pid: proc.pid, comm: ident, uid: 0 };
  for (const text of [first, `Failed at step ${step} spawning ${path}: ${why}`]) {
    if (text === undefined) continue;
    manager.logOf(unit.name, said, { text: `${unit.name}: ${text}`, priority: ERROR });
  }
}

/** Goes into a folder; what is wrong with it, or null. */
function enter(proc: Process, folder: string, home: string): string | null {
  try {
    proc.chdir(folder === '~' ? home : folder);
    return null;
  } catch (error) {
    if (error instanceof SystemError) return error.text;
    throw error;
  }
}

function place(proc: Process, say: (line: string) => void): void {
  proc.openNow('/dev/null');
  const inode = proc.kernel.pipeInode(proc.actor);
  for (let count = 0; count < 2; count++) proc.place(new JournalStream(inode, say));
}

function environmentOf(manager: ServiceManager, unit: Unit, init: Process): Map<string, string> {
  const env = new Map([
    ['LANG', 'C.UTF-8'],
    ['PATH', PATH],
  ]);
  for (const line of manager.values(unit, 'Service', 'Environment')) {
    for (const match of line.matchAll(
      /"([A-Za-z_]\w*)=([^"]*)"|'([A-Za-z_]\w*)=([^']*)'|([A-Za-z_]\w*)=(\S*)/g,
    )) {
      const [, one, oneValue, two, twoValue, three, threeValue] = match;
      env.set(one ?? two ?? three ?? '', oneValue ?? twoValue ?? threeValue ?? '');
    }
  }
  for (const given of manager.values(unit, 'Service', 'EnvironmentFile')) {
    try {
      for (const line of readWhole(init, given.replace(/^-/, '')).split('\n')) {
        const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)=(.*)$/.exec(line);
        if (match !== null) env.set(match[1] ?? '', (match[2] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2'));
      }
    } catch (error) {
      if (!(error instanceof SystemError) || !given.startsWith('-')) throw error;
    }
  }
  return env;
}
