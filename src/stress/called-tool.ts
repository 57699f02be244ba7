/**
 * Which tool an action calls and what for, read quickly: the budget of repeats asks it of every turn.
 */
import type { World } from '../worlds/index.js';
import { callTarget } from './verdict/call-target.js';
import { readAction } from './world-reference.js';

/** The tool of an action (empty where it is none), and for a failed one what the call was about. */
export function calledBy(
  world: World,
  action: string,
  isError: boolean,
): { readonly tool: string; readonly target?: string } {
  const tool = toolOf(action);
  if (!isError) return { tool };
  const read = readAction(world, action);
  return read.kind === 'tool-call'
    ? { tool, target: callTarget(world, read.name, read.arguments) }
    : { tool };
}

/** The tool that an action names, as far as can be told cheaply; else the empty text. */
function toolOf(action: string): string {
  return (
    /^\s*\{\s*"name"\s*:\s*"([^"\\]*)"/.exec(action)?.[1] ??
    /"name"\s*:\s*"([^"\\]*)"/.exec(action)?.[1] ??
    ''
  );
}
