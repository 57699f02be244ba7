/**
 * The commands about files, as one list.
 */
import { chmod } from './chmod.js';
import { chgrp, chown } from './chown.js';
import { cp } from './cp.js';
import { dd } from './dd.js';
import { df } from './df.js';
import { du } from './du.js';
import { install } from './install.js';
import { ln } from './ln.js';
import { dir, ls, vdir } from './ls.js';
import { link, mkfifo, mknod, mktemp, truncate, unlink } from './make.js';
import { mkdir, rmdir } from './mkdir.js';
import { mv } from './mv.js';
import { basename, dirname, pathchk, readlink, realpath } from './paths.js';
import { rm } from './rm.js';
import { stat } from './stat.js';
import { touch } from './touch.js';

/** All of them. */
export const FILE_COMMANDS = [
  ...[
    basename,
    chgrp,
    chmod,
    chown,
    cp,
    dir,
    dirname,
    ln,
    ls,
    mkdir,
    mv,
    pathchk,
    readlink,
    realpath,
    rm,
    rmdir,
  ],
  ...[stat, touch, vdir, dd, df, du, install, link, mkfifo, mknod, mktemp, truncate, unlink],
];
