#!/usr/bin/env node
/**
 * Writes what real programs print for `--help` and `--version` as a TypeScript table: facts of output, not prose of ours.
 *
 * Usage: node scripts/record-tool-help.mjs ROOT PROGRAM… > src/engines/shell/commands/tools/help-texts.ts
 * ROOT is a Debian 12 root (see record-shell-cases.mjs). Standard output and standard error are joined.
 */
import { execFileSync } from 'node:child_process';

const [root, ...programs] = process.argv.slice(2);
if (root === undefined || programs.length === 0) {
  console.error('usage: record-tool-help.mjs ROOT PROGRAM…');
  process.exit(2);
}
const shown = (program, option) =>
  execFileSync(
    'chroot',
    [root, 'bash', '-c', `LC_ALL=C.UTF-8 ${program} ${option} 2>&1 </dev/null || true`],
    {
      encoding: 'utf8',
    },
  );
const quoted = (text) => {
  const inner = JSON.stringify(text).slice(1, -1);
  return inner.includes("'") ? `"${inner}"` : `'${inner.replaceAll('\\"', '"')}'`;
};
const lines = programs.map((program) => {
  const key = /^[a-z]\w*$/.test(program) ? program : `'${program}'`;
  return `  ${key}: { help: ${quoted(shown(program, '--help'))}, version: ${quoted(shown(program, '--version'))} },`;
});
console.log(`/**
 * What Debian 12's programs print for \`--help\` and \`--version\`. Written by \`scripts/record-tool-help.mjs\`; not edited.
 */

const TEXTS: Readonly<Record<string, { readonly help: string; readonly version: string }>> = {
${lines.join('\n')}
};

/** The texts of a program; empty ones for a program that is not in the table. */
export function helpText(program: string): { readonly help: string; readonly version: string } {
  return (Object.hasOwn(TEXTS, program) ? TEXTS[program] : undefined) ?? { help: '', version: '' };
}`);
