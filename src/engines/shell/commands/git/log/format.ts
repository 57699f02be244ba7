/**
 * How one commit is written: the named forms and the placeholders of `--format`.
 *
 * Source: git-log(1), "PRETTY FORMATS". Not covered: `%C(auto,…)` colours (they print nothing without a terminal),
 * `%G…` signatures (none), mailmaps.
 */
import type { Git } from '../git.js';
import { bodyOf, type Commit, type Ident, renderIdent, subjectOf } from '../store/objects.js';
import { formatDate } from '../work/dates.js';

/** A form of writing commits. */
export interface CommitForm {
  readonly name: 'oneline' | 'short' | 'medium' | 'full' | 'fuller' | 'reference' | 'email' | 'raw' | 'user';
  /** The template of `user`. */
  readonly template: string;
  /** Commits end in a newline instead of being parted by one. */
  readonly isTerminated: boolean;
  readonly abbreviates: boolean;
  readonly dateMode: string;
  readonly decorations: ReadonlyMap<string, readonly string[]> | undefined;
  readonly abbreviate: (oid: string) => string;
  readonly showsParents?: boolean;
}

const NAMES = ['oneline', 'short', 'medium', 'full', 'fuller', 'reference', 'email', 'raw'] as const;

/** The form of a `--pretty` value; undefined for one that is none. */
export function formOf(
  git: Git,
  text: string,
): Pick<CommitForm, 'name' | 'template' | 'isTerminated'> | undefined {
  const alias = git.config(`pretty.${text}`);
  if (alias !== undefined) return formOf(git, alias);
  const known = NAMES.find((name) => name === text);
  if (known === 'reference') return { name: 'user', template: '%C(auto)%h (%s, %ad)', isTerminated: true };
  if (known !== undefined) return { name: known, template: '', isTerminated: known === 'oneline' };
  if (text.startsWith('format:')) return { name: 'user', template: text.slice(7), isTerminated: false };
  if (text.startsWith('tformat:')) return { name: 'user', template: text.slice(8), isTerminated: true };
  if (text.includes('%')) return { name: 'user', template: text, isTerminated: true };
  const begun = text === '' ? undefined : NAMES.find((name) => name.startsWith(text));
  return begun === undefined ? undefined : formOf(git, begun);
}

/** The names that lead to a commit, in git's order: HEAD and its branch, tags, other branches. */
export function decorationsOf(git: Git, full = false): Map<string, string[]> {
  const { repo } = git;
  const found = new Map<string, string[]>();
  const add = (oid: string, text: string): void => {
    const list = found.get(oid) ?? [];
    list.push(text);
    found.set(oid, list);
  };
  const { head, headRef } = repo;
  const short = (name: string): string => (full ? name : name.replace(/^refs\/(heads|remotes|tags)\//, ''));
  if (head !== undefined) add(head, headRef === undefined ? 'HEAD' : `HEAD -> ${short(headRef)}`);
  const refs = repo.refs.list().filter(({ name }) => name !== headRef);
  const rank = (name: string): number =>
    name.startsWith('refs/tags/') ? 0 : name.startsWith('refs/remotes/') ? 1 : 2;
  const sorted = [...refs].sort((one, other) => rank(one.name) - rank(other.name));
  for (const { name, oid } of sorted) {
    if (!/^refs\/(heads|remotes|tags|stash)/.test(name)) continue;
    const label = name.startsWith('refs/tags/')
      ? `tag: ${short(name)}`
      : name === 'refs/stash'
        ? 'refs/stash'
        : short(name);
    add(repo.objects.peel(oid), label);
  }
  return found;
}

function dateOf(git: Git, ident: Ident, mode: string): string {
  return formatDate(ident, mode, git.nowSeconds, (at) => git.zoneAt(at)) ?? '';
}

/** A message with each line indented, tabs set to columns, as logs show it. */
function indented(message: string, columns = 4, expands = true): string {
  const lines = message
    .replace(/^(?:[ \t]*\n)+/, '')
    .replace(/\s+$/, '')
    .split('\n');
  if (lines.length === 1 && lines[0] === '') return '';
  return lines
    .map((line) => `${' '.repeat(columns)}${expands ? expandTabs(line.trimEnd()) : line.trimEnd()}\n`)
    .join('');
}

function expandTabs(line: string): string {
  let out = '';
  for (const c of line) out += c === '\t' ? ' '.repeat(8 - (out.length % 8)) : c;
  return out;
}

/** A commit in a form; without the newline that parts or ends it. */
export function renderEntry(git: Git, oid: string, commit: Commit, form: CommitForm, mark = ''): string {
  const shown = form.abbreviates ? form.abbreviate(oid) : oid;
  const names = form.decorations?.get(oid);
  const decoration = names === undefined ? '' : ` (${names.join(', ')})`;
  const parents =
    form.showsParents === true
      ? commit.parents.map((parent) => ` ${form.abbreviates ? form.abbreviate(parent) : parent}`).join('')
      : '';
  if (form.name === 'user') return expandFormat(git, form.template, { oid, commit, form });
  if (form.name === 'oneline') return `${mark}${shown}${parents}${decoration} ${subjectOf(commit.message)}`;
  let out = `commit ${mark}${shown}${parents}${decoration}\n`;
  if (form.name === 'raw') {
    out += `tree ${commit.tree}\n${commit.parents.map((parent) => `parent ${parent}\n`).join('')}`;
    out += `author ${renderIdent(commit.author)}\ncommitter ${renderIdent(commit.committer)}\n`;
    return `${out}\n${indented(commit.message, 4, false)}`;
  }
  if (form.name === 'email') return emailText(git, oid, commit);
  if (commit.parents.length > 1)
    out += `Merge: ${commit.parents.map((parent) => form.abbreviate(parent)).join(' ')}\n`;
  const person = (title: string, ident: Ident): string => `${title}${ident.name} <${ident.email}>\n`;
  const date = (title: string, ident: Ident): string => `${title}${dateOf(git, ident, form.dateMode)}\n`;
  if (form.name === 'short') {
    out += person('Author: ', commit.author);
    return `${out}\n${indented(subjectOf(commit.message))}`;
  }
  if (form.name === 'full') out += person('Author: ', commit.author) + person('Commit: ', commit.committer);
  else if (form.name === 'fuller') {
    out += person('Author:     ', commit.author) + date('AuthorDate: ', commit.author);
    out += person('Commit:     ', commit.committer) + date('CommitDate: ', commit.committer);
  } else out += person('Author: ', commit.author) + date('Date:   ', commit.author);
  const message = indented(commit.message);
  return `${out}${message === '' ? '' : `\n${message}`}`;
}

function emailText(git: Git, oid: string, commit: Commit): string {
  const body = bodyOf(commit.message);
  return `From ${oid} Mon Sep 17 00:00:00 2001\nFrom: ${commit.author.name} <${commit.author.email}>\nDate: ${dateOf(git, commit.author, 'rfc')}\nSubject: [PATCH] ${subjectOf(commit.message)}\n\n${body}`;
}

interface Shown {
  readonly oid: string;
  readonly commit: Commit;
  readonly form: CommitForm;
}

/** A template with its placeholders replaced. */
function expandFormat(git: Git, template: string, shown: Shown): string {
  let out = '';
  let padding: { width: number; side: string; cut?: string | undefined } | undefined;
  for (let at = 0; at < template.length; at++) {
    if (template[at] !== '%') {
      out += template[at];
      continue;
    }
    const rest = template.slice(at + 1);
    const pad = /^(<|>|><)\((\d+)(?:,(trunc|ltrunc|mtrunc))?\)/.exec(rest);
    if (pad !== null) {
      padding = { width: Number(pad[2]), side: pad[1] ?? '<', cut: pad[3] };
      at += pad[0].length;
      continue;
    }
    const sign = /^[+ -](?=[A-Za-z])/.exec(rest)?.[0];
    const found = placeholder(git, sign === undefined ? rest : rest.slice(1), shown);
    if (found === undefined) {
      out += '%';
      continue;
    }
    at += found.length + (sign === undefined ? 0 : 1);
    let { text } = found;
    if (padding !== undefined && !/^C/.test(rest)) {
      text = padded(text, padding);
      padding = undefined;
    }
    if (sign === '+' && text !== '') out += '\n';
    else if (sign === ' ' && text !== '') out += ' ';
    else if (sign === '-' && text === '') out = out.replace(/\n+$/, '');
    out += text;
  }
  return out;
}

function padded(
  text: string,
  { width, side, cut }: { width: number; side: string; cut?: string | undefined },
): string {
  const letters = [...text];
  if (letters.length > width) {
    if (cut === 'trunc') return `${letters.slice(0, Math.max(0, width - 2)).join('')}..`;
    if (cut === 'ltrunc') return `..${letters.slice(letters.length - Math.max(0, width - 2)).join('')}`;
    if (cut === 'mtrunc') {
      const left = Math.floor(width / 2) - 1;
      return `${letters.slice(0, left).join('')}..${letters.slice(letters.length - (width - left - 2)).join('')}`;
    }
    return text;
  }
  const blanks = width - letters.length;
  if (side === '>') return ' '.repeat(blanks) + text;
  if (side === '><')
    return ' '.repeat(Math.floor(blanks / 2)) + text + ' '.repeat(blanks - Math.floor(blanks / 2));
  return text + ' '.repeat(blanks);
}

const COLOURS = /^C(?:\([^)]*\)|reset|red|green|blue)/;
const PERSON = /^([ac])([neNEdDrtiIslLh])/;
const DATES: Readonly<Record<string, string>> = {
  D: 'rfc',
  r: 'relative',
  t: 'unix',
  i: 'iso',
  I: 'iso-strict',
  s: 'short',
  h: 'human',
};

/** What a placeholder at the start of a text means, and how long it is. */
function placeholder(
  git: Git,
  rest: string,
  { oid, commit, form }: Shown,
): { readonly text: string; readonly length: number } | undefined {
  const colour = COLOURS.exec(rest);
  if (colour !== null) return { text: '', length: colour[0].length };
  const hex = /^x([0-9a-fA-F]{2})/.exec(rest);
  if (hex !== null) return { text: String.fromCharCode(Number.parseInt(hex[1] ?? '', 16)), length: 3 };
  const person = PERSON.exec(rest);
  if (person !== null) {
    const ident = person[1] === 'a' ? commit.author : commit.committer;
    return { text: personText(git, ident, person[2] ?? '', form.dateMode), length: 2 };
  }
  const trailers = /^\(trailers(?::[^)]*)?\)/.exec(rest);
  if (trailers !== null) return { text: trailersOf(commit.message, trailers[0]), length: trailers[0].length };
  const names = form.decorations?.get(oid) ?? (/^[dD]/.test(rest) ? decorationsOf(git).get(oid) : undefined);
  const one = (text: string, length = 1): { text: string; length: number } => ({ text, length });
  switch (rest[0]) {
    case 'H':
      return one(oid);
    case 'h':
      return one(form.abbreviate(oid));
    case 'T':
      return one(commit.tree);
    case 't':
      return one(form.abbreviate(commit.tree));
    case 'P':
      return one(commit.parents.join(' '));
    case 'p':
      return one(commit.parents.map(form.abbreviate).join(' '));
    case 's':
      return one(subjectOf(commit.message));
    case 'f':
      return one(
        subjectOf(commit.message)
          .replace(/[^A-Za-z0-9._]+/g, '-')
          .replace(/^-|[-.]+$/g, ''),
      );
    case 'b':
      return one(bodyOf(commit.message));
    case 'B':
      return one(commit.message.replace(/^\n+/, ''));
    case 'd':
      return one(names === undefined ? '' : ` (${names.join(', ')})`);
    case 'D':
      return one(names === undefined ? '' : names.join(', '));
    case 'n':
      return one('\n');
    case '%':
      return one('%');
    case 'e':
    case 'N':
      return one('');
    case 'm':
      return one('>');
    case 'S':
      return one('HEAD');
    case 'G':
      return rest[1] === '?' ? one('N', 2) : one('', 2);
    default:
      return undefined;
  }
}

function personText(git: Git, ident: Ident, letter: string, dateMode: string): string {
  if (letter === 'n' || letter === 'N') return ident.name;
  if (letter === 'e' || letter === 'E') return ident.email;
  if (letter === 'l' || letter === 'L') return ident.email.split('@')[0] ?? '';
  if (letter === 'd') return dateOf(git, ident, dateMode);
  return dateOf(git, ident, DATES[letter] ?? 'default');
}

function trailersOf(message: string, how: string): string {
  const last = message.trimEnd().split(/\n\n+/).pop() ?? '';
  const lines = last.split('\n').filter((line) => /^[A-Za-z-]+: /.test(line));
  const key = /key=([^,)]+)/.exec(how)?.[1];
  const kept =
    key === undefined
      ? lines
      : lines.filter((line) => line.toLowerCase().startsWith(`${key.toLowerCase()}:`));
  const values = /valueonly/.test(how) ? kept.map((line) => line.slice(line.indexOf(':') + 2)) : kept;
  return values.map((line) => `${line}\n`).join('');
}
