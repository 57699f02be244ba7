/**
 * The commands of coreutils, as one list.
 */
import type { Command } from '../../kernel/index.js';
import { echo } from './echo.js';

/** All of them. */
export const CORE_COMMANDS: readonly Command[] = [echo];
