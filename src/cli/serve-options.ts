/**
 * Flags of `umwelt serve` that bound and log: `--quota`, `--log-level`, `--log-file`.
 */
import { openSync, writeSync } from 'node:fs';
import { UsageError } from '../core/index.js';
import { createServiceLog, LOG_LEVELS, QUOTA_KINDS, type Quota, type ServiceLog } from '../server/index.js';
import { type FlagValues, textFlag } from './command.js';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `--quota`; empty where it is not given. Raises `usage/bad-argument` with the part that is wrong. */
export function quotasOf(flags: FlagValues): readonly Quota[] {
  const text = textFlag(flags, 'quota');
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const match = /^\s*([a-z]+)=(\d{1,12})\/(\d{1,6})([smhd])\s*$/.exec(part);
    const what = QUOTA_KINDS.find((kind) => kind === match?.[1]);
    const most = Number(match?.[2] ?? 0);
    const windowMs = Number(match?.[3] ?? 0) * (UNITS[match?.[4] ?? ''] ?? 0);
    if (what !== undefined && most > 0 && windowMs > 0) return { what, most, windowMs };
    const wanted = `WHAT=N/WINDOW, for example steps=600/1m; WHAT is one of ${QUOTA_KINDS.join(', ')}, WINDOW ends in s, m, h or d`;
    throw new UsageError(`--quota holds ${JSON.stringify(part.trim())}; wanted ${wanted}`, {
      code: 'usage/bad-argument',
    });
  });
}

/** The log that the flags ask for. Raises `usage/bad-argument` for a file that cannot be written. */
export function logOf(flags: FlagValues): ServiceLog {
  const level = LOG_LEVELS.find((one) => one === textFlag(flags, 'log-level'));
  const path = textFlag(flags, 'log-file');
  if (path === undefined) return createServiceLog(process.stderr, level ?? 'warn');
  const fd = openLog(path);
  return createServiceLog({ write: (line) => writeSync(fd, line) }, level ?? 'info');
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`--log-file cannot be written: ${why}`, { code: 'usage/bad-argument', cause });
  }
}
