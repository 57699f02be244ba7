/**
 * Where `cp`, `mv`, `ln`, `install` put things: `SOURCE DEST`, `SOURCE... DIRECTORY`, `-t DIRECTORY`, `-T`.
 *
 * Source: "Target directory" in the manual of coreutils, messages of 9.1.
 */
import type { Tool } from '../../program/tool.js';

/** What is to be done: sources, and the file or folder they go to. */
export interface Destination {
  readonly sources: readonly string[];
  readonly target: string;
  /** Each source keeps its last name inside the target. */
  readonly isFolder: boolean;
}

/** What the options said. */
export interface DestinationOptions {
  readonly targetFolder: string | undefined;
  readonly noTargetFolder: boolean;
  /** `ln` makes a link here where only one operand is given. */
  readonly linksHere?: boolean;
  /** `ln -n`: a link to a folder is no folder. */
  readonly noFollow?: boolean;
  /** `install -D` makes the folders itself. */
  readonly makesFolders?: boolean;
}

function isFolder(tool: Tool, path: string, options: DestinationOptions): boolean {
  try {
    return (options.noFollow === true ? tool.proc.lstat(path) : tool.proc.stat(path)).kind === 'directory';
  } catch {
    return false;
  }
}

/** Finds out what the operands mean; wrong ones end the program. */
export function destination(tool: Tool, options: DestinationOptions): Destination {
  const { operands } = tool;
  const { targetFolder, noTargetFolder } = options;
  const [first] = operands;
  const minimum = targetFolder !== undefined || options.linksHere === true ? 1 : 2;
  if (operands.length < minimum || (noTargetFolder && operands.length < 2)) {
    if (first === undefined) return tool.usage('missing file operand');
    return tool.usage(`missing destination file operand after ${tool.named(first)}`);
  }
  if (noTargetFolder) {
    if (targetFolder !== undefined)
      return tool.die('cannot combine --target-directory (-t) and --no-target-directory (-T)');
    if (operands.length > 2) return tool.usage(`extra operand ${tool.named(operands[2] ?? '')}`);
    return { sources: [operands[0] ?? ''], target: operands[1] ?? '', isFolder: false };
  }
  if (targetFolder !== undefined) {
    if (!isFolder(tool, targetFolder, { ...options, noFollow: false }) && options.makesFolders !== true) {
      const why = tool.proc.exists(targetFolder) ? 'Not a directory' : 'No such file or directory';
      const what = options.makesFolders === undefined ? 'target directory' : 'failed to access';
      return tool.die(`${what} ${tool.named(targetFolder)}: ${why}`);
    }
    return { sources: operands, target: targetFolder, isFolder: true };
  }
  if (operands.length === 1) return { sources: operands, target: '.', isFolder: true };
  const last = operands[operands.length - 1] ?? '';
  if (isFolder(tool, last, options)) return { sources: operands.slice(0, -1), target: last, isFolder: true };
  if (operands.length > 2) {
    const why = tool.proc.exists(last) ? 'Not a directory' : 'No such file or directory';
    return tool.die(`target ${tool.named(last)}: ${why}`);
  }
  return { sources: operands.slice(0, -1), target: last, isFolder: false };
}
