/**
 * Lays what services need on the disk: unit files, the links that enable them, programs, certificates, cron's folders.
 */
import { randomStream } from '../../../core/index.js';
import type { FileSystem } from '../kernel/file-system.js';
import { programContent, SystemError, toBytes } from '../kernel/index.js';
import { allServices } from '../services/boot.js';
import {
  encodeCertificate,
  encodePrivateKey,
  newModulus,
  parseSubject,
  randomBytes,
} from '../services/certificate.js';
import { CRON_SPOOL } from '../services/cron-daemon.js';
import { type ServiceSpec, unitFileText } from '../services/service-spec.js';
import { linksIn } from '../services/unit-store.js';
import { ROOT_ACTOR } from './debian-image.js';
import type { MachineFile, MachineSpec } from './machine-spec.js';

const DAEMON_BYTES = 1_186_144;
const CRONTAB = `# /etc/crontab: system-wide crontab
# Unlike any other crontab you don't have to run the \`crontab'
# command to install the new version when you edit this file
# and files in /etc/cron.d. These files also have username fields,
# that none of the other crontabs do.

SHELL=/bin/sh
PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin

# Example of job definition:
# .---------------- minute (0 - 59)
# |  .------------- hour (0 - 23)
# |  |  .---------- day of month (1 - 31)
# |  |  |  .------- month (1 - 12) OR jan,feb,mar,apr ...
# |  |  |  |  .---- day of week (0 - 6) (Sunday=0 or 7) OR sun,mon,tue,wed,thu,fri,sat
# |  |  |  |  |
# *  *  *  *  * user-name command to be executed
17 *	* * *	root	cd / && run-parts --report /etc/cron.hourly
25 6	* * *	root	test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.daily; }
47 6	* * 7	root	test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.weekly; }
52 6	1 * *	root	test -x /usr/sbin/anacron || { cd / && run-parts --report /etc/cron.monthly; }
#
`;

/** Files that come before the world's own. */
export function serviceFiles(spec: MachineSpec): readonly MachineFile[] {
  const root = { owner: 'root:root' };
  const folder = (path: string, more: Partial<MachineFile> = {}): MachineFile => ({
    path,
    kind: 'directory',
    ...root,
    ...more,
  });
  return [
    ...(spec.certificates ?? []).flatMap((one) => certificateFiles(one)),
    ...(spec.services === undefined
      ? []
      : [
          { path: '/etc/crontab', content: toBytes(CRONTAB), ...root },
          ...['hourly', 'weekly', 'monthly'].map((name) => folder(`/etc/cron.${name}`)),
          folder(CRON_SPOOL, { mode: 0o1730 }),
          folder('/lib/systemd/system'),
          folder('/etc/systemd/system/multi-user.target.wants'),
          ...allServices(spec.services).flatMap(unitFiles),
        ]),
  ];
}

function unitFiles(service: ServiceSpec): MachineFile[] {
  const text = unitFileText(service);
  const root = { owner: 'root:root' };
  const unit: MachineFile = { path: service.unitPath, content: toBytes(text), ...root };
  if (!service.isEnabled) return [unit];
  const links = linksIn(service.name, text).map(
    (path): MachineFile => ({ path, kind: 'symlink', target: service.unitPath, ...root }),
  );
  return [unit, ...links];
}

function certificateFiles(one: NonNullable<MachineSpec['certificates']>[number]): MachineFile[] {
  const { path, keyPath, notBeforeMs, notAfterMs, bits, owner } = one;
  const random = randomStream(path, 'certificate', one.subject);
  const subject = parseSubject(one.subject) ?? [];
  const issuer = one.issuer === undefined ? subject : (parseSubject(one.issuer) ?? subject);
  const modulus = newModulus(random, bits);
  const serial = randomBytes(random, 20);
  serial[0] = (serial[0] ?? 0) & 0x7f;
  const text = encodeCertificate({ subject, issuer, notBeforeMs, notAfterMs, serial, modulus }, random);
  const owned = owner === undefined ? {} : { owner };
  const file = { path, content: toBytes(text), mtimeMs: notBeforeMs, ...owned };
  if (keyPath === undefined) return [file];
  const key = toBytes(encodePrivateKey(modulus, random));
  return [file, { path: keyPath, content: key, mode: 0o600, mtimeMs: notBeforeMs, ...owned }];
}

function exists(files: FileSystem, path: string): boolean {
  try {
    return files.walk(ROOT_ACTOR, path, true).inode !== undefined;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** Programs of services that are no files yet. */
export function layDaemons(files: FileSystem, spec: MachineSpec, lay: (file: MachineFile) => void): void {
  for (const service of allServices(spec.services ?? [])) {
    const path = service.command.split(/\s+/)[0] ?? '';
    if (!path.startsWith('/') || exists(files, path)) continue;
    const folder = path.replace(/\/[^/]*$/, '');
    if (!exists(files, folder)) lay({ path: folder, kind: 'directory', owner: 'root:root' });
    files.create(ROOT_ACTOR, path, {
      kind: 'file',
      mode: 0o755,
      content: programContent(`daemon:${service.name}`, DAEMON_BYTES),
    });
  }
}
