/**
 * Which untracked paths are left out: `.gitignore` of each folder, `info/exclude`, `core.excludesFile`.
 *
 * Source: gitignore(5). The last pattern that matches decides; nothing below an ignored folder comes back.
 */
import { matchGlob } from '../../tools/glob-match.js';
import type { GitFiles } from '../store/files.js';

/** One pattern and where it stands. */
export interface IgnoreRule {
  readonly pattern: string;
  readonly isNegated: boolean;
  readonly folderOnly: boolean;
  /** It holds below this folder (`` or ending in a slash). */
  readonly base: string;
  readonly source: string;
  readonly line: number;
  readonly text: string;
}

/** Wildcards over paths: `*` stays in one folder, `**` crosses them. */
export function matchPath(pattern: string, path: string): boolean {
  const [wild, names] = [pattern.split('/'), path.split('/')];
  const from = (p: number, n: number): boolean => {
    if (p === wild.length) return n === names.length;
    if (wild[p] === '**') {
      if (p === wild.length - 1) return n < names.length;
      for (let at = n; at <= names.length; at++) if (from(p + 1, at)) return true;
      return false;
    }
    if (n === names.length) return false;
    return matchGlob(wild[p] ?? '', names[n] ?? '', { pathname: true }) && from(p + 1, n + 1);
  };
  return from(0, 0);
}

/** The rules of a file's text. */
function parseIgnore(text: string, base: string, source: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  text.split('\n').forEach((raw, at) => {
    let pattern = raw.replace(/\r$/, '');
    if (pattern === '' || pattern.startsWith('#')) return;
    pattern = pattern.replace(/(?<!\\) +$/, '').replace(/\\ $/, ' ');
    const shown = pattern;
    const isNegated = pattern.startsWith('!');
    if (isNegated) pattern = pattern.slice(1);
    if (pattern.startsWith('\\#') || pattern.startsWith('\\!')) pattern = pattern.slice(1);
    const folderOnly = pattern.endsWith('/');
    if (folderOnly) pattern = pattern.slice(0, -1);
    if (pattern === '') return;
    rules.push({ pattern, isNegated, folderOnly, base, source, line: at + 1, text: shown });
  });
  return rules;
}

function matches(rule: IgnoreRule, path: string, isFolder: boolean): boolean {
  if (rule.folderOnly && !isFolder) return false;
  if (!path.startsWith(rule.base)) return false;
  const inside = path.slice(rule.base.length);
  if (!rule.pattern.includes('/'))
    return matchGlob(rule.pattern, inside.slice(inside.lastIndexOf('/') + 1), { pathname: true });
  return matchPath(rule.pattern.replace(/^\//, ''), inside);
}

/** The ignore rules of one work tree. */
export class IgnoreRules {
  private readonly byFolder = new Map<string, readonly IgnoreRule[]>();
  private readonly common: readonly IgnoreRule[];

  constructor(
    private readonly files: GitFiles,
    private readonly root: string,
    where: { readonly exclude: string; readonly excludesFile: string | undefined },
  ) {
    const read = (path: string | undefined, source: string): IgnoreRule[] =>
      path === undefined ? [] : parseIgnore(files.textIfThere(path) ?? '', '', source);
    this.common = [
      ...read(where.excludesFile, where.excludesFile ?? ''),
      ...read(where.exclude, '.git/info/exclude'),
    ];
  }

  /** The rule that decides about a path; undefined where none matches. Folders above are not looked at. */
  ruleOf(path: string, isFolder: boolean): IgnoreRule | undefined {
    const folders = path.split('/').slice(0, -1);
    for (let depth = folders.length; depth >= 0; depth--) {
      const base = folders
        .slice(0, depth)
        .map((name) => `${name}/`)
        .join('');
      const found = lastMatch(this.rulesOf(base), path, isFolder);
      if (found !== undefined) return found;
    }
    return lastMatch(this.common, path, isFolder);
  }

  /** The rule that leaves a path out, by itself or by a folder above it. */
  ignoringRule(path: string, isFolder: boolean): IgnoreRule | undefined {
    const parts = path.split('/');
    for (let depth = 1; depth <= parts.length; depth++) {
      const rule = this.ruleOf(parts.slice(0, depth).join('/'), depth < parts.length || isFolder);
      if (rule !== undefined && !rule.isNegated) return rule;
    }
    return undefined;
  }

  isIgnored(path: string, isFolder: boolean): boolean {
    return this.ignoringRule(path, isFolder) !== undefined;
  }

  private rulesOf(base: string): readonly IgnoreRule[] {
    let rules = this.byFolder.get(base);
    if (rules === undefined) {
      const text = this.files.textIfThere(`${this.root}/${base}.gitignore`);
      rules = text === undefined ? [] : parseIgnore(text, base, `${base}.gitignore`);
      this.byFolder.set(base, rules);
    }
    return rules;
  }
}

function lastMatch(rules: readonly IgnoreRule[], path: string, isFolder: boolean): IgnoreRule | undefined {
  for (let at = rules.length - 1; at >= 0; at--) {
    const rule = rules[at];
    if (rule !== undefined && matches(rule, path, isFolder)) return rule;
  }
  return undefined;
}
