/**
 * Files that code knows in a world of a coding agent: what was written is read back, what was removed is gone.
 *
 * Known are texts that the agent wrote or edited itself (see the memory of asked worlds). A reading of such a file must show
 * its lines, in order, whatever stands before them (line numbers); with an offset or a limit only some of them, but no other
 * version of a line that a number names. A removed file must not be read. Not covered: what commands do to files; after a
 * command the file counts as known until it is read or written again.
 */
import { isJsonObject, type JsonObject } from '../../core/index.js';
import { soundsLikeFailure } from '../computed-refusal.js';
import type { GuardContext, GuardFinding } from './finding.js';

const READS = /(?:^|[_-])(?:read|view|cat|open|show)(?:[_-]|$)|^(?:read|view)/i;
const PATHS = ['path', 'file_path', 'filePath', 'filename', 'absolute_path', 'target_file'];
const PARTS = ['offset', 'limit', 'start_line', 'end_line', 'view_range', 'line_range'];

/** Looks at what a reading of a file answers. */
export function findFileLies(text: string, { op, view }: GuardContext): readonly GuardFinding[] {
  const args: JsonObject = isJsonObject(op.args) ? op.args : {};
  const files = isJsonObject(view) && isJsonObject(view.files) ? view.files : {};
  const path = PATHS.map((name) => args[name]).find((value) => typeof value === 'string');
  if (typeof path !== 'string' || !READS.test(op.name) || !Object.hasOwn(files, path)) return [];
  const known = files[path];
  if (known === null) {
    return soundsLikeFailure(text) ? [] : [lie(`${path} was removed; it cannot be read`)];
  }
  if (typeof known !== 'string' || PARTS.some((name) => (args[name] ?? null) !== null)) return [];
  if (soundsLikeFailure(text) && !soundsLikeFailure(known)) return [lie(`${path} is there; it can be read`)];
  const rows = text.split('\n');
  let at = 0;
  for (const line of known.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const found = rows.findIndex((row, index) => index >= at && row.trimEnd().endsWith(line));
    if (found < 0)
      return [lie(`${path} has the line ${brief(line)}, which the answer does not show in its place`)];
    at = found + 1;
  }
  return [];
}

function lie(problem: string): GuardFinding {
  return { check: 'contradiction', problem, finally: 'flag' };
}

function brief(line: string): string {
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 79)}…` : line);
}
