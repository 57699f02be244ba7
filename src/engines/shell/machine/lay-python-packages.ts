/**
 * Python packages of the system at the start, as Debian lays them below `/usr/lib/python3/dist-packages`.
 *
 * What the world's index knows of a version is taken from there; of others only name and version are known.
 */
import { packageFiles } from '../commands/packages/package-files.js';
import { compareVersions, packageKey } from '../commands/packages/versions.js';
import { toBytes } from '../kernel/index.js';
import type { PythonRelease } from '../kernel/package-index.js';
import type { MachineFile, MachineSpec } from './machine-spec.js';

const FOLDER = '/usr/lib/python3/dist-packages';
const UNKNOWN_BYTES = 150_000;

/** Their files. */
export function pythonPackageFiles({ packageIndex, pythonPackages = {} }: MachineSpec): MachineFile[] {
  const pip = packageIndex?.pip;
  const index = pip === undefined || pip === 'offline' ? {} : pip;
  return Object.entries(pythonPackages).flatMap(([name, version]) => {
    const known = Object.entries(index).find(([key]) => packageKey(key) === packageKey(name));
    const release =
      known?.[1].find((one) => compareVersions(one.version, version) === 0) ?? unknown(name, version);
    return packageFiles(known?.[0] ?? name, release).map(
      ({ path, text, sizeBytes }): MachineFile => ({
        path: `${FOLDER}/${path}`,
        owner: 'root:root',
        ...(sizeBytes === 0 ? { content: toBytes(text) } : { sizeBytes }),
      }),
    );
  });
}

function unknown(name: string, version: string): PythonRelease {
  return {
    version,
    sizeBytes: UNKNOWN_BYTES,
    installedBytes: UNKNOWN_BYTES,
    requires: [],
    summary: '',
    tags: 'py3-none-any',
    module: name.replace(/[-.]+/g, '_').toLowerCase(),
  };
}
