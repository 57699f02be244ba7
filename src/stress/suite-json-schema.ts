/**
 * The published JSON schema of suite files, made from the one schema that reading uses. Editors complete with it.
 */
import type { JsonObject } from '../core/index.js';
import { fileJsonSchema } from '../worlds/index.js';
import { SuiteFileSchema } from './suite-file.js';

/** The JSON schema of a suite file as written. The same value every time. */
export function suiteJsonSchema(): JsonObject {
  return {
    ...fileJsonSchema(SuiteFileSchema),
    title: 'Umwelt stress suite',
    description: 'Which agents meet which faults in which worlds, how often, and what each run may use.',
  };
}
