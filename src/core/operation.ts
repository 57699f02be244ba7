/**
 * An operation: the smallest thing that an engine does and that can be answered, delayed or broken from outside.
 *
 * An engine's run yields operations; the Host sees each before and after it happens, and answers those the engine
 * cannot compute.
 */
import { z } from 'zod';
import type { Json } from './json.js';

/** The kinds of operations. */
export const OPERATION_KINDS = [
  'tool.call',
  'tool.item',
  'data.read',
  'data.write',
  'proc.start',
  'file.read',
  'file.write',
  'http.request',
] as const;

/** One of {@link OPERATION_KINDS}. */
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** Checks that a string is one of {@link OPERATION_KINDS}. */
export const OperationKindSchema = z.enum(OPERATION_KINDS);

/** One operation of a running engine. */
export interface Operation {
  readonly kind: OperationKind;
  /** The tool, command or method, for example `issue_create`. */
  readonly name: string;
  /** What it works on: a collection, path or URL, where there is one. */
  readonly target?: string;
  /** The arguments as the engine understood them. */
  readonly args: Json;
  /** Position in a batch, from 0, for `tool.item`. */
  readonly index?: number;
  /**
   * What the answer may depend on beside the arguments, as a fingerprint: equal marks mean an equal state. Given by engines
   * whose state changes in the middle of a step. Never shown to a model.
   */
  readonly stateMark?: string;
}
