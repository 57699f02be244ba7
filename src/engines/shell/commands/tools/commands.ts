/**
 * The commands of the other packages (grep, sed, awk, find, diff, tar, jq, procps, …), as one list.
 */
import type { Command } from '../../kernel/index.js';

/** All of them. */
export const TOOL_COMMANDS: readonly Command[] = [];
