/**
 * Services when a machine is switched on: what Debian brings, and what the world says, started in order of their age.
 *
 * The idea: a start in the past is a start like any other. The clock is set to its moment, the service comes up or fails by
 * what it needs, and the clock goes on to the next, so status, journal and restarts at the world's start are computed.
 * Between the starts nothing runs: the clock jumps.
 */
import type { Kernel, Program } from '../kernel/index.js';
import { CRON_SPOOL, cronProgram } from './cron-daemon.js';
import { daemonProgram, writeHistory } from './daemon.js';
import type { ServiceSpec } from './service-spec.js';
import { managerOf, ServiceManager } from './supervisor.js';

/** How long a start is watched, so that restarts reach their limit: virtual microseconds. */
const WATCHED_US = 12e6;
/** The first processes of a machine with services have numbers from here on. */
const FIRST_PID = 201;

function own(
  name: string,
  description: string,
  unit: { readonly command: string; readonly text: string },
): ServiceSpec {
  return {
    name,
    description,
    command: unit.command,
    unitText: unit.text,
    unitPath: `/lib/systemd/system/${name}`,
    type: 'simple',
    restart: 'no',
    canReload: false,
    isEnabled: true,
    wasStarted: true,
    ports: [],
    needs: [],
    logs: { start: [], failure: [], stop: [], periodic: [] },
    failStatus: 1,
  };
}

const JOURNALD = '/lib/systemd/systemd-journald';
const UDEVD = '/lib/systemd/systemd-udevd';
const LOGIND = '/lib/systemd/systemd-logind';
const GETTY = '/sbin/agetty -o "-p -- \\\\u" --noclear - linux';

/** Services that every Debian 12 with systemd runs. */
const DEBIAN_SERVICES: readonly ServiceSpec[] = [
  own('systemd-journald.service', 'Journal Service', {
    command: JOURNALD,
    text: `[Unit]\nDescription=Journal Service\nDocumentation=man:systemd-journald.service(8) man:journald.conf(5)\nDefaultDependencies=no\n\n[Service]\nExecStart=${JOURNALD}\nRestart=always\nRestartSec=0\n`,
  }),
  own('systemd-udevd.service', 'Rule-based Manager for Device Events and Files', {
    command: UDEVD,
    text: `[Unit]\nDescription=Rule-based Manager for Device Events and Files\nDocumentation=man:systemd-udevd.service(8) man:udev(7)\nDefaultDependencies=no\n\n[Service]\nExecStart=${UDEVD}\nRestart=always\nRestartSec=0\n`,
  }),
  own('systemd-logind.service', 'User Login Management', {
    command: LOGIND,
    text: `[Unit]\nDescription=User Login Management\nDocumentation=man:sd-login(3)\nDocumentation=man:systemd-logind.service(8)\n\n[Service]\nExecStart=${LOGIND}\nRestart=always\nRestartSec=0\n`,
  }),
  own('getty@tty1.service', 'Getty on tty1', {
    command: GETTY,
    text: `[Unit]\nDescription=Getty on tty1\nDocumentation=man:agetty(8) man:systemd-getty-generator(8)\nAfter=systemd-user-sessions.service\n\n[Service]\nExecStart=-${GETTY}\nRestart=always\nRestartSec=0\n\n[Install]\nWantedBy=getty.target\n`,
  }),
];

/** Debian's cron; it starts when the clock does. */
const CRON_SERVICE: ServiceSpec = own('cron.service', 'Regular background program processing daemon', {
  command: '/usr/sbin/cron -f $EXTRA_OPTS',
  text: `[Unit]\nDescription=Regular background program processing daemon\nDocumentation=man:cron(8)\nAfter=remote-fs.target nss-user-lookup.target\n\n[Service]\nEnvironmentFile=-/etc/default/cron\nExecStart=/usr/sbin/cron -f $EXTRA_OPTS\nIgnoreSIGPIPE=false\nKillMode=process\nRestart=on-failure\nSyslogFacility=cron\n\n\n[Install]\nWantedBy=multi-user.target\n`,
});

/** Every service of a machine: Debian's own, except where the world gives one of the same name, and the world's. */
export function allServices(given: readonly ServiceSpec[]): readonly ServiceSpec[] {
  const names = new Set(given.map(({ name }) => name));
  return [...DEBIAN_SERVICES, CRON_SERVICE].filter(({ name }) => !names.has(name)).concat(given);
}

function programOf(unit: string): Program {
  return unit === CRON_SERVICE.name ? cronProgram : daemonProgram(unit);
}

/** Gives a machine its service manager; nothing is started. */
export function attachServices(
  kernel: Kernel,
  machine: { readonly hostname: string; readonly services?: readonly ServiceSpec[] },
): ServiceManager {
  const { hostname, services } = machine;
  return new ServiceManager(kernel, {
    hostname,
    services: services === undefined ? undefined : allServices(services),
    daemon: programOf,
  });
}

/** Starts what was started before the world's start. */
export function bootServices(
  kernel: Kernel,
  moment: { readonly startUs: number; readonly bootUs: number },
): void {
  const manager = managerOf(kernel);
  if (!manager.knowsServices) {
    if (hasCronTables(kernel)) startCron(kernel, true);
    return;
  }
  const { startUs, bootUs } = moment;
  kernel.nextPid = Math.max(kernel.nextPid, FIRST_PID);
  const clock = kernel.clock;
  clock.nowUs = bootUs;
  const atUs = ({ ageMs }: ServiceSpec): number =>
    Math.max(bootUs, ageMs === undefined ? bootUs : startUs - ageMs * 1000);
  const specs = (manager.parts.services ?? []).filter(({ name }) => name !== CRON_SERVICE.name);
  for (const spec of specs) manager.unit(spec.name);
  const started = specs.filter(({ wasStarted }) => wasStarted).sort((one, other) => atUs(one) - atUs(other));
  manager.isPast = true;
  for (const spec of started) {
    if (atUs(spec) > clock.nowUs) kernel.jumpClock(atUs(spec) - clock.nowUs);
    const unit = manager.unit(spec.name);
    if (unit !== undefined) manager.start(unit);
    kernel.nextPid += 3;
    runAlone(kernel, Math.min(startUs, clock.nowUs + WATCHED_US));
  }
  kernel.jumpClock(startUs - clock.nowUs);
  manager.isPast = false;
  for (const spec of started) {
    const main = kernel.processes.get(manager.unit(spec.name)?.mainPid ?? 0);
    if (main !== undefined) writeHistory(main, spec, Math.max(atUs(spec), bootUs));
  }
  manager.journal.sort();
  if (manager.specOf(CRON_SERVICE.name)?.wasStarted === true) startCron(kernel, true);
  kernel.nextPid += 100;
}

/** Starts cron where it does not run; for machines whose services nobody knows. */
export function startCron(kernel: Kernel, isBoot: boolean): void {
  const manager = managerOf(kernel);
  manager.isBooting = isBoot;
  const unit = manager.unit(CRON_SERVICE.name);
  if (unit !== undefined) manager.start(unit);
  else if (![...kernel.processes.values()].some((one) => one.comm === 'cron')) {
    const root = { uid: 0, gid: 0, groups: [0], ppid: 1, cwdIno: 2, umask: 0o022 };
    const proc = kernel.start({ argv: ['/usr/sbin/cron', '-f'], env: new Map(), ...root }, cronProgram);
    proc.exe = '/usr/sbin/cron';
  }
}

function hasCronTables(kernel: Kernel): boolean {
  const root = { uid: 0, gid: 0, groups: [0], cwdIno: 2, umask: 0o022 };
  const { files } = kernel;
  return ['/etc/cron.d', CRON_SPOOL].some((folder) => {
    const { inode } = files.walk(root, folder, true);
    return inode?.kind === 'directory' && files.entriesOf(inode).length > 0;
  });
}

function runAlone(kernel: Kernel, untilUs: number): void {
  const steps = kernel.run(untilUs);
  while (steps.next({ do: 'proceed' }).done !== true);
}
