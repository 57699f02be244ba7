/**
 * How large a value is, as work is counted: units of text, items and members. Covers JSON values that a rule gave,
 * which are bounded in depth and have no circles.
 */
import type { Json } from '../../../core/index.js';

/** UTF-16 units of text plus one for every value in it. */
export function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const [name, part] of Object.entries(value)) size += name.length + sizeOf(part as Json);
  return size;
}
