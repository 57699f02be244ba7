/**
 * The folder that an expansion writes: `expand.json` (what was asked for), one file for each child, `manifest.jsonl`,
 * `rejected.jsonl` and, at the end, `summary.json`.
 *
 * A child's file is complete before its line is written, and lines are written in one order, so a run that was
 * stopped anywhere leaves valid files and goes on where it was. Half a line at an end is cut off.
 */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  canonicalJson,
  DataError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseJson,
  renderJson,
  UsageError,
} from '../../core/index.js';

const SETTINGS = 'expand.json';
const MANIFEST = 'manifest.jsonl';
const REJECTED = 'rejected.jsonl';

/** The folder of one expansion. */
export class ExpandFolder {
  /** Lines of an earlier run with the same settings, by `parent candidate`. */
  readonly known: ReadonlyMap<string, JsonObject>;

  /**
   * Opens a folder, new or of an earlier run. Raises `usage/bad-argument` for a folder with other settings or other
   * content, and `data/invalid` for damaged lines before the last.
   */
  constructor(
    readonly path: string,
    settings: JsonObject,
  ) {
    mkdirSync(path, { recursive: true });
    const file = join(path, SETTINGS);
    if (existsSync(file)) {
      const before = parseJson(readFileSync(file, 'utf8'));
      if (!before.ok || canonicalJson(before.value) !== canonicalJson(settings))
        throw otherSettings(path, settings, before);
    } else {
      const [there] = readdirSync(path).filter((name) => !name.startsWith('.'));
      if (there !== undefined) {
        const message = `${path} holds ${there} and is no folder of an expansion; choose an empty or new folder for --out`;
        throw new UsageError(message, { code: 'usage/bad-argument', data: { path } });
      }
      this.put(SETTINGS, `${renderJson(settings, 2)}\n`);
    }
    this.known = new Map([...this.read(MANIFEST), ...this.read(REJECTED)].map((line) => [keyOf(line), line]));
  }

  /** True if a child's file is there. */
  has(file: string): boolean {
    return existsSync(join(this.path, file));
  }

  /** Writes a file so that it is whole or not there. */
  put(file: string, text: string): void {
    const path = join(this.path, file);
    writeFileSync(`${path}.part`, text);
    renameSync(`${path}.part`, path);
  }

  /** Adds a line for a child that was kept, or was rejected. */
  note(kind: 'kept' | 'rejected', line: JsonObject): void {
    appendFileSync(join(this.path, kind === 'kept' ? MANIFEST : REJECTED), `${renderJson(line)}\n`);
  }

  /** Makes sure that both lists of lines exist, and that nothing half-written is left. */
  finish(): void {
    for (const name of [MANIFEST, REJECTED]) appendFileSync(join(this.path, name), '');
    for (const name of readdirSync(this.path)) if (name.endsWith('.part')) rmSync(join(this.path, name));
  }

  private read(name: string): JsonObject[] {
    const path = join(this.path, name);
    if (!existsSync(path)) return [];
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf(0x0a) + 1;
    if (end < bytes.length) truncateSync(path, end);
    return bytes
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .slice(0, -1)
      .map((text, index) => {
        const line = parseJson(text);
        if (line.ok && isJsonObject(line.value)) return line.value;
        throw new DataError(`${path}:${index + 1} is no JSON line; take the folder away and expand anew`, {
          code: 'data/invalid',
          data: { path, line: index + 1 },
        });
      });
  }
}

/** Names a candidate among those of all seed worlds. */
export function candidateKey(parent: string, candidate: number): string {
  return `${parent} ${candidate}`;
}

function keyOf(line: JsonObject): string {
  return candidateKey(String(line.parent), Number(line.candidate));
}

function otherSettings(
  path: string,
  settings: JsonObject,
  before: { readonly ok: boolean; readonly value?: Json },
): UsageError {
  const old = before.ok && isJsonObject(before.value) ? before.value : {};
  const differs = Object.keys(settings).filter(
    (key) => canonicalJson(settings[key] ?? null) !== canonicalJson(old[key] ?? null),
  );
  const message = `${path} holds an expansion with another ${differs.join(', ')}; choose another folder for --out`;
  return new UsageError(message, { code: 'usage/bad-argument', data: { path, differs } });
}
