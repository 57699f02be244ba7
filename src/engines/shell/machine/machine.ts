/**
 * A machine switched on: the base image with a world's files, a kernel, init.
 *
 * The idea: laying files costs time once per specification object; every machine of it is an O(1) fork of that.
 */
import { randomStream } from '../../../core/index.js';
import type { FileSystem } from '../kernel/file-system.js';
import { Kernel, type Process, type Program } from '../kernel/index.js';
import type { Mount } from '../kernel/mount.js';
import { attachServices, bootServices } from '../services/boot.js';
import { initProgram } from '../services/init-program.js';
import { baseImage, MOUNT_DEV } from './debian-image.js';
import { groupIds, groupText } from './image-accounts.js';
import { accountsOf, closeMounts, layFiles } from './lay-files.js';
import { MACHINE_FACTS } from './machine-facts.js';
import type { MachineProcess, MachineSpec } from './machine-spec.js';
import { mountProc } from './proc-files.js';
import { programs } from './programs.js';
import { runSetup } from './setup.js';

/** The commands of a setup run so long before the clock's start. */
const SETUP_US = 3_600_000_000;

const laid = new WeakMap<MachineSpec, FileSystem>();
/** What the packages of a small Debian take on the disk. */
const IMAGE_BYTES = 1_400_000_000;

/** A running machine. */
export interface Machine {
  readonly spec: MachineSpec;
  readonly kernel: Kernel;
  /** Process 1. */
  readonly init: Process;
}

/** Switches a machine on. The seed controls `$RANDOM` and `/dev/urandom` only. */
export function openMachine(spec: MachineSpec, seed: number): Machine {
  const clock = { nowUs: spec.startMs * 1000 };
  const machine = machineOn(spec, seed, { clock, files: laidFiles(spec).fork(clock) });
  const startUs = spec.startMs * 1000;
  bootServices(machine.kernel, { startUs, bootUs: startUs - MACHINE_FACTS.bootedSeconds * 1e6 });
  return machine;
}

/** A machine on files that are laid. */
function machineOn(
  spec: MachineSpec,
  seed: number,
  { clock, files }: { readonly clock: { nowUs: number }; readonly files: FileSystem },
): Machine {
  const random = randomStream(seed, 'shell');
  const kernel = new Kernel({
    clock,
    files,
    random,
    limits: spec.limits,
    programs,
    listening: spec.listening ?? [],
    packageIndex: spec.packageIndex ?? null,
    isOffline: spec.isOffline,
  });
  const environment = { uid: 0, gid: 0, groups: [0], ppid: 0, cwdIno: files.root, umask: 0o022 };
  mountProc(kernel, spec);
  attachServices(kernel, spec);
  const init = kernel.start({ argv: ['/sbin/init'], env: new Map(), ...environment }, initProgram);
  init.reapsAll = true;
  init.exe = '/sbin/init';
  for (const one of spec.processes) startStatic(kernel, spec, one);
  return { spec, kernel, init };
}

/** A process of the start state: it has a name, an owner and a number, and never does anything. */
function startStatic(kernel: Kernel, spec: MachineSpec, given: MachineProcess): void {
  const account = accountsOf(spec).find((one) => one.name === given.user) ?? {
    uid: given.user === undefined ? 0 : 1,
    gid: 0,
  };
  const { uid, gid } = account;
  const argv = given.command.split(' ');
  const start = {
    argv,
    env: new Map<string, string>(),
    uid,
    gid,
    groups: [gid],
    ppid: 1,
    cwdIno: 2,
    umask: 0o022,
  };
  const pid = given.pid ?? kernel.nextPid;
  kernel.nextPid = Math.max(kernel.nextPid, pid + 1);
  const proc = kernel.startAs(pid, start, idleProgram);
  proc.isStatic = true;
  proc.exe = argv[0] ?? '';
}

/** The files of a machine at its start. */
export function laidFiles(spec: MachineSpec): FileSystem {
  let files = laid.get(spec);
  if (files === undefined) {
    const clock = { nowUs: spec.startMs * 1000 };
    files = baseImage().fork(clock);
    files.setMounts([rootMount(spec), PROC_MOUNT]);
    layFiles(files, spec);
    closeMounts(files, spec);
    if (spec.setup !== undefined && spec.setup.length > 0) {
      clock.nowUs -= SETUP_US;
      runSetup(machineOn(spec, 0, { clock, files }), spec.setup);
    }
    if (spec.freeBytes !== undefined) setFree(files, spec.diskBytes - spec.freeBytes);
    laid.set(spec, files);
  }
  return files;
}

/** What is free of `/` is said of the machine as it starts, with the world's own files on it. */
function setFree(files: FileSystem, usedBytes: number): void {
  files.setMounts(
    files.mounts.map((mount) => (mount.dev === MOUNT_DEV.root ? { ...mount, usedBytes } : mount)),
  );
}

const PROC_MOUNT: Mount = {
  dev: MOUNT_DEV.proc,
  path: '/proc',
  source: 'proc',
  type: 'proc',
  options: 'rw,nosuid,nodev,noexec,relatime',
  isReadOnly: false,
  sizeBytes: 0,
  usedBytes: 0,
  sizeInodes: 0,
  usedInodes: 0,
};

function rootMount(spec: MachineSpec): Mount {
  return {
    dev: MOUNT_DEV.root,
    path: '/',
    source: '/dev/sda1',
    type: 'ext4',
    options: 'rw,relatime',
    isReadOnly: false,
    sizeBytes: spec.diskBytes,
    usedBytes: Math.min(IMAGE_BYTES, spec.diskBytes / 2),
    sizeInodes: 1_310_720,
    usedInodes: 42_000,
  };
}

/** Does nothing for ever: daemons that only exist. */
export const idleProgram: Program = function* (proc) {
  for (;;) yield* proc.block([proc.childQueue]);
};

/** What a login shell's environment holds; the world's own variables come last. */
export function loginEnvironment(spec: MachineSpec): Map<string, string> {
  const { name, home, shell, uid } = spec.user;
  const path =
    uid === 0
      ? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
      : '/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games';
  const start = {
    SHELL: shell,
    PWD: spec.cwd,
    LOGNAME: name,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'screen',
    USER: name,
    PATH: path,
  };
  return new Map(Object.entries({ ...start, ...spec.env }));
}

/** Starts a program as the machine's user, a child of init in a session of its own, without descriptors. */
export function startAsUser(machine: Machine, program: Program, argv: readonly string[]): Process {
  const { spec, kernel } = machine;
  const { uid, gid } = spec.user;
  const groups = groupIds(spec.user, groupText(accountsOf(spec)));
  const cwdIno = kernel.files.resolve({ uid, gid, groups, cwdIno: 2, umask: 0 }, spec.cwd).ino;
  const env = loginEnvironment(spec);
  return kernel.start(
    { argv, env, uid, gid, groups, ppid: machine.init.pid, cwdIno, umask: spec.umask },
    program,
  );
}
