/**
 * A running git: its process, settings, repository and words.
 *
 * The idea: every subcommand is a function over this object. Failures end the command as in C: `die` is
 * `fatal: …` with status 128, a wrong option is a usage text with status 129.
 * Source: git 2.39 as in Debian 12.
 */
import { Exit, type Io, type Process } from '../../kernel/index.js';
import { timeZone } from '../program/time-zone.js';
import { BadConfig, normalKey, readSettings, type Setting, truthOf } from './store/config.js';
import { GitFiles } from './store/files.js';
import type { Ident } from './store/objects.js';
import type { LogNote } from './store/refs.js';
import { discover, isGitDir, Repository } from './store/repository.js';
import { parseGitDate } from './work/dates.js';
import { IgnoreRules } from './work/ignore.js';

/** What stands before the subcommand. */
export interface GlobalOptions {
  readonly config: readonly (readonly [string, string | null])[];
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  readonly isBare: boolean;
  readonly literal: boolean;
}

/** One run of git. */
export class Git {
  readonly files: GitFiles;
  /** The name of the subcommand. */
  verb = '';
  private repository: Repository | undefined;
  private settings: Setting[] | undefined;
  private rules: IgnoreRules | undefined;

  constructor(
    readonly proc: Process,
    readonly io: Io,
    readonly global: GlobalOptions,
  ) {
    this.files = new GitFiles(proc);
  }

  // ---- words ----

  out(text: string): void {
    this.io.out(text);
  }

  err(text: string): void {
    this.io.err(text);
  }

  warning(message: string): void {
    this.io.err(`warning: ${message}\n`);
  }

  error(message: string): void {
    this.io.err(`error: ${message}\n`);
  }

  hint(text: string): void {
    this.io.err(
      text
        .split('\n')
        .map((line) => `hint: ${line}\n`)
        .join(''),
    );
  }

  /** `fatal: …`, and the end. */
  die(message: string, status = 128): never {
    this.io.err(`fatal: ${message}\n`);
    throw new Exit(status);
  }

  /** `error: …`, and the end. */
  fail(message: string, status = 1): never {
    this.error(message);
    throw new Exit(status);
  }

  exit(status: number): never {
    throw new Exit(status);
  }

  // ---- surroundings ----

  env(name: string): string | undefined {
    const value = this.proc.env.get(name);
    return value === undefined || value === '' ? undefined : value;
  }

  get home(): string | undefined {
    return this.env('HOME');
  }

  get cwd(): string {
    return this.proc.getcwd();
  }

  /** The repository; the command ends where there is none. */
  get repo(): Repository {
    return this.repoIfAny() ?? this.die('not a git repository (or any of the parent directories): .git');
  }

  repoIfAny(): Repository | undefined {
    if (this.repository !== undefined) return this.repository;
    const keepsLogs = (isBare: boolean): boolean => this.bool('core.logallrefupdates') ?? !isBare;
    const gitDir = this.global.gitDir ?? this.env('GIT_DIR');
    if (gitDir !== undefined) {
      const path = this.absolute(gitDir);
      if (!isGitDir(this.files, path)) this.die(`not a git repository: '${gitDir}'`);
      const workTree = this.global.workTree ?? this.env('GIT_WORK_TREE');
      const inner = workTree === undefined ? this.cwd : this.absolute(workTree);
      const isBare = this.global.isBare || (workTree === undefined && isBareDir(this.files, path));
      this.repository = new Repository(
        this.files,
        { gitDir: path, workTree: isBare ? null : inner },
        keepsLogs,
      );
      return this.repository;
    }
    const place = discover(this.files, this.cwd);
    if (place === undefined) return undefined;
    if (this.files.proc.stat(place.workTree ?? place.gitDir).uid !== this.proc.uid && this.proc.uid !== 0) {
      const owner = this.config('safe.directory');
      if (owner !== '*' && owner !== place.workTree) {
        this.err(
          `fatal: detected dubious ownership in repository at '${place.workTree ?? place.gitDir}'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory ${place.workTree ?? place.gitDir}\n`,
        );
        throw new Exit(128);
      }
    }
    this.repository = new Repository(this.files, place, keepsLogs);
    this.settings = undefined;
    return this.repository;
  }

  /** Takes another repository from here on (`init`, `clone`). */
  use(repository: Repository | undefined): void {
    this.repository = repository;
    this.settings = undefined;
    this.rules = undefined;
  }

  /** The repository, which must have a work tree. */
  get work(): Repository {
    const { repo } = this;
    if (repo.isBare) this.die('this operation must be run in a work tree');
    return repo;
  }

  /** The current folder below the work tree: `` or `sub/dir/`. */
  get prefix(): string {
    const { root } = this.repo;
    const { cwd } = this;
    if (cwd === root) return '';
    if (root === '/') return `${cwd.slice(1)}/`;
    return cwd.startsWith(`${root}/`) ? `${cwd.slice(root.length + 1)}/` : '';
  }

  /** A path from `/` on, without dots; links are left as they are. */
  absolute(path: string): string {
    const parts: string[] = [];
    for (const part of (path.startsWith('/') ? path : `${this.cwd}/${path}`).split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return `/${parts.join('/')}`;
  }

  /** A path of the repository as it is shown from the current folder. */
  shown(path: string): string {
    return quotePath(relativePath(path, this.prefix), this.quotesPaths);
  }

  get quotesPaths(): boolean {
    return this.bool('core.quotepath') ?? true;
  }

  get ignore(): IgnoreRules {
    const configured = this.config('core.excludesfile');
    const excludesFile =
      configured === undefined
        ? this.home === undefined
          ? undefined
          : `${this.env('XDG_CONFIG_HOME') ?? `${this.home}/.config`}/git/ignore`
        : configured.replace(/^~(?=\/)/, this.home ?? '');
    this.rules ??= new IgnoreRules(this.files, this.repo.root, {
      exclude: `${this.repo.gitDir}/info/exclude`,
      excludesFile,
    });
    return this.rules;
  }

  // ---- settings ----

  /** All settings, the strongest last. */
  allSettings(): readonly Setting[] {
    if (this.settings !== undefined) return this.settings;
    const found: Setting[] = [];
    const home = this.home ?? '';
    const read = (file: string, scope: Setting['scope'], shown?: string): void => {
      try {
        found.push(
          ...readSettings(this.files, file, { scope, home, ...(shown === undefined ? {} : { shown }) }),
        );
      } catch (error) {
        if (!(error instanceof BadConfig)) throw error;
        this.die(error.message);
      }
    };
    if (truthOf(this.env('GIT_CONFIG_NOSYSTEM') ?? 'false') !== true) read('/etc/gitconfig', 'system');
    if (this.home !== undefined) {
      read(`${this.env('XDG_CONFIG_HOME') ?? `${home}/.config`}/git/config`, 'global');
      read(`${home}/.gitconfig`, 'global');
    }
    const place = this.repository?.place ?? discover(this.files, this.cwd);
    if (place !== undefined) read(`${place.gitDir}/config`, 'local', shownFile(place.gitDir, this.cwd));
    for (const [key, value] of this.global.config)
      found.push({ key: normalKey(key), value, scope: 'command', file: '' });
    this.settings = found;
    return found;
  }

  /** Forgets what was read of settings. */
  reloadSettings(): void {
    this.settings = undefined;
  }

  config(key: string): string | undefined {
    const normal = normalKey(key);
    const found = this.allSettings()
      .filter((one) => one.key === normal)
      .pop();
    return found === undefined ? undefined : (found.value ?? 'true');
  }

  bool(key: string): boolean | undefined {
    const value = this.config(key);
    return value === undefined ? undefined : truthOf(value);
  }

  number(key: string): number | undefined {
    const value = this.config(key);
    return value !== undefined && /^-?\d+$/.test(value) ? Number(value) : undefined;
  }

  // ---- people and time ----

  /** Seconds since 1970. */
  get nowSeconds(): number {
    return Math.floor(this.proc.now() / 1e6);
  }

  /** The offset of local time at a moment: `+0100`. */
  zoneAt(seconds: number): string {
    return zoneText(timeZone(this.env('TZ')).at(seconds).seconds);
  }

  /** Who makes a commit now. The command ends where nobody said who that is. */
  ident(role: 'AUTHOR' | 'COMMITTER'): Ident {
    const name =
      this.env(`GIT_${role}_NAME`) ?? this.config(`${role.toLowerCase()}.name`) ?? this.config('user.name');
    const email =
      this.env(`GIT_${role}_EMAIL`) ??
      this.config(`${role.toLowerCase()}.email`) ??
      this.config('user.email') ??
      this.env('EMAIL');
    if (name === undefined || email === undefined) this.dieUnknown(role, name === undefined, email);
    const given = this.env(`GIT_${role}_DATE`);
    const clean = (text: string): string =>
      text.replace(/[<>\n]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '');
    const date =
      given === undefined ? undefined : parseGitDate(given, this.nowSeconds, (at) => this.zoneAt(at));
    if (given !== undefined && date === undefined) this.die(`invalid date format: ${given}`);
    if (clean(name) === '') this.die(`empty ident name (for <${email}>) not allowed`);
    return {
      name: clean(name),
      email: clean(email),
      when: date?.when ?? this.nowSeconds,
      zone: date?.zone ?? this.zoneAt(this.nowSeconds),
    };
  }

  private dieUnknown(role: 'AUTHOR' | 'COMMITTER', noName: boolean, email: string | undefined): never {
    const account = this.files
      .textIfThere('/etc/passwd')
      ?.split('\n')
      .map((line) => line.split(':'))
      .find((fields) => Number(fields[2]) === this.proc.uid);
    const login = account?.[0] ?? 'unknown';
    const host = (this.files.textIfThere('/etc/hostname') ?? 'localhost').trim();
    const gecos = (account?.[4] ?? '').split(',')[0] ?? '';
    this.err(
      `${role === 'AUTHOR' ? 'Author' : 'Committer'} identity unknown\n\n*** Please tell me who you are.\n\nRun\n\n  git config --global user.email "you@example.com"\n  git config --global user.name "Your Name"\n\nto set your account's default identity.\nOmit --global to set the identity only in this repository.\n\n`,
    );
    if (email !== undefined && noName) this.die(`empty ident name (for <${email}>) not allowed`);
    if (noName && gecos === '')
      this.die(`unable to auto-detect email address (got '${login}@${host}.(none)')`);
    this.die(`unable to auto-detect email address (got '${login}@${host}.(none)')`);
  }

  /** A note for a reference's log. Who moved a reference is the committer, with as much as is known. */
  logNote(message: string): LogNote {
    return { who: this.looseIdent(), message };
  }

  /** Who makes something that needs no name: as {@link ident}, or git's own name for nobody. */
  looseIdentity(role: 'AUTHOR' | 'COMMITTER'): Ident {
    const name = this.env(`GIT_${role}_NAME`) ?? this.config('user.name');
    const email = this.env(`GIT_${role}_EMAIL`) ?? this.config('user.email');
    if (name !== undefined && email !== undefined) return this.ident(role);
    return { ...this.looseIdent(), name: 'git stash', email: 'git@stash' };
  }

  /** The committer, or as much as is known of one. */
  looseIdent(): Ident {
    const name = this.env('GIT_COMMITTER_NAME') ?? this.config('user.name');
    const email = this.env('GIT_COMMITTER_EMAIL') ?? this.config('user.email');
    if (name !== undefined && email !== undefined) return this.ident('COMMITTER');
    const login = this.env('LOGNAME') ?? this.env('USER') ?? 'user';
    const host = (this.files.textIfThere('/etc/hostname') ?? 'localhost').trim();
    const now = this.nowSeconds;
    return { name: name ?? login, email: email ?? `${login}@${host}`, when: now, zone: this.zoneAt(now) };
  }
}

function isBareDir(files: GitFiles, gitDir: string): boolean {
  return /^\s*bare\s*=\s*true\s*$/m.test(files.textIfThere(`${gitDir}/config`) ?? '');
}

function shownFile(gitDir: string, cwd: string): string {
  return gitDir === `${cwd}/.git` ? '.git/config' : `${gitDir}/config`;
}

/** Seconds east of Greenwich as `+hhmm`. */
function zoneText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}

/** A path of the repository as seen from a folder of it. */
function relativePath(path: string, prefix: string): string {
  if (prefix === '') return path;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  const [from, to] = [prefix.split('/').slice(0, -1), path.split('/')];
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  if (same < from.length && same === to.length - 1 && from[same] === to[same]) same++;
  const rest = to.slice(same).join('/');
  return '../'.repeat(from.length - same) + rest || './';
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** A path as git prints it: in quotes with C escapes where it has unusual characters. */
export function quotePath(path: string, quotesHigh = true): string {
  const unusual = quotesHigh ? /[\x00-\x1f"\\\x7f-\uffff]/ : /[\x00-\x1f"\\\x7f]/;
  if (!unusual.test(path)) return path;
  let text = '';
  for (const c of path) {
    const code = c.codePointAt(0) ?? 0;
    const known = ESCAPES[c];
    if (known !== undefined) text += known;
    else if (code < 0x20 || code === 0x7f) text += octal(code);
    else if (code >= 0x80 && quotesHigh) {
      for (const byte of code >= 0xdc00 && code < 0xdd00 ? [code - 0xdc00] : new TextEncoder().encode(c))
        text += octal(byte);
    } else text += c;
  }
  return `"${text}"`;
}

function octal(byte: number): string {
  return `\\${byte.toString(8).padStart(3, '0')}`;
}
