/**
 * Completion of the word before the cursor: commands, files, variables and users.
 *
 * Not covered: programmable completion (`complete -F`), hostnames.
 */
import { SystemError } from '../../kernel/index.js';
import { KEYWORDS } from '../../syntax/parser.js';
import { BUILTINS } from '../builtins/table.js';
import { expandTilde, passwordLines } from '../expand/tilde.js';
import type { Shell } from '../shell.js';
import type { Completion } from './edited-line.js';

function commonPrefix(words: readonly string[]): string {
  let prefix = words[0] ?? '';
  for (const word of words) while (!word.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix;
}

function entriesOf(shell: Shell, folder: string): { name: string; isFolder: boolean }[] {
  try {
    return shell.process
      .readdir(folder === '' ? '.' : folder)
      .map((entry) => ({ name: entry.name, isFolder: isFolder(shell, folder + entry.name) }));
  } catch (error) {
    if (error instanceof SystemError) return [];
    throw error;
  }
}

function isFolder(shell: Shell, path: string): boolean {
  try {
    return shell.process.stat(path).kind === 'directory';
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}

function commandNames(shell: Shell): Set<string> {
  const names = new Set<string>([
    ...BUILTINS.keys(),
    ...KEYWORDS,
    ...shell.functions.keys(),
    ...shell.aliases.keys(),
  ]);
  for (const folder of (shell.variables.find('PATH')?.value ?? '').split(':')) {
    for (const { name, isFolder: skip } of entriesOf(shell, `${folder}/`)) if (!skip) names.add(name);
  }
  return names;
}

function byName(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function result(start: number, found: readonly string[], suffix: string): Completion {
  const choices = [...new Set(found)].sort(byName);
  const insert = choices.length === 1 ? `${choices[0]}${suffix}` : commonPrefix(choices);
  return { start, insert, choices };
}

/** Puts backslashes before what the shell would not read back. */
function escaped(text: string): string {
  return text.replace(/[ \t'"\\|&;()<>!{}*[\]?^$`#]/g, '\\$&');
}

function fileCompletion(shell: Shell, start: number, word: string): Completion {
  const plain = word.replace(/\\(.)/g, '$1').replace(/^["']/, '');
  const quote = /^["']/.exec(word)?.[0] ?? '';
  const slash = plain.lastIndexOf('/') + 1;
  const shownFolder = plain.slice(0, slash);
  const prefix = plain.slice(slash);
  const tilde = /^~([\w.-]*)\//.exec(shownFolder);
  const folder =
    tilde === null
      ? shownFolder
      : `${expandTilde(shell, tilde[1] ?? '') ?? '~'}${shownFolder.slice(tilde[0].length - 1)}`;
  const found = entriesOf(shell, folder)
    .filter(({ name }) => name.startsWith(prefix) && (prefix.startsWith('.') || !name.startsWith('.')))
    .sort((one, other) => byName(one.name, other.name));
  const only = found.length === 1 ? found[0] : undefined;
  const name = only?.name ?? commonPrefix(found.map((entry) => entry.name));
  const text =
    quote === '' ? shownFolder.replace(/[^/~]+/g, escaped) + escaped(name) : quote + shownFolder + name;
  const end = only === undefined ? '' : only.isFolder ? '/' : `${quote} `;
  return {
    start,
    insert: text + end,
    choices: found.map((entry) => entry.name + (entry.isFolder ? '/' : '')),
  };
}

/** Where the word before the cursor begins. */
function wordStart(line: string, cursor: number): number {
  let start = 0;
  let quote = '';
  for (let at = 0; at < cursor; at += 1) {
    const char = line[at] as string;
    if (char === '\\' && quote !== "'") at += 1;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") {
      quote = char;
      start = at;
    } else if (/[\s|&;()<>=]/.test(char)) start = at + 1;
  }
  return start;
}

/** What completes the word before the cursor. */
export function completeWord(shell: Shell, line: string, cursor: number): Completion {
  const start = wordStart(line, cursor);
  const word = line.slice(start, cursor);
  const dollar = /\$(\{?)(\w*)$/.exec(word);
  if (dollar !== null) {
    const names = [...shell.variables.names(), ...shell.variables.specials.keys()].filter((name) =>
      name.startsWith(dollar[2] ?? ''),
    );
    const brace = dollar[1] ?? '';
    const from = cursor - dollar[0].length;
    const only = names.length === 1 ? shell.variables.find(names[0] ?? '')?.value : undefined;
    const closed = only !== undefined && only !== '' && isFolder(shell, only) ? '/' : ' ';
    const found = result(
      from,
      names.map((name) => `$${brace}${name}`),
      brace === '' ? closed : '}',
    );
    return { ...found, choices: found.choices };
  }
  const before = line.slice(0, start).trimEnd();
  const isCommand =
    before === '' || /[|&;({!]$|(^|\s)(then|do|else|if|while|until|sudo|time|exec|command)$/.test(before);
  if (isCommand && !word.includes('/') && word !== '') {
    const found = [...commandNames(shell)].filter((name) => name.startsWith(word));
    if (found.length > 0) return result(start, found, ' ');
  }
  if (/^~[\w.-]*$/.test(word)) {
    const users = passwordLines(shell).map((fields) => `~${fields[0]}`);
    const found = users.filter((user) => user.startsWith(word));
    if (word.length > 1 && found.length > 0) return result(start, found, '/');
  }
  if (/^(cd|rmdir|pushd)$/.test(before)) {
    const files = fileCompletion(shell, start, word);
    const folders = files.choices.filter((name) => name.endsWith('/'));
    if (folders.length === 1 && files.choices.length > 1)
      return fileCompletion(
        shell,
        start,
        word.slice(0, word.lastIndexOf('/') + 1) + (folders[0] ?? '').slice(0, -1),
      );
    if (folders.length > 1) return { ...files, choices: folders };
  }
  return fileCompletion(shell, start, word);
}
