/**
 * Cases of shell parity: a command, the files it ran among, and what a real shell did with it.
 *
 * A file of cases is JSON lines; `setups.json` beside it holds the files, the environment and the clock of each
 * setup by name. `scripts/record-shell-cases.mjs` records them. Fields that this reader does not know are kept out.
 */
import { z } from 'zod';
import { DataError, parseJson } from '../../core/index.js';

const SetupFileSchema = z.object({
  content: z.string().optional(),
  base64: z.string().optional(),
  mode: z
    .string()
    .regex(/^[0-7]{3,4}$/)
    .optional(),
  link: z.string().optional(),
  directory: z.boolean().optional(),
  mtime: z.string().optional(),
});

const SetupSchema = z.object({
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  files: z.record(z.string(), SetupFileSchema),
  mtime: z.string(),
  uid: z.number().int(),
  user: z.string(),
});

const CaseSchema = z.object({
  id: z.string(),
  family: z.string(),
  command: z.string(),
  setup: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  exit_code: z.number().int(),
  merged: z.string().optional(),
});

/** One file of a setup: text, bytes, a symbolic link or a folder; modes are octal texts, times ISO 8601. */
export type SetupFile = z.infer<typeof SetupFileSchema>;
/** Where commands run: folder, environment, user, and files by path below the folder. */
export type ParitySetup = z.infer<typeof SetupSchema>;
/** A command and what a real shell did with it; `merged` is both outputs in the order they came, where it tells. */
export type ParityCase = z.infer<typeof CaseSchema>;

/** Reads `setups.json`. Raises `data/invalid` naming the place. */
export function readParitySetups(text: string, name: string): ReadonlyMap<string, ParitySetup> {
  const json = parseJson(text);
  if (!json.ok)
    throw new DataError(`${name} is not JSON; it must be an object of setups by name`, {
      code: 'data/invalid',
    });
  return new Map(Object.entries(checked(z.record(z.string(), SetupSchema), json.value, name)));
}

/** Reads the cases of a file and checks that each names a setup. Raises `data/invalid` naming the line. */
export function readParityCases(
  text: string,
  name: string,
  setups: ReadonlyMap<string, ParitySetup>,
): readonly ParityCase[] {
  const cases: ParityCase[] = [];
  text.split('\n').forEach((line, at) => {
    if (line.trim() === '') return;
    const where = `${name} line ${at + 1}`;
    const json = parseJson(line);
    if (!json.ok)
      throw new DataError(`${where} is not JSON; each line is one case`, { code: 'data/invalid' });
    const one = checked(CaseSchema, json.value, where);
    if (!setups.has(one.setup)) {
      const known = [...setups.keys()].join(', ');
      const message = `${where} names the setup ${one.setup}, which setups.json does not have (it has ${known})`;
      throw new DataError(message, { code: 'data/invalid' });
    }
    cases.push(one);
  });
  return cases;
}

function checked<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  throw new DataError(`${where}: ${path}: ${issue?.message ?? 'invalid'}`, { code: 'data/invalid' });
}
