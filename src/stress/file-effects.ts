/**
 * What a turn did to the files of a machine, as effects like those of rows: collection `files`, keyed by path.
 *
 * An effect holds the size, a hash and the beginning of the text, so that a record stays small. Scratch folders and the
 * histories that programs keep are left out: nobody asks what became of them.
 * Not covered: owners and times; files whose content the machine's view does not hold count by size and mode only.
 */
import { hashText, isJsonObject, type Json, type JsonObject } from '../core/index.js';
import type { RowEffect } from './row-effects.js';

/** The name of the collection. */
export const FILES = 'files';

/** UTF-16 units kept of a text. */
const TEXT_UNITS = 300;
const SCRATCH = /^\/(?:tmp|var\/tmp|dev|proc|sys|run)\/|\/\.(?:\w+_history|viminfo|lesshst|cache\/.*)$/;

/** The files that differ between two views of a machine, in the order of their paths. Pure. */
export function diffFiles(before: Json, after: Json): Omit<RowEffect, 'turn'>[] {
  const [old, now] = [entriesOf(before), entriesOf(after)];
  if (old === null || now === null) return [];
  const paths = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return paths.flatMap((key): Omit<RowEffect, 'turn'>[] => {
    if (SCRATCH.test(key)) return [];
    const [was, is] = [fileAt(before, old, key), fileAt(after, now, key)];
    if (was === null)
      return is === null ? [] : [{ change: 'created', collection: FILES, key, after: shown(is) }];
    if (is === null) return [{ change: 'deleted', collection: FILES, key, before: shown(was) }];
    if (was.text === is.text && was.size === is.size && was.mode === is.mode) return [];
    return [{ change: 'updated', collection: FILES, key, before: shown(was), after: shown(is) }];
  });
}

interface FileFacts {
  readonly path: string;
  readonly size: Json;
  readonly mode: Json;
  readonly text: string | null;
}

function entriesOf(view: Json): JsonObject | null {
  return isJsonObject(view) && isJsonObject(view.files) && isJsonObject(view.entries) ? view.entries : null;
}

/** A file as a view has it; null for folders and for what is not there. */
function fileAt(view: Json, entries: JsonObject, path: string): FileFacts | null {
  const entry = Object.hasOwn(entries, path) ? entries[path] : undefined;
  if (!isJsonObject(entry) || entry.kind !== 'file') return null;
  const files = isJsonObject(view) && isJsonObject(view.files) ? view.files : {};
  const text = Object.hasOwn(files, path) ? files[path] : undefined;
  return {
    path,
    size: entry.size ?? null,
    mode: entry.mode ?? null,
    text: typeof text === 'string' ? text : null,
  };
}

function shown({ path, size, mode, text }: FileFacts): JsonObject {
  return {
    path,
    size,
    mode,
    ...(text !== null && { hash: hashText(text).slice(0, 16), text: text.slice(0, TEXT_UNITS) }),
  };
}
