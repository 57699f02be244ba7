/**
 * `/proc`: computed when it is looked at.
 *
 * Processes with their usual files and descriptors, and the machine's own facts. Source: proc(5). Memory and processors
 * are those of a small virtual machine. Not covered: everything below `net`, `sys/fs`, `sys/vm`, maps and wchan.
 */
import type { FileSystem } from '../kernel/file-system.js';
import type { Kernel, Process } from '../kernel/index.js';
import { SystemError } from '../kernel/index.js';
import type { Computed, FileKind, Inode } from '../kernel/inode.js';
import { OpenRegular } from '../kernel/open-file.js';
import { ROOT_ACTOR } from './debian-image.js';
import { MACHINE_FACTS, meminfoText } from './machine-facts.js';
import type { MachineSpec } from './machine-spec.js';

/** Inode numbers of computed files begin here; a process takes a block of 4096. */
const FIRST_INO = 2 ** 33;
const BLOCK = 4096;
const DEV = 0x15;

/** Puts `/proc` onto a machine's files. */
export function mountProc(kernel: Kernel, spec: MachineSpec): void {
  const { files } = kernel;
  const folder = files.walk(ROOT_ACTOR, '/proc', true).inode;
  if (folder === undefined) return;
  new ProcFiles(kernel, spec, folder.ino).mount(files);
}

type Entries = Readonly<Record<string, () => Inode>>;

class ProcFiles {
  private readonly seen = new Map<number, Inode>();

  constructor(
    private readonly kernel: Kernel,
    private readonly spec: MachineSpec,
    private readonly rootIno: number,
  ) {}

  mount(files: FileSystem): void {
    const root = this.folder(this.rootIno, this.rootEntries(), {
      parent: files.root,
      more: (name) => this.processFolder(name),
    });
    files.mountComputed(root, (ino) => this.seen.get(ino));
  }

  private rootEntries(): Entries {
    const { kernel, spec } = this;
    const text = (index: number, make: () => string) => () => this.file(FIRST_INO + index, make);
    const uptime = (): number =>
      (kernel.clock.nowUs - spec.startMs * 1000) / 1e6 + MACHINE_FACTS.bootedSeconds;
    return {
      cmdline: text(1, () => 'BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro quiet\n'),
      cpuinfo: text(2, () => MACHINE_FACTS.cpuinfo),
      filesystems: text(3, () => 'nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\n\text4\n'),
      loadavg: text(4, () => `0.00 0.00 0.00 1/${kernel.processes.size} ${kernel.nextPid - 1}\n`),
      meminfo: text(5, meminfoText),
      mounts: () => this.link(FIRST_INO + 6, () => 'self/mounts'),
      self: () => this.link(FIRST_INO + 7, () => String(this.current().pid)),
      swaps: text(8, () => 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n'),
      uptime: text(9, () => `${uptime().toFixed(2)} ${(uptime() * MACHINE_FACTS.processors).toFixed(2)}\n`),
      version: text(10, () => `${MACHINE_FACTS.version}\n`),
      sys: () => this.folder(FIRST_INO + 11, { kernel: () => this.sysKernel() }, { parent: this.rootIno }),
    };
  }

  private sysKernel(): Inode {
    const text = (index: number, value: string) => () => this.file(FIRST_INO + index, () => `${value}\n`);
    const entries: Entries = {
      hostname: text(20, this.spec.hostname),
      osrelease: text(21, MACHINE_FACTS.release),
      ostype: text(22, 'Linux'),
      pid_max: text(23, '4194304'),
      version: text(24, MACHINE_FACTS.build),
    };
    return this.folder(FIRST_INO + 19, entries, { parent: FIRST_INO + 11 });
  }

  private current(): Process {
    const proc = this.kernel.currentProcess();
    if (proc === null) throw new SystemError('ENOENT');
    return proc;
  }

  private processFolder(name: string): Inode | undefined {
    const proc = /^[1-9]\d*$/.test(name) ? this.kernel.processes.get(Number(name)) : undefined;
    if (proc === undefined) return undefined;
    const ino = FIRST_INO + proc.pid * BLOCK;
    const text = (index: number, make: () => string, mode?: number) => () =>
      this.file(ino + index, make, { proc, ...(mode === undefined ? {} : { mode }) });
    const entries: Entries = {
      cmdline: text(1, () => proc.argv.map((word) => `${word}\0`).join('')),
      cgroup: text(
        11,
        () =>
          `0::${proc.cgroup === '' ? '/user.slice/user-1000.slice/session-1.scope' : `/system.slice/${proc.cgroup}`}\n`,
      ),
      comm: text(2, () => `${proc.comm}\n`),
      cwd: () => this.link(ino + 3, () => this.kernel.files.pathOf(proc.cwdIno), proc),
      environ: text(4, () => [...proc.env].map(([key, value]) => `${key}=${value}\0`).join(''), 0o400),
      exe: () => this.link(ino + 5, () => proc.exe, proc),
      fd: () => this.descriptors(proc, ino + 6),
      mounts: text(7, () => this.mountsText()),
      root: () => this.link(ino + 8, () => '/', proc),
      stat: text(9, () => statText(proc)),
      status: text(10, () => statusText(proc)),
    };
    return this.folder(ino, entries, { parent: this.rootIno, proc });
  }

  private mountsText(): string {
    return this.kernel.files.mounts
      .map((one) => `${one.source} ${one.path} ${one.type} ${one.options} 0 0\n`)
      .join('');
  }

  private descriptors(proc: Process, ino: number): Inode {
    const names = (): string[] =>
      [...proc.descriptors.keys()].filter((fd) => proc.descriptors[fd] !== undefined).map(String);
    const find = (name: string): Inode | undefined => {
      const file = /^\d+$/.test(name) ? proc.descriptors[Number(name)]?.file : undefined;
      if (file === undefined) return undefined;
      const target = (): string =>
        file.path.startsWith('/') || file.path.includes(':') ? file.path : `/${file.path}`;
      const follow = (): Inode =>
        file instanceof OpenRegular ? file.stat() : { ...file.stat(), computed: { openFile: () => file } };
      return this.node('symlink', ino + 64 + Number(name), { target, follow }, { proc, mode: 0o700 });
    };
    return this.node('directory', ino, { names, find }, { proc, mode: 0o500, parent: ino - 6 });
  }

  private folder(
    ino: number,
    entries: Entries,
    how: {
      readonly parent: number;
      readonly proc?: Process;
      readonly more?: (name: string) => Inode | undefined;
    },
  ): Inode {
    const pids = (): string[] =>
      how.more === undefined ? [] : [...this.kernel.processes.keys()].sort((a, b) => a - b).map(String);
    const names = (): string[] => [...pids(), ...Object.keys(entries)];
    const find = (name: string): Inode | undefined =>
      Object.hasOwn(entries, name) ? entries[name]?.() : how.more?.(name);
    return this.node('directory', ino, { names, find }, { ...how, mode: 0o555 });
  }

  private file(
    ino: number,
    text: () => string,
    how: { readonly proc?: Process; readonly mode?: number } = {},
  ): Inode {
    return this.node('file', ino, { text }, { mode: 0o444, ...how });
  }

  private link(ino: number, target: () => string, proc?: Process): Inode {
    return this.node('symlink', ino, { target }, { mode: 0o777, ...(proc === undefined ? {} : { proc }) });
  }

  private node(
    kind: FileKind,
    ino: number,
    computed: Computed,
    how: { readonly proc?: Process; readonly mode: number; readonly parent?: number },
  ): Inode {
    const nowUs = how.proc?.startUs ?? this.spec.startMs * 1000;
    const times = { atimeUs: nowUs, mtimeUs: nowUs, ctimeUs: nowUs, btimeUs: nowUs };
    const ids = {
      uid: how.proc?.uid ?? 0,
      gid: how.proc?.gid ?? 0,
      dev: DEV,
      parent: how.parent ?? this.rootIno,
      owner: 0,
    };
    const inode: Inode = {
      ino,
      kind,
      mode: how.mode,
      nlink: kind === 'directory' ? 2 : 1,
      ...times,
      ...ids,
      computed,
    };
    if (kind === 'directory') this.seen.set(ino, inode);
    return inode;
  }
}

const STATES: Readonly<Record<Process['state'], string>> = {
  ready: 'R',
  running: 'R',
  blocked: 'S',
  stopped: 'T',
  zombie: 'Z',
};

/** The letter of a process's state. */
function stateLetter(proc: Process): string {
  return proc.isStopped ? 'T' : STATES[proc.state];
}

function statText(proc: Process): string {
  const tty = proc.terminal === null ? 0 : 34816;
  const ticks = Math.floor(proc.cpuUs / 10_000);
  const start = [
    proc.pid,
    `(${proc.comm})`,
    stateLetter(proc),
    proc.ppid,
    proc.pgid,
    proc.sid,
    tty,
    proc.terminal?.foreground ?? -1,
  ];
  const rest = [
    4194304,
    0,
    0,
    0,
    0,
    ticks,
    0,
    0,
    0,
    20,
    0,
    1,
    0,
    Math.floor(proc.startUs / 10_000) % 1e9,
    7_700_000,
    900,
  ];
  return `${[...start, ...rest, ...new Array<number>(28).fill(0)].join(' ')}\n`;
}

const STATE_WORDS: Readonly<Record<string, string>> = {
  R: 'running',
  S: 'sleeping',
  T: 'stopped',
  Z: 'zombie',
};

function statusText(proc: Process): string {
  const letter = stateLetter(proc);
  const four = (id: number): string => `${id}\t${id}\t${id}\t${id}`;
  const rows: readonly (readonly [string, string])[] = [
    ['Name', proc.comm],
    ['Umask', proc.umask.toString(8).padStart(4, '0')],
    ['State', `${letter} (${STATE_WORDS[letter] ?? ''})`],
    ['Tgid', String(proc.pid)],
    ['Pid', String(proc.pid)],
    ['PPid', String(proc.ppid)],
    ['TracerPid', '0'],
    ['Uid', four(proc.uid)],
    ['Gid', four(proc.gid)],
    ['FDSize', '64'],
    ['Groups', `${proc.groups.join(' ')} `],
    ['VmSize', '    7700 kB'],
    ['VmRSS', '    3600 kB'],
    ['Threads', '1'],
  ];
  return rows.map(([name, value]) => `${name}:\t${value}\n`).join('');
}
