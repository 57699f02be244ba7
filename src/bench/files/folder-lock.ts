/**
 * One process at a time in a folder of results.
 *
 * The idea: a file that can be made only once holds the id of the process that works there. One that is left by a
 * process that has gone is taken over. Not covered: a folder that two machines share at once; there the other machine's
 * file is believed and named.
 */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { isJsonObject, parseJson, UsageError } from '../../core/index.js';

/** The file's name in the folder. */
const LOCK_FILE = 'results.lock';

const HELD = new Set<string>();

/** Takes a folder for this process; what it returns gives it back. Raises `usage/bad-argument` where it is in use. */
export function lockFolder(directory: string): () => void {
  const path = join(resolve(directory), LOCK_FILE);
  if (HELD.has(path)) throw inUse(path, process.pid);
  if (!make(path)) {
    const holder = holderOf(path);
    if (holder !== null) throw inUse(path, holder);
    rmSync(path, { force: true });
    if (!make(path)) throw inUse(path, holderOf(path));
  }
  HELD.add(path);
  return () => {
    if (HELD.delete(path)) rmSync(path, { force: true });
  };
}

function make(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(file, JSON.stringify({ pid: process.pid, host: hostname() }));
  } finally {
    closeSync(file);
  }
  return true;
}

/** The process that holds the folder; null where it has gone, or where the file was cut off by its death. */
function holderOf(path: string): string | number | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  const read = parseJson(text);
  if (!read.ok || !isJsonObject(read.value)) return null;
  const { pid, host } = read.value;
  if (typeof pid !== 'number') return null;
  if (typeof host === 'string' && host !== hostname()) return `${pid} of ${host}`;
  return pid !== process.pid && isAlive(pid) ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function inUse(path: string, holder: string | number | null): UsageError {
  const who = holder === null ? 'another process' : `process ${holder}`;
  return new UsageError(
    `${who} is writing results into this folder (${path}); wait for it, choose another folder with --out, or remove that file if no such process runs`,
    { code: 'usage/bad-argument', data: { path } },
  );
}
