/**
 * What a machine is made from, in plain values: the form that a world's `state` is turned into.
 */
import type { ListeningPort } from '../kernel/listening-port.js';
import type { PackageIndex } from '../kernel/package-index.js';
import type { ServiceSpec } from '../services/service-spec.js';

/** One file of the start state. */
export interface MachineFile {
  /** Absolute. */
  readonly path: string;
  readonly kind?: 'file' | 'directory' | 'symlink' | 'fifo';
  /** Bytes of a file. */
  readonly content?: Uint8Array;
  /** Size of a file of which nobody knows the bytes. */
  readonly sizeBytes?: number;
  /** Of a symbolic link. */
  readonly target?: string;
  /** Permission bits; default 644, for folders 755. */
  readonly mode?: number;
  /** `name`, `name:group`, `uid` or `uid:gid`; default the user below his home, root elsewhere. */
  readonly owner?: string;
  /** Milliseconds since 1970; default the start of the clock. */
  readonly mtimeMs?: number;
}

/** One mount besides `/`, `/proc` and `/dev`. */
export interface MachineMount {
  readonly path: string;
  readonly source: string;
  readonly type: string;
  readonly isReadOnly?: boolean;
  readonly sizeBytes?: number;
}

/** A process of the start state that only exists: a daemon, a stuck job. */
export interface MachineProcess {
  readonly pid?: number;
  readonly user?: string;
  readonly command: string;
  readonly tty?: string;
  /** Milliseconds before the start of the clock at which it was started. */
  readonly ageMs?: number;
}

/** A certificate of the start state, and its key. */
export interface MachineCertificate {
  readonly path: string;
  /** `/C=DE/CN=example.org`. */
  readonly subject: string;
  /** Default: the subject. */
  readonly issuer?: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  /** Where the private key is laid; absent for nowhere. */
  readonly keyPath?: string;
  readonly bits: number;
  /** Of the two files, as for {@link MachineFile}. */
  readonly owner?: string;
}

/** A machine before it is switched on. */
export interface MachineSpec {
  /** Tells worlds apart in snapshots: the world's hash. */
  readonly id: string;
  readonly hostname: string;
  readonly user: {
    readonly name: string;
    readonly uid: number;
    readonly gid: number;
    readonly home: string;
    readonly shell: string;
    /** Further groups, by name. */
    readonly groups: readonly string[];
  };
  /** Further accounts by name. */
  readonly users: readonly {
    readonly name: string;
    readonly uid: number;
    readonly groups?: readonly string[];
  }[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly MachineFile[];
  readonly mounts: readonly MachineMount[];
  readonly processes: readonly MachineProcess[];
  /** Size of `/`. Default 20 GiB. */
  readonly diskBytes: number;
  /** Where the clock starts, milliseconds since 1970. */
  readonly startMs: number;
  /** What is free of `/` at the start; default what packages leave. */
  readonly freeBytes?: number;
  /** Programs installed beyond the base; absent where nobody knows (see `known-programs.ts`). */
  readonly packages?: readonly string[];
  /** Commands that the user ran before the start; what they leave is part of the start state. */
  readonly setup?: readonly string[];
  /** What listens on the machine. Default: nothing. */
  readonly listening?: readonly ListeningPort[];
  /** What could be installed. Absent where nobody knows. */
  readonly packageIndex?: PackageIndex;
  /** Python packages of the system, name → version. */
  readonly pythonPackages?: Readonly<Record<string, string>>;
  /** Services; absent where nobody knows which there are, and then systemctl is asked. */
  readonly services?: readonly ServiceSpec[];
  /** Certificates that are laid as PEM. */
  readonly certificates?: readonly MachineCertificate[];
  /** There is no network: names of other hosts do not resolve. Default: nobody knows what is out there. */
  readonly isOffline?: boolean;
  readonly umask: number;
  readonly limits: { readonly processes: number; readonly descriptors: number };
}

/** The default machine: user `user` on host `box`, 2024-03-15 10:30 UTC. */
export const DEFAULT_SPEC: MachineSpec = {
  id: 'default',
  hostname: 'box',
  user: { name: 'user', uid: 1000, gid: 1000, home: '/home/user', shell: '/bin/bash', groups: [] },
  users: [],
  cwd: '/home/user',
  env: {},
  files: [],
  mounts: [],
  processes: [],
  diskBytes: 20 * 1024 ** 3,
  startMs: Date.UTC(2024, 2, 15, 10, 30),
  umask: 0o022,
  limits: { processes: 512, descriptors: 1024 },
};
