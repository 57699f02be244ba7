/**
 * Prompts of shells on foreign screens: who works where, and how such a prompt is made here.
 *
 * Three kinds: with the folder (`root@box:/app#`), with its last name (`[root@box app]#`), and fixed (`bash-5.1$`). A
 * marker in parentheses before it (`(venv) `) belongs to the prompt. Not covered: prompts of two lines, other shells' own.
 */

/** A prompt that was read at the beginning of a row. */
export interface SeenPrompt {
  readonly kind: 'folder' | 'name' | 'fixed';
  /** `(venv) ` and the like, or nothing. */
  readonly mark: string;
  readonly user?: string;
  readonly host?: string;
  /** As it is shown: absolute, or from `~`; for kind `name` the last part. */
  readonly folder?: string;
  /** The whole prompt without the space behind it. */
  readonly shown: string;
  /** What stands behind it. */
  readonly rest: string;
}

const FOLDER = /^((?:\([^()\s]+\) )?)([a-z_][\w.-]*)@([\w.-]+):((?:~|\/)[^$#]*?)[$#](?: |$)/;
const NAME = /^((?:\([^()\s]+\) )?)\[([a-z_][\w.-]*)@([\w.-]+) ([^\]/]+|~|\/)\][$#](?: |$)/;
const FIXED = /^((?:\([^()\s]+\) )?)((?:ba|da)?sh-\d+\.\d+[$#])(?: |$)/;

/** Reads the prompt that a row begins with; null where there is none. */
export function readPrompt(row: string): SeenPrompt | null {
  const folder = FOLDER.exec(row) ?? NAME.exec(row);
  if (folder !== null) {
    const [whole, mark = '', user = '', host = '', path = ''] = folder;
    const kind = whole.slice(mark.length).startsWith('[') ? 'name' : 'folder';
    return { kind, mark, user, host, folder: path, shown: whole.trimEnd(), rest: row.slice(whole.length) };
  }
  const fixed = FIXED.exec(row);
  if (fixed === null) return null;
  return { kind: 'fixed', mark: fixed[1] ?? '', shown: fixed[0].trimEnd(), rest: row.slice(fixed[0].length) };
}

/** The value of PS1 that gives such prompts; null where the machine's own does. */
export function promptVariable({ kind, mark, shown }: SeenPrompt): string | null {
  const before = mark.replaceAll('\\', '\\\\');
  if (kind === 'folder') return mark === '' ? null : `${before}\\u@\\h:\\w\\$ `;
  if (kind === 'name') return `${before}[\\u@\\h \\W]\\$ `;
  return `${before}${shown.slice(mark.length, -1)}\\$ `;
}

/** The absolute path of a folder as a prompt shows it; undefined where it does not show all of it. */
export function shownFolder(prompt: SeenPrompt, home: string): string | undefined {
  const { kind, folder } = prompt;
  if (folder === undefined || (kind === 'name' && folder !== '~' && folder !== '/')) return undefined;
  return folder === '~' || folder.startsWith('~/') ? `${home}${folder.slice(1)}` : folder;
}

/** The home folder that a user of this name has where nothing else is known. */
export function homeOf(user: string): string {
  return user === 'root' ? '/root' : `/home/${user}`;
}

/** An absolute path without dots. */
export function absolutePath(path: string, cwd: string, home: string): string {
  const whole = path === '~' || path.startsWith('~/') ? `${home}${path.slice(1)}` : path;
  const parts: string[] = [];
  for (const part of (whole.startsWith('/') ? whole : `${cwd}/${whole}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
