/**
 * `basename`, `dirname`, `readlink`, `realpath`, `pathchk` of coreutils 9.1.
 *
 * Source: their manual pages.
 */
import { SystemError, toBytes } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { folderName, lastName } from '../../program/path-words.js';
import { type Existing, relativePath, resolvePath } from '../../program/resolve-path.js';
import { plainTool, systemError } from '../../program/tool.js';

const BASENAME = defineOptions('a,multiple s,suffix: z,zero');
const DIRNAME = defineOptions('z,zero');
const READLINK = defineOptions(
  'f,canonicalize e,canonicalize-existing m,canonicalize-missing n,no-newline q,quiet s,silent v,verbose z,zero',
);
const REALPATH = defineOptions(
  'e,canonicalize-existing m,canonicalize-missing L,logical P,physical q,quiet s,strip,no-symlinks z,zero relative-to: relative-base:',
);
const PATHCHK = defineOptions('p P portability');

/** The command `basename`. */
export const basename = plainTool('basename', (tool) => {
  let many = false;
  let suffix: string | undefined;
  let end = '\n';
  for (const { key, value } of tool.options(BASENAME, { stop: true })) {
    if (key === 's') suffix = value;
    if (key === 'a' || key === 's') many = true;
    if (key === 'z') end = '\0';
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  if (!many) tool.noMoreThan(2);
  const cut = suffix ?? (many ? undefined : tool.operands[1]) ?? '';
  for (const path of many ? tool.operands : tool.operands.slice(0, 1)) {
    const name = lastName(path);
    const shown =
      cut !== '' && name !== cut && name !== '/' && name.endsWith(cut) ? name.slice(0, -cut.length) : name;
    tool.out(shown + end);
  }
});

/** The command `dirname`. */
export const dirname = plainTool('dirname', (tool) => {
  let end = '\n';
  for (const { key } of tool.options(DIRNAME)) if (key === 'z') end = '\0';
  if (tool.operands.length === 0) tool.usage('missing operand');
  for (const path of tool.operands) tool.out(folderName(path) + end);
});

/** The command `readlink`. */
export const readlink = plainTool('readlink', (tool) => {
  let existing: Existing | undefined;
  let newline = true;
  let verbose = false;
  let end = '\n';
  for (const { key } of tool.options(READLINK)) {
    if (key === 'f') existing = 'all-but-last';
    if (key === 'e') existing = 'all';
    if (key === 'm') existing = 'none';
    if (key === 'n') newline = false;
    if (key === 'v') verbose = true;
    if (key === 'q' || key === 's') verbose = false;
    if (key === 'z') end = '\0';
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  if (tool.operands.length > 1 && !newline) {
    tool.warn('ignoring --no-newline with multiple arguments');
    newline = true;
  }
  for (const path of tool.operands) {
    try {
      const target =
        existing === undefined ? tool.proc.readlink(path) : resolvePath(tool.proc, path, { existing });
      tool.out(target + (newline ? end : ''));
    } catch (error) {
      const { text } = systemError(error);
      tool.status = 1;
      if (verbose) tool.warn(`${tool.path(path)}: ${text}`);
    }
  }
});

/** The command `realpath`. */
export const realpath = plainTool('realpath', (tool) => {
  let existing: Existing = 'all-but-last';
  let logical = false;
  let followLinks = true;
  let quiet = false;
  let end = '\n';
  let to: string | undefined;
  let base: string | undefined;
  for (const { key, value } of tool.options(REALPATH)) {
    if (key === 'e') existing = 'all';
    if (key === 'm') existing = 'none';
    if (key === 'L') logical = true;
    if (key === 's') {
      followLinks = false;
      logical = true;
    }
    if (key === 'P') {
      followLinks = true;
      logical = false;
    }
    if (key === 'q') quiet = true;
    if (key === 'z') end = '\0';
    if (key === 'relative-to') to = value;
    if (key === 'relative-base') base = value;
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  const resolve = (path: string): string => resolvePath(tool.proc, path, { existing, followLinks, logical });
  const folder = (path: string | undefined): string | undefined => {
    if (path === undefined) return undefined;
    try {
      const found = resolve(path);
      if (existing !== 'none' && tool.proc.stat(found).kind !== 'directory')
        throw new SystemError('ENOTDIR', path);
      return found;
    } catch (error) {
      return tool.die(`${tool.path(path)}: ${systemError(error).text}`);
    }
  };
  const isBelow = (path: string, above: string): boolean =>
    above === '/' || path === above || path.startsWith(`${above}/`);
  let from = folder(to);
  const floor = folder(base);
  let isAbsolute = false;
  if (floor !== undefined) {
    if (from === undefined) from = floor;
    else if (!isBelow(from, floor)) isAbsolute = true;
  }
  for (const path of tool.operands) {
    try {
      const found = resolve(path);
      const shown =
        from === undefined || isAbsolute || (floor !== undefined && !isBelow(found, floor))
          ? found
          : relativePath(found, from);
      tool.out(shown + end);
    } catch (error) {
      if (quiet) tool.status = 1;
      else tool.failed(error, path);
    }
  }
});

/** The command `pathchk`. */
export const pathchk = plainTool('pathchk', (tool) => {
  let basic = false;
  let extra = false;
  for (const { key } of tool.options(PATHCHK)) {
    if (key === 'p' || key === 'portability') basic = true;
    if (key === 'P' || key === 'portability') extra = true;
  }
  if (tool.operands.length === 0) tool.usage('missing operand');
  for (const path of tool.operands) {
    const names = path.split('/').filter((name) => name !== '');
    if (extra && names.some((name) => name.startsWith('-'))) {
      tool.fail(`leading '-' in a component of file name ${tool.named(path)}`);
      continue;
    }
    if ((basic || extra) && path === '') {
      tool.fail('empty file name');
      continue;
    }
    if (basic) {
      const bad = /[^A-Za-z0-9._\-/]/u.exec(path)?.[0];
      if (bad !== undefined)
        tool.fail(`nonportable character ${tool.quote(bad)} in file name ${tool.named(path)}`);
      else {
        const long = names.find((name) => name.length > 14);
        if (path.length > 255)
          tool.fail(`limit 255 exceeded by length ${path.length} of file name ${tool.named(path)}`);
        else if (long !== undefined)
          tool.fail(`limit 14 exceeded by length ${long.length} of file name component ${tool.quote(long)}`);
      }
      continue;
    }
    try {
      tool.proc.lstat(path);
    } catch (error) {
      const failure = systemError(error);
      const long = names.find((name) => toBytes(name).length > 255);
      if (long !== undefined)
        tool.fail(
          `limit 255 exceeded by length ${toBytes(long).length} of file name component ${tool.quote(long)}`,
        );
      else if (failure.code !== 'ENOENT' || path === '') tool.fail(`${tool.path(path)}: ${failure.text}`);
    }
  }
});
