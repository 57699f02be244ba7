/**
 * `mkdir` and `rmdir` of coreutils 9.1.
 *
 * Source: mkdir(1), rmdir(1).
 */
import { SystemError } from '../../../kernel/index.js';
import { mayAccessPath } from '../../program/access.js';
import { applyMode, type ModeChanges, readMode } from '../../program/file-mode.js';
import { defineOptions } from '../../program/options.js';
import { isLinkWithSlash, removeFolder } from '../../program/remove-folder.js';
import { plainTool, systemError, type Tool } from '../../program/tool.js';

const MKDIR = defineOptions('m,mode: p,parents v,verbose Z context::');
const RMDIR = defineOptions('ignore-fail-on-non-empty p,parents,path v,verbose');

/** Makes a folder and, where asked, those above it; says what it made. False, with a message, where that fails. */
export function makeFolder(
  tool: Tool,
  path: string,
  how: { parents: boolean; verbose: boolean; mode: ModeChanges | undefined; word?: string },
): boolean {
  const { proc } = tool;
  const created = (made: string): void => {
    if (how.verbose) tool.out(`${tool.name}: ${how.word ?? 'created'} directory ${tool.named(made)}\n`);
  };
  const failed = (made: string, error: unknown): false => {
    tool.fail(`cannot create directory ${tool.quote(made)}: ${systemError(error).text}`);
    return false;
  };
  if (how.parents) {
    const pieces = path.split('/');
    let above = path.startsWith('/') ? '/' : '';
    const names = pieces.filter((name) => name !== '');
    for (const name of names.slice(0, -1)) {
      above += (above === '' || above.endsWith('/') ? '' : '/') + name;
      try {
        proc.mkdir(above, 0o777);
        proc.chmod(above, (proc.stat(above).mode & 0o7777) | 0o300);
        created(above);
      } catch (error) {
        const failure = systemError(error);
        if (failure.code === 'EEXIST') {
          const isFolder = proc.exists(above) && proc.stat(above).kind === 'directory';
          if (!isFolder) return failed(above, new SystemError('ENOTDIR'));
          if (!mayAccessPath(proc, above, 1)) return failed(above, new SystemError('EACCES'));
          continue;
        }
        if (failure.code !== 'EROFS' || !proc.exists(above)) return failed(above, error);
      }
    }
  }
  try {
    proc.mkdir(path, 0o777);
  } catch (error) {
    const failure = systemError(error);
    if (how.parents && failure.code === 'EEXIST' && proc.exists(path) && proc.stat(path).kind === 'directory')
      return true;
    return failed(path, error);
  }
  if (how.mode !== undefined)
    proc.chmod(path, applyMode(0o777, how.mode, { isDirectory: true, umask: proc.umask }));
  created(path);
  return true;
}

/** The command `mkdir`. */
export const mkdir = plainTool('mkdir', (tool) => {
  let mode: string | undefined;
  let parents = false;
  let verbose = false;
  for (const { key, value } of tool.options(MKDIR)) {
    if (key === 'm') mode = value;
    if (key === 'p') parents = true;
    if (key === 'v') verbose = true;
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  const changes = mode === undefined ? undefined : readMode(mode);
  if (mode !== undefined && changes === undefined) tool.die(`invalid mode ${tool.quote(mode)}`);
  for (const path of tool.operands) makeFolder(tool, path, { parents, verbose, mode: changes });
});

/** The command `rmdir`. */
export const rmdir = plainTool('rmdir', (tool) => {
  let parents = false;
  let verbose = false;
  let ignores = false;
  for (const { key } of tool.options(RMDIR)) {
    if (key === 'p') parents = true;
    if (key === 'v') verbose = true;
    if (key === 'ignore-fail-on-non-empty') ignores = true;
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  const remove = (path: string, what: string): boolean => {
    if (verbose) tool.out(`${tool.name}: removing directory, ${tool.named(path)}\n`);
    try {
      removeFolder(tool.proc, path);
      return true;
    } catch (error) {
      const failure = systemError(error);
      if (ignores && (failure.code === 'ENOTEMPTY' || failure.code === 'EEXIST')) return false;
      if (failure.code === 'ENOTDIR' && path.endsWith('/')) {
        if (isLinkWithSlash(tool.proc, path)) {
          tool.fail(`failed to remove ${tool.named(path)}: Symbolic link not followed`);
          return false;
        }
      }
      tool.fail(`failed to remove ${what}${tool.named(path)}: ${failure.text}`);
      return false;
    }
  };
  for (const path of tool.operands) {
    if (!remove(path, '') || !parents) continue;
    let above = path.replace(/\/+$/, '');
    for (;;) {
      const slash = above.lastIndexOf('/');
      if (slash < 0) break;
      above = above.slice(0, slash).replace(/\/+$/, '');
      if (above === '' || !remove(above, 'directory ')) break;
    }
  }
});
