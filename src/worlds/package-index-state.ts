/**
 * `state.index` of a terminal world: what its machine could install.
 *
 * Source: decision 0400. Not covered: indexes of apt and npm.
 */
import { z } from 'zod';
import { type MachineSpec, PYTHON_CATALOGUE } from '../engines/index.js';
import { bytesOf, SizeSchema } from './size.js';

const PythonVersion = z.strictObject({
  size: SizeSchema.optional().describe('Of the download. Default 50K.'),
  installed: SizeSchema.optional().describe('Unpacked. Default: four times the download.'),
  requires: z.array(z.string().min(1)).default([]).describe('Such as "idna<4,>=2.5".'),
  summary: z.string().default(''),
  tags: z
    .string()
    .regex(/^[\w.]+-[\w.]+-[\w.]+$/, 'must be the tags of a wheel')
    .default('py3-none-any'),
  module: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'must be the name of a module')
    .optional(),
  files: z
    .record(z.string().regex(/^(?!\/)(?!.*\.\.)[\w./-]+$/, 'must be a path below the library'), z.string())
    .optional()
    .describe('Sources. Without them importing it is a question to the model.'),
});

/** Schema of the index. */
export const IndexSchema = z.strictObject({
  pip: z
    .union([
      z.enum(['catalogue', 'offline']),
      z.record(
        z.string().regex(/^[A-Za-z0-9][\w.-]*$/, 'must be the name of a package'),
        z.record(z.string().regex(/^\d[\w.]*$/, 'must be a version'), PythonVersion),
      ),
    ])
    .describe(
      'Name → version → what it is; `catalogue` for a small usual index, `offline` for none in reach.',
    ),
});

/** The index of Python packages, in the engine's form. */
export function pipIndex(
  given: z.infer<typeof IndexSchema>['pip'],
): NonNullable<MachineSpec['packageIndex']>['pip'] {
  if (given === 'offline') return 'offline';
  if (given === 'catalogue') return PYTHON_CATALOGUE;
  const entries = Object.entries(given).map(([name, versions]) => {
    const releases = Object.entries(versions).map(([version, one]) => {
      const sizeBytes = one.size === undefined ? 51_200 : bytesOf(one.size);
      const { requires, summary, tags, files, module = name.replace(/[-.]+/g, '_').toLowerCase() } = one;
      const installedBytes = one.installed === undefined ? sizeBytes * 4 : bytesOf(one.installed);
      const release = { version, sizeBytes, installedBytes, requires, summary, tags, module };
      return files === undefined ? release : { ...release, files };
    });
    return [name, releases] as const;
  });
  return Object.fromEntries(entries);
}
