/**
 * The hardware and kernel that every machine pretends to be: what `uname`, `free`, `nproc` and `/proc` say.
 */

/** Memory in KiB. */
const MEMORY = {
  total: 4_026_312,
  free: 2_713_544,
  available: 3_518_420,
  buffers: 41_236,
  cached: 948_112,
} as const;
const PROCESSORS = 2;
const RELEASE = '6.1.0-18-amd64';
const BUILD = '#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)';

function processorText(index: number): string {
  const rows: readonly (readonly [string, string])[] = [
    ['processor\t', String(index)],
    ['vendor_id\t', 'GenuineIntel'],
    ['cpu family\t', '6'],
    ['model\t\t', '85'],
    ['model name\t', 'Intel(R) Xeon(R) CPU @ 2.20GHz'],
    ['cpu MHz\t\t', '2200.000'],
    ['cache size\t', '56320 KB'],
    ['cpu cores\t', String(PROCESSORS)],
  ];
  return `${rows.map(([name, value]) => `${name}: ${value}\n`).join('')}\n`;
}

/** The facts. */
export const MACHINE_FACTS = {
  release: RELEASE,
  build: BUILD,
  version: `Linux version ${RELEASE} (debian-kernel@lists.debian.org) (gcc-12 (Debian 12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40) ${BUILD}`,
  processors: PROCESSORS,
  cpuinfo: Array.from({ length: PROCESSORS }, (_, index) => processorText(index)).join(''),
  memory: MEMORY,
  /** How long the machine was up when its clock started. */
  bootedSeconds: 86_400 * 3 + 4_321,
} as const;

/** The text of `/proc/meminfo`. */
export function meminfoText(): string {
  const rows: readonly (readonly [string, number])[] = [
    ['MemTotal', MEMORY.total],
    ['MemFree', MEMORY.free],
    ['MemAvailable', MEMORY.available],
    ['Buffers', MEMORY.buffers],
    ['Cached', MEMORY.cached],
    ['SwapCached', 0],
    ['Active', 421_880],
    ['Inactive', 712_004],
    ['SwapTotal', 0],
    ['SwapFree', 0],
    ['Dirty', 12],
    ['Shmem', 1_124],
    ['Slab', 98_240],
  ];
  return rows.map(([name, kib]) => `${`${name}:`.padEnd(16)}${String(kib).padStart(8)} kB\n`).join('');
}
