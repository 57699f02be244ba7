/**
 * A folder with one file for each event of a conversation, read as one stream in the order of the events' numbers.
 *
 * The idea: such a store (OpenHands: `events/0.json`, `events/1.json` …) is one log that lies in many files; file by file
 * it would be as many conversations without answers. Line feeds inside a file are blanks of its JSON and become spaces,
 * so that every event is one line. Not covered: other files in the folder, which are left out.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const EVENT_FILE = /^(?:event-)?(\d{1,12})(?:-[\w-]{1,80})?\.json$/;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;

/** The files of events of a folder, in order; none where it is no such folder. */
export function eventFiles(folder: string): readonly string[] {
  if (basename(folder) !== 'events') return [];
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const numbered = names.flatMap((name) => {
    const found = EVENT_FILE.exec(name);
    return found === null ? [] : [{ name, number: Number(found[1]) }];
  });
  numbered.sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  return numbered.map(({ name }) => join(folder, name));
}

/** Bytes of all files together, and the time of the last change. */
export function eventFolderFacts(folder: string): { readonly size: number; readonly mtimeMs: number } {
  let size = 0;
  let { mtimeMs } = statSync(folder);
  for (const path of eventFiles(folder)) {
    const facts = statSync(path);
    size += facts.size;
    mtimeMs = Math.max(mtimeMs, facts.mtimeMs);
  }
  return { size, mtimeMs };
}

/** One line for each event. Raises what the file system raises. */
export async function* readEventFolder(folder: string): AsyncGenerator<Uint8Array, void, undefined> {
  for (const path of eventFiles(folder)) {
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === LINE_FEED || bytes[at] === RETURN) bytes[at] = SPACE;
    }
    yield bytes;
    yield Uint8Array.of(LINE_FEED);
  }
}
