/**
 * What `/proc/meminfo` says, in KiB, with what procps makes of it.
 */
import { textNow } from '../../program/accounts.js';
import type { Tool } from '../../program/tool.js';

/** Memory in KiB. */
export interface MemoryFacts {
  readonly total: number;
  readonly used: number;
  readonly free: number;
  readonly shared: number;
  readonly buffers: number;
  /** The page cache with reclaimable slabs. */
  readonly cache: number;
  readonly available: number;
  readonly swapTotal: number;
  readonly swapFree: number;
  readonly active: number;
  readonly inactive: number;
  readonly commitLimit: number;
}

/** Reads the machine's memory. */
export function memoryFacts(tool: Tool): MemoryFacts {
  const text = textNow(tool.proc, '/proc/meminfo');
  const of = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const total = of('MemTotal');
  const available = of('MemAvailable');
  return {
    total,
    available,
    used: total - available,
    free: of('MemFree'),
    shared: of('Shmem'),
    buffers: of('Buffers'),
    cache: of('Cached') + of('SReclaimable'),
    swapTotal: of('SwapTotal'),
    swapFree: of('SwapFree'),
    active: of('Active'),
    inactive: of('Inactive'),
    commitLimit: of('CommitLimit') || Math.floor(total / 2),
  };
}

/** The load of the last 1, 5 and 15 minutes as `/proc/loadavg` has it. */
export function loadText(tool: Tool): string {
  return textNow(tool.proc, '/proc/loadavg').split(' ').slice(0, 3).join(', ') || '0.00, 0.00, 0.00';
}

/** How long the machine is up, in seconds. */
export function upSeconds(tool: Tool): number {
  return Math.floor(Number(/^[\d.]+/.exec(textNow(tool.proc, '/proc/uptime'))?.[0] ?? 0));
}

/** `3 days,  1:12`, as `uptime`, `w` and `top` say it. */
export function upText(seconds: number): string {
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  const dayText = days > 0 ? `${days} day${days === 1 ? '' : 's'}, ` : '';
  return (
    dayText +
    (hours > 0 ? `${String(hours).padStart(2)}:${String(minutes).padStart(2, '0')}` : `${minutes} min`)
  );
}
