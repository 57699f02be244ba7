/**
 * Services and certificates in the state of a terminal world: their schema, and what the machine gets.
 *
 * A service is a unit file with a scripted daemon behind it: what it needs decides whether it comes up, at the world's
 * start and later. A command that is a script of the world's files (`#!`) is really run. Source: the words of
 * systemd.service(5).
 */
import { z } from 'zod';
import { type MachineCertificate, regexProblem, type ServiceSpec } from '../engines/index.js';

const AbsolutePath = z
  .string()
  .regex(/^\/(?!.*(?:\/\.{1,2}(?:\/|$)|\/\/)).*$/s, 'must be an absolute path without . and .. parts');
const Span = z
  .union([
    z.number().min(0),
    z.string().regex(/^\d+(\.\d+)?(s|m|h|d)$/, 'must be a time such as 30s, 10m, 2h or 3d'),
  ])
  .describe('Seconds, or a time such as 30s, 10m, 2h, 3d.');
const Line = z.string().min(1);
const Pattern = z
  .string()
  .min(1)
  .refine((text) => regexProblem(text) === null, 'must be an extended regular expression');
const PRIORITIES = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'] as const;

const Need = z
  .strictObject({
    file: AbsolutePath.optional().describe('A file that the user of the service can read.'),
    holds: Pattern.optional().describe('Some line of the file matches.'),
    lacks: Pattern.optional().describe('No line of the file matches.'),
    json: z.boolean().optional().describe('The file is JSON.'),
    certificate: AbsolutePath.optional().describe('A certificate (PEM) that is in date.'),
    writable: AbsolutePath.optional().describe(
      'A folder or file that the user of the service can write, with room on its disk.',
    ),
    says: Line.optional().describe('What the service logs where it is not so.'),
  })
  .refine(
    ({ file, certificate, writable }) =>
      [file, certificate, writable].filter((one) => one !== undefined).length === 1,
    'must have one of file, certificate and writable',
  );

/** One answer of a scripted HTTP port. */
export const HttpAnswerSchema = z.strictObject({
  status: z.int().min(100).max(599).default(200),
  type: z.string().min(1).optional().describe('Default: JSON where the body is, else plain text.'),
  body: z.string().default(''),
});
const HTTP_KEY = z.string().regex(/^([A-Z]+ )?\//, 'must be a path, with a method before it or not');

const Port = z.strictObject({
  port: z.int().min(1).max(65_535).describe('Where it listens.'),
  from: z
    .strictObject({ file: AbsolutePath, match: Pattern })
    .optional()
    .describe('The port stands in this file: the first group of the first line that matches.'),
  http: z
    .record(
      HTTP_KEY,
      z.union([
        z.string(),
        HttpAnswerSchema.extend({
          file: AbsolutePath.optional().describe('The body is this file as it is when the service starts.'),
        }),
      ]),
    )
    .optional()
    .describe('Path, or method and path → what it answers.'),
});

const Periodic = z.strictObject({
  every: z.union([Span, z.tuple([Span, Span])]).describe('Time between two lines, or least and most.'),
  lines: z
    .array(Line)
    .min(1)
    .describe(
      'One of them each time; {time}, {clf}, {day}, {epoch}, {pid}, {port}, {1..9} and {a|b} are filled in.',
    ),
  to: AbsolutePath.optional().describe('The file it appends to. Default: the journal.'),
  priority: z.enum(PRIORITIES).default('info'),
});

/** One service of a state. */
export const ServiceSchema = z.strictObject({
  description: z.string().min(1).optional().describe('Default: the name.'),
  command: z.string().regex(/^\//, 'must begin with an absolute path').describe('ExecStart.'),
  unit: z.string().min(1).optional().describe('The whole unit file, where the keys here do not say enough.'),
  unitPath: AbsolutePath.optional().describe('Default: /lib/systemd/system/NAME.service.'),
  user: z.string().min(1).optional().describe('Default: root.'),
  type: z.enum(['simple', 'exec', 'forking', 'notify', 'oneshot']).default('simple'),
  restart: z.enum(['no', 'always', 'on-failure', 'on-success', 'on-abnormal']).default('no'),
  restartSec: Span.optional().describe('Default: 100 ms.'),
  reload: z.boolean().default(false).describe('It reads its configuration again when it is told to.'),
  enabled: z.boolean().default(true),
  started: z
    .boolean()
    .optional()
    .describe('It was started before the world starts. Default: where it is enabled.'),
  age: Span.optional().describe(
    'How long before the start of the clock. Default: at boot, three days before.',
  ),
  ports: z.array(Port).default([]),
  needs: z.array(Need).default([]).describe('What must be so, in this order, for it to come up.'),
  logs: z
    .strictObject({
      start: z.array(Line).default([]),
      failure: z.array(Line).default([]).describe('After the line that says what is wrong.'),
      stop: z.array(Line).default([]),
      periodic: z.array(Periodic).default([]),
    })
    .default({ start: [], failure: [], stop: [], periodic: [] }),
  exitCode: z.int().min(1).max(255).default(1).describe('Of a start that fails.'),
  check: z
    .strictObject({ argument: z.string().min(1), says: Line })
    .optional()
    .describe('With this argument the program only checks its files, and says this where they are good.'),
});

/** One certificate of a state. */
export const CertificateSchema = z.strictObject({
  subject: z
    .string()
    .regex(/^(\/(CN|C|L|ST|O|OU|emailAddress)=[^/]+)+$/, 'must be a name such as /O=Example/CN=example.org'),
  issuer: z
    .string()
    .regex(/^(\/(CN|C|L|ST|O|OU|emailAddress)=[^/]+)+$/, 'must be a name such as /O=Example/CN=example.org')
    .optional()
    .describe('Default: the subject.'),
  notBefore: z.iso.datetime({ offset: true }),
  notAfter: z.iso.datetime({ offset: true }),
  key: AbsolutePath.optional().describe('Where the private key is laid.'),
  bits: z.union([z.literal(1024), z.literal(2048), z.literal(4096)]).default(2048),
  owner: z.string().min(1).optional().describe('Of both files. Default: root.'),
});

/** A certificate as the machine lays it. */
export function certificateOf(path: string, given: z.infer<typeof CertificateSchema>): MachineCertificate {
  const { subject, issuer, notBefore, notAfter, key, bits, owner } = given;
  return {
    path,
    subject,
    ...(issuer === undefined ? {} : { issuer }),
    notBeforeMs: Date.parse(notBefore),
    notAfterMs: Date.parse(notAfter),
    ...(key === undefined ? {} : { keyPath: key }),
    bits,
    owner: owner ?? 'root:root',
  };
}

/** A service as the machine starts it. */
export function serviceOf(given: string, service: z.infer<typeof ServiceSchema>): ServiceSpec {
  const name = given.endsWith('.service') ? given : `${given}.service`;
  const { description, command, unit, unitPath, user, type, restart, restartSec, reload } = service;
  const { enabled, started, age, ports, needs, logs, exitCode, check } = service;
  return {
    name,
    description: description ?? name.replace(/\.service$/, ''),
    command,
    ...(unit === undefined ? {} : { unitText: unit }),
    unitPath: unitPath ?? `/lib/systemd/system/${name}`,
    ...(user === undefined ? {} : { user }),
    type,
    restart,
    ...(restartSec === undefined ? {} : { restartSeconds: secondsOf(restartSec) }),
    canReload: reload,
    isEnabled: enabled,
    wasStarted: started ?? enabled,
    ...(age === undefined ? {} : { ageMs: secondsOf(age) * 1000 }),
    ports: ports.map(portOf),
    needs: needs.map((one) => Object.fromEntries(Object.entries(one)) as ServiceSpec['needs'][number]),
    logs: { ...logs, periodic: logs.periodic.map(periodicOf) },
    failStatus: exitCode,
    ...(check === undefined ? {} : { check }),
  };
}

function periodicOf({
  every,
  lines,
  to,
  priority,
}: z.infer<typeof Periodic>): ServiceSpec['logs']['periodic'][number] {
  const [least, most] = Array.isArray(every) ? every : [every, every];
  const seconds = [least, most].map((one) => Math.max(1, secondsOf(one))).sort((one, other) => one - other);
  return {
    everySeconds: [seconds[0] ?? 1, seconds[1] ?? 1],
    lines,
    ...(to === undefined ? {} : { to }),
    priority: PRIORITIES.indexOf(priority),
  };
}

function portOf({ port, from, http }: z.infer<typeof Port>): ServiceSpec['ports'][number] {
  const given = { port, ...(from === undefined ? {} : { from }) };
  if (http === undefined) return given;
  const bodies = Object.entries(http).flatMap(([key, one]) =>
    typeof one === 'string' || one.file === undefined ? [] : [[key, one.file] as const],
  );
  const answers = Object.entries(http).map(([key, one]) => [key, answerOf(one)] as const);
  return { ...given, http: Object.fromEntries(answers), bodies: Object.fromEntries(bodies) };
}

/** An answer in full. */
export function answerOf(given: string | z.infer<typeof HttpAnswerSchema>): {
  readonly status: number;
  readonly type: string;
  readonly body: string;
} {
  const { status, type, body } =
    typeof given === 'string' ? { status: 200, type: undefined, body: given } : given;
  const isJson = /^\s*[[{]/.test(body);
  return { status, type: type ?? (isJson ? 'application/json' : 'text/plain'), body };
}

const SPANS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function secondsOf(span: number | string): number {
  return typeof span === 'number' ? span : Number(span.slice(0, -1)) * (SPANS[span.slice(-1)] ?? 1);
}
