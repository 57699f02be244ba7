/**
 * Reads the lines of a model script: what a scripted model says, as JSONL.
 *
 * One entry a line: `{"text": …}` or `{"error": …}`, with `match` where it answers only some questions. Empty lines
 * are skipped. Source: contracts, "Model SPEC". Not covered: finding the file (room `cli`).
 */
import { z } from 'zod';
import { DataError, fail, ok, parseJson, type Result } from '../core/index.js';

const Match = z.union([z.string().min(1), z.strictObject({ pattern: z.string().min(1) })]);

/** One thing a scripted model says: a text, or a failure of the provider. */
export const ScriptEntrySchema = z.union([
  z.strictObject({ match: Match.optional(), text: z.string(), reasoning: z.string().optional() }),
  z.strictObject({ match: Match.optional(), error: z.string().min(1) }),
]);

/** One thing a scripted model says. `match` is a substring, or a linear-time pattern. */
export type ScriptEntry = z.infer<typeof ScriptEntrySchema>;

/** One recorded answer of a model: what was asked (as a key) and what came. */
export const ModelRecordSchema = z.union([
  z.strictObject({ key: z.string(), text: z.string(), reasoning: z.string().optional() }),
  z.strictObject({ key: z.string(), error: z.string().min(1) }),
]);

/** One recorded answer of a model. */
export type ModelRecord = z.infer<typeof ModelRecordSchema>;

/** Reads a script, text or lines. Fails with `data/invalid`, naming the line and what was wanted. */
export function parseScript(lines: string | Iterable<string>): Result<readonly ScriptEntry[], DataError> {
  return parseEntries(lines, ScriptEntrySchema, '{"match"?: …, "text": …} or {"match"?: …, "error": …}');
}

/** Reads recorded answers, text or lines. Fails with `data/invalid`, naming the line and what was wanted. */
export function parseModelRecords(
  lines: string | Iterable<string>,
): Result<readonly ModelRecord[], DataError> {
  return parseEntries(lines, ModelRecordSchema, '{"key": …, "text": …} or {"key": …, "error": …}');
}

function parseEntries<T>(
  lines: string | Iterable<string>,
  schema: z.ZodType<T>,
  wanted: string,
): Result<readonly T[], DataError> {
  const entries: T[] = [];
  let number = 0;
  for (const line of typeof lines === 'string' ? lines.split('\n') : lines) {
    number++;
    if (line.trim() === '') continue;
    const json = parseJson(line);
    const read = json.ok ? schema.safeParse(json.value) : undefined;
    if (read?.success !== true) {
      const why = json.ok ? 'has other keys or values' : `is not JSON (${json.error.message})`;
      return fail(
        new DataError(`line ${number} ${why}: ${line.slice(0, 200)}. Each line must be ${wanted}`, {
          code: 'data/invalid',
          data: { line: number, wanted },
        }),
      );
    }
    entries.push(read.data);
  }
  return ok(entries);
}
