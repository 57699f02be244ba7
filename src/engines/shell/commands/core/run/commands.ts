/**
 * The commands about processes, users and the machine, as one list.
 */
import { groups, id, logname, users, who, whoami } from '../identity/identity.js';
import { getconf, locale, tput } from '../identity/locale.js';
import { arch, hostid, hostname, nproc, tty, uname, uptime } from '../identity/machine.js';
import { stty } from '../identity/stty.js';
import { chroot, env, nice, nohup, stdbuf, timeout } from './run-others.js';
import { falseCommand, printenv, pwd, sleep, sync, tee, trueCommand, yes } from './simple.js';

/** All of them. */
export const RUN_COMMANDS = [
  ...[getconf, locale, stty, tput],
  ...[
    arch,
    chroot,
    env,
    falseCommand,
    groups,
    hostid,
    hostname,
    id,
    logname,
    nice,
    nohup,
    nproc,
    printenv,
    pwd,
  ],
  ...[sleep, stdbuf, sync, tee, timeout, trueCommand, tty, uname, uptime, users, who, whoami, yes],
];
