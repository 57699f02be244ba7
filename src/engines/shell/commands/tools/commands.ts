/**
 * The commands of the other packages (grep, sed, awk, find, diff, tar, jq, procps, …), as one list.
 */
import type { Command } from '../../kernel/index.js';
import { git } from '../git/main.js';
import { BZIP2_COMMANDS } from './archive/bzip2.js';
import { GZIP_COMMANDS } from './archive/gzip.js';
import { tar } from './archive/tar.js';
import { unzip, zipinfo } from './archive/unzip.js';
import { XZ_COMMANDS } from './archive/xz.js';
import { Z_SCRIPTS } from './archive/z-scripts.js';
import { zip } from './archive/zip.js';
import { AWK_COMMANDS } from './awk/awk.js';
import { bc } from './calc/bc.js';
import { dc } from './calc/dc.js';
import { cal, ncal } from './calendar/cal.js';
import { column } from './columns/column.js';
import { cmp } from './diff/cmp.js';
import { diff } from './diff/diff.js';
import { hd, hexdump } from './dump/hexdump.js';
import { strings } from './dump/strings.js';
import { xxd } from './dump/xxd.js';
import { file } from './filetype/file.js';
import { find } from './find/find.js';
import { which } from './find/which.js';
import { xargs } from './find/xargs.js';
import { GREP_COMMANDS } from './grep/grep.js';
import { jq } from './jq/jq.js';
import { curl } from './network/curl.js';
import { nc } from './network/nc.js';
import { netstat } from './network/netstat.js';
import { ss } from './network/ss.js';
import { wget } from './network/wget.js';
import { patch } from './patch/patch.js';
import { free } from './procs/free.js';
import { killall, pidof } from './procs/killall.js';
import { pgrep, pkill } from './procs/pgrep.js';
import { ps } from './procs/ps.js';
import { top, vmstat, w } from './procs/top.js';
import { sed } from './sed/sed.js';
import { getent, look, man, mountpoint, whereis } from './system/look-ups.js';
import { less, more } from './system/pager.js';
import { flock, logger, setsid, su, sudo, uuidgen } from './system/small-programs.js';
import { TOLD_PROGRAMS } from './system/told-programs.js';
import { watch } from './system/watch.js';
import { clear, reset } from './terminal/clear.js';
import { rev } from './tree/rev.js';
import { tree } from './tree/tree.js';
import { envsubst } from './words/envsubst.js';

/** All of them. */
export const TOOL_COMMANDS: readonly Command[] = [
  ...AWK_COMMANDS,
  git,
  ...GREP_COMMANDS,
  clear,
  column,
  curl,
  nc,
  netstat,
  ss,
  wget,
  ...Z_SCRIPTS,
  ...TOLD_PROGRAMS,
  watch,
  file,
  flock,
  getent,
  less,
  logger,
  look,
  man,
  more,
  mountpoint,
  setsid,
  su,
  sudo,
  uuidgen,
  whereis,
  ps,
  free,
  killall,
  pidof,
  pgrep,
  pkill,
  top,
  vmstat,
  w,
  unzip,
  zip,
  zipinfo,
  ...BZIP2_COMMANDS,
  ...XZ_COMMANDS,
  bc,
  dc,
  cal,
  ncal,
  hd,
  hexdump,
  envsubst,
  xxd,
  strings,
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
