/**
 * Interpreters of other languages, as one list.
 */
import type { Command } from '../../kernel/index.js';
import { node } from './node.js';
import { python3 } from './python3.js';

/** All of them. */
export const GUEST_COMMANDS: readonly Command[] = [node, python3];
