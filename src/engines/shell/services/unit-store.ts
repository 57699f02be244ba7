/**
 * Unit files on the disk: where a unit is read from, whether it is enabled, and the links that say so.
 *
 * Source: systemd.unit(5) "UNIT FILE LOAD PATH", systemctl(1) `enable`. Everything is a file of the machine, so `cat`, `ln`
 * and `rm` do what they do there. Not covered: generators, presets other than "enabled", aliases.
 */
import { type Process, SystemError } from '../kernel/index.js';
import { readWhole } from './needs.js';
import { parseUnitFile } from './unit-file.js';

/** Where administrators' units and links are. */
export const ADMIN_UNITS = '/etc/systemd/system';
const FOLDERS = [ADMIN_UNITS, '/run/systemd/system', '/lib/systemd/system'];

/** A unit file that was found. */
export interface FoundUnit {
  readonly path: string;
  /** Its text with its drop-ins behind it; null where it is masked. */
  readonly text: string | null;
  /** The files behind it. */
  readonly dropIns: readonly string[];
}

/** The file of a unit; null where there is none. Reads as the process given. */
export function findUnit(proc: Process, name: string): FoundUnit | null {
  const template = name.replace(/@[^.]*\./, '@.');
  for (const candidate of name === template ? [name] : [name, template]) {
    for (const folder of FOLDERS) {
      const path = `${folder}/${candidate}`;
      if (isLinkToNull(proc, path)) return { path, text: null, dropIns: [] };
      const text = textAt(proc, path);
      if (text === null) continue;
      const dropIns = FOLDERS.flatMap((place) => namesIn(proc, `${place}/${name}.d`, '.conf'));
      const parts = [text, ...dropIns.map((one) => textAt(proc, one) ?? '')];
      return { path, text: parts.join('\n'), dropIns };
    }
  }
  return null;
}

function textAt(proc: Process, path: string): string | null {
  const inode = proc.find(path);
  if (inode?.kind !== 'file') return null;
  try {
    return readWhole(proc, path);
  } catch (error) {
    if (error instanceof SystemError) return null;
    throw error;
  }
}

function isLinkToNull(proc: Process, path: string): boolean {
  try {
    return proc.lstat(path).kind === 'symlink' && proc.readlink(path) === '/dev/null';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function namesIn(proc: Process, folder: string, ending: string): string[] {
  try {
    const names = proc.readdir(folder).map(({ name }) => name);
    return names
      .filter((name) => name.endsWith(ending))
      .sort()
      .map((name) => `${folder}/${name}`);
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

/** The names of all services that have a file. */
export function unitNames(proc: Process): string[] {
  const paths = FOLDERS.flatMap((folder) => namesIn(proc, folder, '.service'));
  return [...new Set(paths.map((path) => path.replace(/^.*\//, '')))].sort();
}

/** What `is-enabled` says. */
export type EnabledState = 'enabled' | 'disabled' | 'static' | 'masked';

/** Whether a unit is started at boot. */
export function enabledState(proc: Process, name: string, found: FoundUnit): EnabledState {
  if (found.text === null) return 'masked';
  const links = linksIn(name, found.text);
  if (links.length === 0) return 'static';
  return links.some((path) => isLink(proc, path)) ? 'enabled' : 'disabled';
}

function isLink(proc: Process, path: string): boolean {
  try {
    return proc.lstat(path).kind === 'symlink';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

/** The paths of the links that enable a unit of this text; none where it has no `[Install]`. */
export function linksIn(name: string, text: string): readonly string[] {
  const install = parseUnitFile(text).get('Install');
  const words = (key: string): string[] => (install?.get(key) ?? []).flatMap((one) => one.split(/\s+/));
  return [
    ...words('WantedBy').map((target) => `${ADMIN_UNITS}/${target}.wants/${name}`),
    ...words('RequiredBy').map((target) => `${ADMIN_UNITS}/${target}.requires/${name}`),
    ...words('Alias').map((alias) => `${ADMIN_UNITS}/${alias}`),
  ];
}
