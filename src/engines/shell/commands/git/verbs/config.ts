/**
 * `config`.
 */
import type { Git } from '../git.js';
import {
  changeSection,
  changeSetting,
  normalKey,
  parseKey,
  readSettings,
  type SettingChange,
  truthOf,
} from '../store/config.js';
import { type Parsed, parseOptions, usageError } from '../work/options.js';

/** Sets a value of the repository's own settings. */
export function setConfig(git: Git, key: string, value: string, change: SettingChange['do'] = 'set'): void {
  const path = `${git.repo.gitDir}/config`;
  const text = changeSetting(git.files.textIfThere(path) ?? '', key, {
    do: change === 'add' ? 'add' : 'replace-all',
    value,
  });
  git.files.write(path, text);
  git.reloadSettings();
}

const OPTIONS =
  'global system local worktree f|file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section remove-section l|list ' +
  'fixed-value e|edit get-color get-colorbool t|type= bool int bool-or-int bool-or-str path expiry-date z|null name-only includes show-origin show-scope default=';

/** `git config`. Returns the exit status. */
export function config(git: Git, args: readonly string[]): number {
  const line = parseOptions(git, args, OPTIONS);
  const scope = line.has('global')
    ? 'global'
    : line.has('system')
      ? 'system'
      : line.has('local')
        ? 'local'
        : undefined;
  const actions = [
    'get',
    'get-all',
    'get-regexp',
    'replace-all',
    'add',
    'unset',
    'unset-all',
    'rename-section',
    'remove-section',
    'list',
    'edit',
  ].filter((name) => line.has(name));
  if (actions.length > 1) {
    git.error('only one action at a time');
    usageError(git);
  }
  const [action] = actions;
  const [key = '', value, pattern] = line.operands;
  if (scope === undefined || scope === 'local') git.repoIfAny();
  if (scope === 'local' && git.repoIfAny() === undefined)
    git.die('--local can only be used inside a git repository');
  if (action === 'edit') git.die('interactive use is not possible here');
  if (action === 'list') return list(git, line, scope);
  if (action === 'rename-section' || action === 'remove-section') return section(git, line, scope);
  if (action === undefined && line.operands.length === 0) usageError(git);
  if (action === 'get-regexp') return getPattern(git, line, scope);
  checkKey(git, key);
  if (action === 'get' || action === 'get-all' || (action === undefined && line.operands.length === 1))
    return get(git, line, scope, key);
  if (action === 'unset' || action === 'unset-all')
    return change(git, line, scope, { key, change: { do: action } });
  if (value === undefined) usageError(git);
  const made = typed(git, line, key, value);
  const kind = action === 'add' || action === 'replace-all' ? action : 'set';
  return change(git, line, scope, {
    key,
    change: { do: pattern === undefined ? kind : 'replace-all', value: made },
  });
}

function checkKey(git: Git, key: string): void {
  if (!key.includes('.')) git.fail(`key does not contain a section: ${key}`, 1);
  if (key.endsWith('.')) git.fail(`key does not contain variable name: ${key}`, 2);
  if (parseKey(key) === undefined) git.fail(`invalid key: ${key}`, 1);
}

function shownValue(git: Git, line: Parsed, value: string | null): string {
  const type = line.value('type') ?? ['bool', 'int', 'path', 'bool-or-int'].find((name) => line.has(name));
  if (type === 'bool')
    return String(truthOf(value) ?? git.die(`bad boolean config value '${value}' for '${line.operands[0]}'`));
  if (type === 'int') {
    const match = /^(-?\d+)([kmg]?)$/i.exec(value ?? '1');
    if (match === null)
      git.die(`bad numeric config value '${value}' for '${line.operands[0]}': invalid unit`);
    return String(Number(match[1]) * 1024 ** ' kmg'.indexOf((match[2] || ' ').toLowerCase()));
  }
  if (type === 'path') return (value ?? '').replace(/^~(?=\/|$)/, git.home ?? '');
  return value ?? '';
}

function typed(git: Git, line: Parsed, key: string, value: string): string {
  const type = line.value('type') ?? ['bool', 'int'].find((name) => line.has(name));
  if (type === 'bool') {
    const truth = truthOf(value);
    if (truth === undefined) git.die(`bad boolean config value '${value}' for '${key}'`);
    return String(truth);
  }
  if (type === 'int') return shownValue(git, line, value);
  return value;
}

function originOf(
  git: Git,
  line: Parsed,
  setting: { readonly scope: string; readonly file: string },
): string {
  const scope = line.has('show-scope') ? `${setting.scope}\t` : '';
  if (!line.has('show-origin')) return scope;
  const file = setting.file.startsWith(`${git.cwd}/.git/`)
    ? setting.file.slice(git.cwd.length + 1)
    : setting.file;
  return `${scope}${setting.scope === 'command' ? 'command line:' : `file:${file}`}\t`;
}

function settingsOf(
  git: Git,
  line: Parsed,
  scope: string | undefined,
): readonly { key: string; value: string | null; scope: string; file: string }[] {
  const file = line.value('file');
  if (file !== undefined) return readFile(git, git.absolute(file));
  if (scope === 'global' && git.files.textIfThere(scopePath(git, 'global')) === undefined && line.has('list'))
    git.die(`unable to read config file '${scopePath(git, 'global')}': No such file or directory`);
  return git.allSettings().filter((one) => scope === undefined || one.scope === scope);
}

function readFile(
  git: Git,
  path: string,
): { key: string; value: string | null; scope: string; file: string }[] {
  const text = git.files.textIfThere(path);
  if (text === undefined) return [];
  return readSettings(git.files, path, { scope: 'command' });
}

function list(git: Git, line: Parsed, scope: string | undefined): number {
  for (const setting of settingsOf(git, line, scope)) {
    const value = line.has('name-only') || setting.value === null ? '' : `=${setting.value}`;
    git.out(`${originOf(git, line, setting)}${setting.key}${value}${line.has('null') ? '\0' : '\n'}`);
  }
  return 0;
}

function get(git: Git, line: Parsed, scope: string | undefined, key: string): number {
  const wanted = normalKey(key);
  const found = settingsOf(git, line, scope).filter((one) => one.key === wanted);
  const shown = line.has('get-all') ? found : found.slice(-1);
  if (shown.length === 0) {
    const fallback = line.value('default');
    if (fallback === undefined) return 1;
    git.out(`${fallback}\n`);
    return 0;
  }
  for (const setting of shown)
    git.out(
      `${originOf(git, line, setting)}${shownValue(git, line, setting.value)}${line.has('null') ? '\0' : '\n'}`,
    );
  return 0;
}

function getPattern(git: Git, line: Parsed, scope: string | undefined): number {
  const [pattern = ''] = line.operands;
  const core = pattern.replace(/^\^|\$$/g, '');
  const isStart = pattern.startsWith('^');
  const isEnd = pattern.endsWith('$');
  const pieces = core.split('.*').map((piece) => piece.replace(/\\\./g, '.'));
  const fits = (key: string): boolean => {
    let at = 0;
    for (const [number, piece] of pieces.entries()) {
      const found = key.indexOf(piece, at);
      if (found < 0 || (number === 0 && isStart && found !== 0)) return false;
      at = found + piece.length;
    }
    return !isEnd || at === key.length || (pieces[pieces.length - 1] ?? '') === '';
  };
  const found = settingsOf(git, line, scope).filter((one) => fits(one.key));
  for (const setting of found)
    git.out(
      `${originOf(git, line, setting)}${setting.key}${line.has('name-only') || setting.value === null ? '' : ` ${setting.value}`}\n`,
    );
  return found.length === 0 ? 1 : 0;
}

function scopePath(git: Git, scope: string | undefined): string {
  if (scope === 'global') return `${git.home ?? git.die('$HOME not set')}/.gitconfig`;
  if (scope === 'system') return '/etc/gitconfig';
  const repo = git.repoIfAny();
  if (repo === undefined) return git.die('not in a git directory');
  return `${repo.gitDir}/config`;
}

function change(
  git: Git,
  line: Parsed,
  scope: string | undefined,
  { key, change }: { readonly key: string; readonly change: SettingChange },
): number {
  const file = line.value('file');
  const path = file === undefined ? scopePath(git, scope) : git.absolute(file);
  const result = changeSetting(git.files.textIfThere(path) ?? '', key, change);
  if (result === 'none') return 5;
  if (result === 'several') {
    git.warning(`${normalKey(key)} has multiple values`);
    if (change.do === 'set')
      git.err(
        'error: cannot overwrite multiple values with a single value\n       Use a regexp, --add or --replace-all to change ' +
          key +
          '.\n',
      );
    return 5;
  }
  git.files.write(path, result);
  git.reloadSettings();
  return 0;
}

function section(git: Git, line: Parsed, scope: string | undefined): number {
  const [name = '', to] = line.operands;
  const path =
    line.value('file') === undefined ? scopePath(git, scope) : git.absolute(line.value('file') ?? '');
  const text = changeSection(
    git.files.textIfThere(path) ?? '',
    name,
    line.has('rename-section') ? to : undefined,
  );
  if (text === undefined) git.die(`no such section: ${name}`);
  git.files.write(path, text);
  git.reloadSettings();
  return 0;
}
