/**
 * Sizes in world files: bytes, or a number with a unit of 1024.
 */
import { z } from 'zod';

/** `512M`, `20G` or bytes. */
export const SizeSchema = z.union([
  z.int().positive(),
  z.string().regex(/^\d+(\.\d+)?[KMGT]?$/, 'must be a size such as 512M or 20G'),
]);
const UNITS: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** In bytes. */
export function bytesOf(size: number | string): number {
  if (typeof size === 'number') return size;
  const unit = UNITS[size.slice(-1)];
  return unit === undefined ? Number(size) : Math.round(Number(size.slice(0, -1)) * unit);
}
