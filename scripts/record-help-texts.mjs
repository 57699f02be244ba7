/**
 * Records what `--help` and `--version` of the real commands print, and how large their binaries are, as data.
 *
 * Run on Debian 12: `node scripts/record-help-texts.mjs OUT.ts NAME...`; without names, those of coreutils. The program's
 * name is replaced by the character U+0001, which the engine replaces by the name the command was called by.
 */
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { argv } from 'node:process';

const DEFAULT_OUT = 'src/engines/shell/commands/program/help-texts.ts';
const COREUTILS =
  `[ arch b2sum base32 base64 basename basenc cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df
dir dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum
mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pr printenv printf ptx pwd readlink realpath
rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac
tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink uptime users vdir wc who whoami yes
hostname clear tput reset getconf locale dircolors`.split(/\s+/);

/** What the program prints for one option; its own name becomes U+0001. */
function printed(path, name, option) {
  const result = spawnSync(path, [option], {
    argv0: name === '[' ? '[' : 'PROGRAM-NAME',
    encoding: 'utf8',
    env: { LANG: 'C.UTF-8', PATH: '/usr/bin:/bin' },
    timeout: 5000,
  });
  return (result.stdout ?? '').replaceAll('PROGRAM-NAME', name === '[' ? '[' : '\u0001');
}

/** Where the binary is, or undefined. */
function binary(name) {
  for (const folder of ['/usr/bin', '/usr/sbin']) {
    try {
      return { path: `${folder}/${name}`, sizeBytes: statSync(`${folder}/${name}`).size };
    } catch {
      // not there
    }
  }
  return undefined;
}

const [out = DEFAULT_OUT, ...given] = argv.slice(2);
const rows = [];
for (const name of given.length > 0 ? given : COREUTILS) {
  const found = binary(name);
  if (found === undefined) {
    console.error(`${name}: not installed here, left out`);
    continue;
  }
  const fields = [
    name,
    found.sizeBytes,
    printed(found.path, name, '--help'),
    printed(found.path, name, '--version'),
  ];
  rows.push(`  ${JSON.stringify(fields.join('\u0002'))},`);
}
writeFileSync(
  out,
  `/**
 * What \`--help\` and \`--version\` of the real commands print in Debian 12, and the sizes of their binaries: data recorded
 * by \`scripts/record-help-texts.mjs\`. U+0001 stands for the name a command was called by.
 */

/** What is recorded of one command. */
export interface HelpText {
  readonly help: string;
  readonly version: string;
  readonly sizeBytes: number;
}

/** Name, size, help and version, with U+0002 between them. */
const ROWS = [
${rows.join('\n')}
];

/** By the command's name. */
export const HELP_TEXTS: Readonly<Record<string, HelpText>> = Object.fromEntries(
  ROWS.map((row) => {
    const [name = '', size = '0', help = '', version = ''] = row.split('\\u0002');
    return [name, { sizeBytes: Number(size), help, version }];
  }),
);
`,
);
