/**
 * Services of a machine as plain values: the form that `services` of a world's state is turned into.
 *
 * A service is a unit file and, where its program is none that the machine can run, a scripted daemon: what it needs to
 * come up, what it listens on, what it logs. Source of the unit's words: systemd.service(5), systemd.unit(5).
 */
import type { ListeningPort } from '../kernel/listening-port.js';

/** What must be so when a daemon starts. Exactly one of `file`, `certificate`, `writable` is there. */
export interface ServiceNeed {
  /** A file that the daemon's user can read. */
  readonly file?: string;
  /** A line of the file matches this extended regular expression. */
  readonly holds?: string;
  /** No line of the file matches this one. */
  readonly lacks?: string;
  /** The file is JSON. */
  readonly json?: boolean;
  /** A certificate in PEM that is in date. */
  readonly certificate?: string;
  /** A folder, or a file, that the daemon's user can write, with room on its disk. */
  readonly writable?: string;
  /** What the daemon logs where it is not so; default its own plain words. */
  readonly says?: string;
}

/** What a daemon listens on. */
export interface ServicePort extends ListeningPort {
  /** The port stands in a file: the first group of the expression in the first line that matches. */
  readonly from?: { readonly file: string; readonly match: string };
  /** Bodies that are read from files when the daemon starts, by the key of the answer. */
  readonly bodies?: Readonly<Record<string, string>>;
}

/** Lines that a daemon writes again and again. */
export interface PeriodicLog {
  /** Seconds between two lines, least and most. */
  readonly everySeconds: readonly [number, number];
  /** One of them is written each time; see `log-words.ts` for what is filled in. */
  readonly lines: readonly string[];
  /** A file that the daemon's user appends to; absent for the journal. */
  readonly to?: string;
  /** Syslog number, 0–7. */
  readonly priority: number;
}

/** One service. */
export interface ServiceSpec {
  /** With its ending: `nginx.service`. */
  readonly name: string;
  readonly description: string;
  /** ExecStart. */
  readonly command: string;
  /** The whole unit file, where the world gives it. */
  readonly unitText?: string;
  readonly unitPath: string;
  readonly user?: string;
  readonly type: 'simple' | 'exec' | 'forking' | 'notify' | 'oneshot';
  readonly restart: 'no' | 'always' | 'on-failure' | 'on-success' | 'on-abnormal';
  readonly restartSeconds?: number;
  readonly canReload: boolean;
  readonly isEnabled: boolean;
  /** It was started before the clock's start; it failed if its needs say so. */
  readonly wasStarted: boolean;
  /** How long before the clock's start; absent: at boot. */
  readonly ageMs?: number;
  readonly ports: readonly ServicePort[];
  readonly needs: readonly ServiceNeed[];
  readonly logs: {
    readonly start: readonly string[];
    readonly failure: readonly string[];
    readonly stop: readonly string[];
    readonly periodic: readonly PeriodicLog[];
  };
  /** Exit status of a start that fails. */
  readonly failStatus: number;
  /** An argument that makes the program check its configuration and end, and what it says where all is well. */
  readonly check?: { readonly argument: string; readonly says: string };
}

/** The unit file of a service. */
export function unitFileText(spec: ServiceSpec): string {
  if (spec.unitText !== undefined) return spec.unitText;
  const unit = [`Description=${spec.description}`, 'After=network.target'];
  const service = [
    ...(spec.type === 'simple' ? [] : [`Type=${spec.type}`]),
    ...(spec.user === undefined ? [] : [`User=${spec.user}`]),
    `ExecStart=${spec.command}`,
    ...(spec.canReload ? ['ExecReload=/bin/kill -HUP $MAINPID'] : []),
    ...(spec.restart === 'no' ? [] : [`Restart=${spec.restart}`]),
    ...(spec.restartSeconds === undefined ? [] : [`RestartSec=${spec.restartSeconds}`]),
  ];
  const install = ['WantedBy=multi-user.target'];
  return `[Unit]\n${unit.join('\n')}\n\n[Service]\n${service.join('\n')}\n\n[Install]\n${install.join('\n')}\n`;
}
