/**
 * The commands of the other packages (grep, sed, awk, find, diff, tar, jq, procps, …), as one list.
 */
import type { Command } from '../../kernel/index.js';
import { GZIP_COMMANDS } from './archive/gzip.js';
import { tar } from './archive/tar.js';
import { AWK_COMMANDS } from './awk/awk.js';
import { cmp } from './diff/cmp.js';
import { diff } from './diff/diff.js';
import { find } from './find/find.js';
import { which } from './find/which.js';
import { xargs } from './find/xargs.js';
import { GREP_COMMANDS } from './grep/grep.js';
import { jq } from './jq/jq.js';
import { patch } from './patch/patch.js';
import { sed } from './sed/sed.js';
import { clear, reset } from './terminal/clear.js';
import { rev } from './tree/rev.js';
import { tree } from './tree/tree.js';

/** All of them. */
export const TOOL_COMMANDS: readonly Command[] = [
  ...AWK_COMMANDS,
  ...GREP_COMMANDS,
  clear,
  ...GZIP_COMMANDS,
  cmp,
  diff,
  find,
  jq,
  patch,
  reset,
  rev,
  sed,
  tar,
  tree,
  which,
  xargs,
];
