/**
 * One temporary folder for all tests of a run, removed when they have ended, whatever a test leaves in it.
 *
 * The idea: `os.tmpdir()` of the test processes, and of the programs that they start, is this folder, so no test has to
 * remember. Not covered: a test run that is killed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variables that name the folder on POSIX and on Windows. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'] as const;

/** Vitest calls this once before the tests of a project; what it returns removes the folder. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'umwelt-tests-'));
  for (const name of VARIABLES) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
