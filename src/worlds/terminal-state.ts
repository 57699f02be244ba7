/**
 * The `state` of a terminal world: a Debian 12 machine at the start.
 *
 * What is not given is as on a fresh small Debian 12. `packages` says what is installed beyond it: where the key is absent nobody
 * knows whether a program such as `git` is there, and running it is a question to the world's model; where it is given,
 * a program that is not listed is not found. Source: the world-file contract, key `state`, domain terminal. Not
 * covered: `from` for files; of ports, `http` answers requests from the machine itself. Services: `terminal-services.ts`.
 */
import { z } from 'zod';
import { HARNESSES } from '../domains/index.js';
import { DEFAULT_SPEC, type MachineFile, type MachineSpec } from '../engines/index.js';
import { DEFAULT_CLOCK } from './mcp-state.js';
import { IndexSchema, pipIndex } from './package-index-state.js';
import { ONCE } from './schema-problems.js';
import { bytesOf, SizeSchema } from './size.js';
import {
  answerOf,
  CertificateSchema,
  certificateOf,
  HttpAnswerSchema,
  ServiceSchema,
  serviceOf,
} from './terminal-services.js';
import type { WorldFile } from './world-file.js';

const Name = z
  .string()
  .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'must be a user name: lower-case letters, digits, - and _');
const AbsolutePath = z
  .string()
  .regex(/^\/(?!.*(?:\/\.{1,2}(?:\/|$)|\/\/)).*$/s, 'must be an absolute path without . and .. parts');
const Mode = z.string().regex(/^0?[0-7]{3,4}$/, 'must be octal permission bits such as "644"');
const Base64 = z
  .string()
  .regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'must be base64');

const FileFields = z.strictObject({
  content: z.string().optional().describe('The text.'),
  base64: Base64.optional().describe('The bytes, for what is no text.'),
  link: z.string().min(1).optional().describe('It is a symbolic link to this.'),
  directory: z.literal(true).optional().describe('It is a folder.'),
  mode: Mode.optional().describe('Default 644, for folders 755.'),
  owner: z
    .string()
    .min(1)
    .optional()
    .describe('USER, USER:GROUP or ids. Default: the user below his home, root elsewhere.'),
  mtime: z.iso.datetime({ offset: true }).optional().describe('Default: the start of the clock.'),
});

const KINDS = ['content', 'base64', 'link', 'directory'] as const;
const FileObject = FileFields.refine(
  (file) => KINDS.filter((key) => file[key] !== undefined).length <= 1,
  'must have one of content, base64, link and directory',
);

/** Schema of the state of a terminal world. */
export const TerminalStateSchema = z.strictObject({
  os: z.literal('debian-12').default('debian-12').describe('The system.'),
  user: z
    .union([
      Name,
      z.strictObject({
        name: Name,
        uid: z.int().min(0).max(60_000).optional(),
        home: AbsolutePath.optional(),
        shell: AbsolutePath.optional(),
        groups: z.array(Name).default([]),
      }),
    ])
    .default('user')
    .describe('Who works at the terminal.'),
  host: z
    .string()
    .regex(/^[a-zA-Z0-9.-]{1,64}$/, 'must be a host name')
    .default('box'),
  cwd: AbsolutePath.optional().describe('Where the shell starts. Default: the home folder.'),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'must be a variable name'), z.string()).default({}),
  users: z
    .record(Name, z.strictObject({ uid: z.int().min(1).max(60_000), groups: z.array(Name).default([]) }))
    .default({})
    .describe('Further accounts.'),
  files: z
    .record(AbsolutePath, z.union([z.string(), FileObject]), {
      error: (issue) =>
        issue.code === 'invalid_key' ? 'must be below an absolute path without . and .. parts' : undefined,
    })
    .default({})
    .describe('Path → text, or what it is.'),
  setup: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Commands that the user ran before the start, in one shell; what they leave is part of the state.',
    ),
  packages: z
    .array(z.string().min(1))
    .optional()
    .describe('Programs that are installed beyond a small Debian.'),
  index: IndexSchema.optional().describe('What pip could install. Left out: pip is asked.'),
  installed: z
    .strictObject({ pip: z.record(z.string().min(1), z.string().min(1)).default({}) })
    .optional()
    .describe('Python packages of the system, name → version.'),
  processes: z
    .array(
      z.strictObject({
        command: z.string().min(1),
        pid: z.int().min(2).max(4_194_304).optional(),
        user: z.string().min(1).optional(),
      }),
    )
    .default([])
    .describe('Daemons and other processes that are there.'),
  ports: z
    .array(
      z.looseObject({
        port: z.int().min(1).max(65_535).optional(),
        http: z
          .record(
            z.string().regex(/^([A-Z]+ )?\//, 'must be a path, with a method before it or not'),
            z.union([z.string(), HttpAnswerSchema]),
          )
          .optional()
          .describe('Path, or method and path → what the service answers; other paths are not found.'),
      }),
    )
    .default([])
    .describe('What listens where. Without `http` a port is open and nobody knows what it answers.'),
  network: z
    .enum(['none'])
    .optional()
    .describe('`none`: names of other hosts do not resolve. Left out: what other hosts answer is asked.'),
  services: z
    .record(
      z.string().regex(/^[a-zA-Z0-9:_.@-]{1,200}$/, 'must be the name of a unit, with or without .service'),
      ServiceSchema,
    )
    .optional()
    .describe('Services under systemd. Left out: nobody knows which there are, and systemctl is asked.'),
  certificates: z
    .record(AbsolutePath, CertificateSchema)
    .default({})
    .describe('Path → certificate, laid there as PEM.'),
  disk: z
    .strictObject({
      size: SizeSchema.optional().describe('Size of the root disk. Default 20G.'),
      free: SizeSchema.optional().describe('What is free of it at the start.'),
      mounts: z
        .array(
          z.strictObject({
            path: AbsolutePath,
            source: z.string().min(1).default('tmpfs'),
            type: z.string().min(1).default('tmpfs'),
            readOnly: z.boolean().default(false),
            size: SizeSchema.optional(),
          }),
        )
        .default([]),
    })
    .default({ mounts: [] }),
  clock: z.iso.datetime({ offset: true }).default(DEFAULT_CLOCK).describe('Start of the simulated clock.'),
});

/** The state of a world of coding tools: a machine, and the harness whose tools work on it. */
export const SweStateSchema = TerminalStateSchema.extend({
  harness: z
    .enum(HARNESSES as [string, ...string[]])
    .describe('Whose tools there are; each answers in its own words.'),
});

/** From a world file of domain terminal (or swe with a harness) to what the shell engine opens; `id` is the world's content hash. */
export function machineSpec(file: WorldFile, id: string): MachineSpec {
  const { harness: _, ...own } = file.state as Record<string, unknown>;
  const state = TerminalStateSchema.parse(own, ONCE);
  const given = typeof state.user === 'string' ? { name: state.user, groups: [] } : state.user;
  const uid = given.uid ?? (given.name === 'root' ? 0 : 1000);
  const home = given.home ?? (given.name === 'root' ? '/root' : `/home/${given.name}`);
  const { disk } = state;
  const diskBytes = disk.size === undefined ? DEFAULT_SPEC.diskBytes : bytesOf(disk.size);
  return {
    ...DEFAULT_SPEC,
    id,
    hostname: state.host,
    user: { name: given.name, uid, gid: uid, home, shell: given.shell ?? '/bin/bash', groups: given.groups },
    users: Object.entries(state.users).map(([name, one]) => ({ name, ...one })),
    cwd: state.cwd ?? home,
    env: state.env,
    files: Object.entries(state.files).map(([path, one]) => fileOf(path, one)),
    mounts: disk.mounts.map(({ path, source, type, readOnly, size }) => ({
      path,
      source,
      type,
      isReadOnly: readOnly,
      ...(size === undefined ? {} : { sizeBytes: bytesOf(size) }),
    })),
    processes: state.processes.map(({ command, pid, user }) => ({
      command,
      ...(pid === undefined ? {} : { pid }),
      ...(user === undefined ? {} : { user }),
    })),
    diskBytes,
    ...(disk.free === undefined ? {} : { freeBytes: Math.min(bytesOf(disk.free), diskBytes) }),
    startMs: Date.parse(state.clock),
    ...(state.setup === undefined ? {} : { setup: state.setup }),
    ...(state.packages === undefined ? {} : { packages: state.packages }),
    ...(state.index === undefined ? {} : { packageIndex: { pip: pipIndex(state.index.pip) } }),
    ...(state.installed === undefined ? {} : { pythonPackages: state.installed.pip }),
    ...(state.services === undefined
      ? {}
      : { services: Object.entries(state.services).map(([name, one]) => serviceOf(name, one)) }),
    certificates: Object.entries(state.certificates).map(([path, one]) => certificateOf(path, one)),
    ...(state.network === 'none' && { isOffline: true }),
    listening: state.ports.flatMap(({ port, http }) =>
      port === undefined ? [] : [listeningPort(port, http)],
    ),
  };
}

function fileOf(path: string, given: string | z.infer<typeof FileObject>): MachineFile {
  if (typeof given === 'string') return { path, content: new TextEncoder().encode(given) };
  const { content, base64, link, directory, mode, owner, mtime } = given;
  const kind = link !== undefined ? 'symlink' : directory === true ? 'directory' : 'file';
  const bytes =
    base64 === undefined
      ? new TextEncoder().encode(content ?? '')
      : new Uint8Array(Buffer.from(base64, 'base64'));
  return {
    path,
    kind,
    ...(kind === 'file' ? { content: bytes } : {}),
    ...(link === undefined ? {} : { target: link }),
    ...(mode === undefined ? {} : { mode: Number.parseInt(mode, 8) }),
    ...(owner === undefined ? {} : { owner }),
    ...(mtime === undefined ? {} : { mtimeMs: Date.parse(mtime) }),
  };
}

/** A port, with its answers in full. */
function listeningPort(
  port: number,
  http: Readonly<Record<string, string | z.infer<typeof HttpAnswerSchema>>> | undefined,
): NonNullable<MachineSpec['listening']>[number] {
  if (http === undefined) return { port };
  const answers = Object.entries(http).map(([path, given]) => [path, answerOf(given)] as const);
  return { port, http: Object.fromEntries(answers) };
}
