/**
 * Outputs that a log only names: long answers that an agent's program saved in a file of its own.
 *
 * The idea: the way that the log writes down belongs to another machine; what counts is its end (`tool-results/x.txt`). It
 * is looked for beside the log and above it, never outside the folder that was given to be imported, not through links that
 * lead out of it, and up to a size. What is not found stays what the log has of it.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { LIMITS } from '../../core/index.js';

/** Gives the text of the file that a note of a saved output names, where it is there. */
export type SavedOutputs = (note: string) => string | undefined;

const NAMED =
  /(?:Full output saved (?:to|in|at)|For full output see|full output is saved (?:to|in|at)|saved to): *([^\n]{1,4000})/i;
/** How many parts of the way are compared. */
const LONGEST_TAIL = 5;

/** Looks for the saved outputs of the log at `path`, inside `root`. */
export function openSavedOutputs(path: string, root: string): SavedOutputs {
  return (note) => {
    const named = NAMED.exec(note.slice(0, 8_000))?.[1]?.trim();
    if (named === undefined) return undefined;
    const parts = named.split(/[/\\]+/).filter((part) => part !== '' && part !== '.' && part !== '..');
    for (const folder of foldersUp(dirname(resolve(path)), resolve(root))) {
      for (let size = Math.min(parts.length, LONGEST_TAIL); size > 0; size--) {
        const text = readInside(join(folder, ...parts.slice(-size)), root);
        if (text !== undefined) return text;
      }
    }
    return undefined;
  };
}

function foldersUp(from: string, root: string): readonly string[] {
  const folders: string[] = [];
  for (
    let at = from;
    at === root || at.startsWith(root.endsWith(sep) ? root : root + sep);
    at = dirname(at)
  ) {
    folders.push(at);
    if (at === root) break;
  }
  return folders;
}

function readInside(path: string, root: string): string | undefined {
  try {
    const whole = realpathSync(path);
    const top = realpathSync(root);
    const facts = statSync(whole);
    const isInside = whole.startsWith(top.endsWith(sep) ? top : top + sep);
    if (!isInside || !facts.isFile() || facts.size > LIMITS.importedTrajectoryChars) return undefined;
    return readFileSync(whole, 'utf8');
  } catch {
    return undefined;
  }
}
