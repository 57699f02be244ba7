/**
 * Which programs a foreign machine has without having shown it, and which tell what only that machine knows.
 */
import { CORE_COMMANDS } from '../commands/core/commands.js';

/** On every Debian and Ubuntu, slim images included: coreutils, and what essential packages bring. */
const OTHERS =
  'bash sh dash grep egrep fgrep sed awk mawk find xargs diff cmp tar gzip gunzip zcat which hostname clear reset mktemp tempfile';

/** What such programs say depends on the machine, its kernel or its versions. */
const TELLERS =
  'uname nproc arch hostid df du free uptime ps top w who users vmstat getconf locale stty tput tty logname lscpu man getent env printenv sync pinky dmesg pgrep pidof killall pkill';

const essential: ReadonlySet<string> = new Set([
  ...CORE_COMMANDS.map(({ name }) => name),
  ...OTHERS.split(' '),
]);
const tellers: ReadonlySet<string> = new Set(TELLERS.split(' '));

/** True where a program needs no proof of being installed. */
export function isEssential(name: string): boolean {
  return essential.has(name);
}

/** True where a program's output is not decided by files and arguments. */
export function tellsOfMachine(name: string): boolean {
  return tellers.has(name);
}

/** Words of a command line whose value is the machine's own affair. */
export const MACHINE_WORDS =
  /(?:^|\s)(?:--version|--help|-V)(?=\s|$)|\$\{?(?:BASH_VERS|MACHTYPE|OSTYPE|HOSTTYPE|BASHPID|PPID|EPOCH|RANDOM|SECONDS|SRANDOM|\$|!)|(?:^|[\s;&|])(?:ulimit|help|history|alias|shopt|set|times|bind|jobs -l|enable|declare|export|compgen|complete)(?=\s*(?:$|[;&|\n]))/;
