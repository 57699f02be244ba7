/**
 * Walking folders for `chmod -R`, `chown -R`, `du`: parents before or after what is in them.
 */
import type { Inode, Running } from '../../kernel/index.js';
import { joinPath } from './path-words.js';
import { systemError, type Tool } from './tool.js';

/** One thing of a walk. */
export interface Visit {
  readonly path: string;
  readonly inode: Inode;
  readonly isOperand: boolean;
}

/** What a walk does. */
export interface Walker {
  /** Called for everything, folders before their contents. False leaves a folder's contents out. */
  visit(visit: Visit): boolean;
  /** Called where something cannot be looked at. */
  unseen(path: string, message: string): void;
  /** Called where a folder cannot be listed. */
  unlisted(path: string, message: string): void;
}

/** Walks a path. Links are followed where `follow` says so. */
export function* walkTree(
  tool: Tool,
  path: string,
  walker: Walker,
  how: { recursive: boolean; follow: 'never' | 'operands' | 'always' },
): Running<void> {
  yield* walkOne(tool, { path, isOperand: true }, walker, how);
}

function* walkOne(
  tool: Tool,
  at: { path: string; isOperand: boolean },
  walker: Walker,
  how: { recursive: boolean; follow: 'never' | 'operands' | 'always' },
): Running<void> {
  const { path, isOperand } = at;
  const follows = how.follow === 'always' || (how.follow === 'operands' && isOperand);
  let inode: Inode;
  try {
    inode = follows ? tool.proc.stat(path) : tool.proc.lstat(path);
  } catch (error) {
    walker.unseen(path, systemError(error).text);
    return;
  }
  if (!walker.visit({ path, inode, isOperand }) || !how.recursive || inode.kind !== 'directory') return;
  let names: string[];
  try {
    names = tool.proc.readdir(path).map((entry) => entry.name);
  } catch (error) {
    walker.unlisted(path, systemError(error).text);
    return;
  }
  for (const name of names) {
    tool.proc.tick(3);
    if (tool.io.mustDrain) yield* tool.io.drain();
    yield* walkOne(tool, { path: joinPath(path, name), isOperand: false }, walker, how);
  }
}
