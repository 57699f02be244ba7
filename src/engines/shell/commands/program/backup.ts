/**
 * Backups that `cp`, `mv`, `ln`, `install` make of what they overwrite: `-b`, `--backup=CONTROL`, `-S SUFFIX`.
 *
 * Source: "Backup options" in the manual of coreutils.
 */
import { folderName, lastName } from './path-words.js';
import type { Tool } from './tool.js';

/** How a backup is named. */
export interface BackupRule {
  readonly kind: 'none' | 'simple' | 'existing' | 'numbered';
  readonly suffix: string;
}

/** The rule of the options; `control` is undefined where `-b` had no argument. */
export function backupRule(
  tool: Tool,
  asked: { makes: boolean; control: string | undefined; suffix: string | undefined },
): BackupRule {
  const suffix = asked.suffix ?? tool.env('SIMPLE_BACKUP_SUFFIX') ?? '~';
  const kept = suffix === '' || suffix.includes('/') ? '~' : suffix;
  if (!asked.makes && asked.suffix === undefined) return { kind: 'none', suffix: kept };
  const word = asked.control ?? tool.env('VERSION_CONTROL') ?? 'existing';
  const kind = tool.choice(
    asked.control === undefined && word !== 'existing' ? '$VERSION_CONTROL' : 'backup type',
    word,
    [
      ['none', 'off'],
      ['simple', 'never'],
      ['existing', 'nil'],
      ['numbered', 't'],
    ],
  ) as BackupRule['kind'];
  return { kind, suffix: kept };
}

/** The name that the backup of a path gets. */
export function backupName(tool: Tool, path: string, rule: BackupRule): string {
  if (rule.kind === 'simple') return path + rule.suffix;
  const name = lastName(path);
  let highest = 0;
  for (const entry of tool.proc.readdir(folderName(path))) {
    if (!entry.name.startsWith(`${name}.~`)) continue;
    const number = /^(\d+)~$/.exec(entry.name.slice(name.length + 2))?.[1];
    if (number !== undefined) highest = Math.max(highest, Number(number));
  }
  return highest === 0 && rule.kind === 'existing' ? path + rule.suffix : `${path}.~${highest + 1}~`;
}
