/**
 * Seeded files: content that fits the extension, and the folders that hold the files.
 *
 * Not covered: binary content; images and the like hold a short text.
 */
import type { Json, JsonObject, RandomStream } from '../../../core/index.js';
import type { Collection } from '../service.js';
import { valueFor } from './values.js';

/** Gives generated file rows fitting content and adds rows for their folders where the collection tells them apart. */
export function fileRows(
  collection: Collection,
  rows: readonly JsonObject[],
  streamOf: (index: number) => RandomStream,
): JsonObject[] {
  const typed = Object.hasOwn(collection.fields, 'type');
  const files = rows.map((row, index): JsonObject => {
    const content = contentFor(String(row.path ?? ''), streamOf(index));
    return { ...row, ...(typed ? { type: 'file' } : {}), content };
  });
  if (!typed) return files;
  const folders = new Map<string, JsonObject>();
  for (const row of files) {
    for (const path of foldersOf(String(row.path ?? ''))) {
      const scope = Object.fromEntries(
        collection.scope.map((field): [string, Json] => [field, row[field] ?? null]),
      );
      folders.set(JSON.stringify([scope, path]), { path, ...scope, type: 'directory' });
    }
  }
  return [...folders.values(), ...files];
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1, -1).map((_, i) => parts.slice(0, i + 2).join('/'));
}

function contentFor(path: string, random: RandomStream): string {
  const text = (name: string): string => String(valueFor({ name, schema: { type: 'string' } }, { random }));
  const extension = /\.([a-z]+)$/.exec(path)?.[1];
  if (extension === 'md')
    return `# ${text('title')}\n\n${text('body')}\n\n- ${text('title')}\n- ${text('title')}\n`;
  if (extension === 'json') {
    const value = {
      name: text('slug'),
      enabled: random.chance(0.5),
      retries: random.integer(1, 5),
      owner: text('username'),
    };
    return `${JSON.stringify(value, null, 2)}\n`;
  }
  if (extension === 'csv') {
    const lines = Array.from(
      { length: 5 },
      (_, i) => `${i + 1},${text('fullname')},${random.integer(10, 900)}`,
    );
    return `id,name,amount\n${lines.join('\n')}\n`;
  }
  return `${text('title')}\n\n${text('body')}\n`;
}
