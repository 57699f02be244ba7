/**
 * The copier behind `cp`, `mv` (between file systems) and `install`.
 *
 * The idea: one walk over the source that makes each thing at its place, keeps what is asked, and tells what the real
 * program tells. Source: cp(1), messages of coreutils 9.1. Not covered: sparse detection, reflinks (accepted, plain copy).
 */
import { type Inode, type Running, SystemError } from '../../../kernel/index.js';
import { mayWrite } from '../../program/access.js';
import { askYes } from '../../program/ask.js';
import { type BackupRule, backupName } from '../../program/backup.js';
import { permissionText } from '../../program/file-mode.js';
import { joinPath, lastName } from '../../program/path-words.js';
import { systemError, type Tool } from '../../program/tool.js';

/** What to copy and how. */
export interface CopyRule {
  recursive: boolean;
  /** `always` follows links, `operands` only those named, `never` none. */
  follow: 'always' | 'operands' | 'never';
  force: boolean;
  interactive: 'no' | 'ask' | 'skip';
  update: boolean;
  verbose: boolean;
  removeDestination: boolean;
  linkInstead: 'no' | 'hard' | 'symbolic';
  keepMode: boolean;
  keepTimes: boolean;
  keepOwner: boolean;
  keepLinks: boolean;
  attributesOnly: boolean;
  copyContents: boolean;
  oneFileSystem: boolean;
  backup: BackupRule;
  /** Operands go into a folder. */
  toFolder: boolean;
}

interface Place {
  readonly source: string;
  readonly target: string;
  readonly isOperand: boolean;
}

/** Copies one thing after the other; remembers hard links and what it made. */
export class Copier {
  private readonly links = new Map<number, string>();
  private readonly made = new Set<number>();
  private readonly stack: number[] = [];

  constructor(
    private readonly tool: Tool,
    private readonly rule: CopyRule,
  ) {}

  /** Copies a source to a target path. True where it succeeded. */
  *copy(source: string, target: string): Running<boolean> {
    return yield* this.one({ source, target, isOperand: true });
  }

  private lstat(path: string): Inode | null {
    try {
      return this.tool.proc.lstat(path);
    } catch (error) {
      systemError(error);
      return null;
    }
  }

  private sourceInode(place: Place): Inode | null {
    const { tool, rule } = this;
    const follows = rule.follow === 'always' || (rule.follow === 'operands' && place.isOperand);
    try {
      return follows ? tool.proc.stat(place.source) : tool.proc.lstat(place.source);
    } catch (error) {
      tool.fail(`cannot stat ${tool.named(place.source)}: ${systemError(error).text}`);
      return null;
    }
  }

  private *one(place: Place): Running<boolean> {
    const { tool, rule } = this;
    const inode = this.sourceInode(place);
    if (inode === null) return false;
    if (inode.kind === 'directory' && !rule.recursive) {
      tool.fail(`-r not specified; omitting directory ${tool.named(place.source)}`);
      return false;
    }
    if (place.isOperand && this.repeats(place, inode)) return true;
    let there: Inode | null = null;
    try {
      there = tool.proc.lstat(place.target);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code !== 'ENOENT' && !place.target.endsWith('/')) {
        tool.fail(`cannot stat ${tool.named(place.target)}: ${failure.text}`);
        return false;
      }
    }
    if (there !== null) {
      const goesOn = yield* this.replaces(place, inode, there);
      if (goesOn !== 'go') return goesOn === 'skip';
    }
    tool.proc.tick(3);
    if (tool.io.mustDrain) yield* tool.io.drain();
    if (inode.kind === 'directory') return yield* this.folder(place, inode);
    return yield* this.thing(place, inode);
  }

  /** True, with a warning, where an operand was copied before. */
  private repeats(place: Place, inode: Inode): boolean {
    if (!this.rule.toFolder || this.rule.backup.kind !== 'none') return false;
    if (!this.seen.has(inode.ino)) {
      this.seen.add(inode.ino);
      return false;
    }
    const what = inode.kind === 'directory' ? 'directory' : 'file';
    this.tool.warn(`warning: source ${what} ${this.tool.named(place.source)} specified more than once`);
    return true;
  }

  private readonly seen = new Set<number>();

  /** What is to happen with something that is there already. */
  private *replaces(place: Place, inode: Inode, link: Inode): Running<'go' | 'skip' | 'failed'> {
    const { tool, rule } = this;
    let there = link;
    if (link.kind === 'symlink')
      try {
        there = tool.proc.stat(place.target);
      } catch (error) {
        systemError(error);
      }
    const [from, to] = [tool.named(place.source), tool.named(place.target)];
    if (inode.kind !== 'directory' || link.kind === 'directory') {
      const isSame =
        inode.kind === 'symlink' ? inode.ino === link.ino : inode.ino === there.ino || inode.ino === link.ino;
      const breaks = rule.removeDestination && inode.ino !== link.ino;
      if (
        isSame &&
        inode.kind !== 'directory' &&
        !breaks &&
        rule.backup.kind === 'none' &&
        !(rule.linkInstead === 'hard')
      ) {
        tool.fail(`${from} and ${to} are the same file`);
        return 'failed';
      }
      if (isSame && rule.linkInstead === 'hard') return 'skip';
    }
    if (rule.update && inode.kind !== 'directory' && there.mtimeUs >= inode.mtimeUs) return 'skip';
    if (rule.interactive === 'skip' && inode.kind !== 'directory') return 'skip';
    if (inode.kind !== 'directory' && there.kind === 'directory') {
      tool.fail(`cannot overwrite directory ${to} with non-directory`);
      return 'failed';
    }
    if (rule.interactive === 'ask' && inode.kind !== 'directory') {
      if (!(yield* askYes(tool, overwriteQuestion(tool, place.target, there)))) return 'skip';
    }
    if (inode.kind === 'directory' && there.kind !== 'directory' && rule.backup.kind === 'none') {
      tool.fail(`cannot overwrite non-directory ${to} with directory ${from}`);
      return 'failed';
    }
    if (this.made.has(link.ino) && inode.kind !== 'directory' && rule.backup.kind !== 'numbered') {
      tool.fail(`will not overwrite just-created ${to} with ${from}`);
      return 'failed';
    }
    return this.clearsPlace(place, inode, link) ? 'go' : 'failed';
  }

  /** Makes room: a backup, or removal where the old file may not be written into. */
  private clearsPlace(place: Place, inode: Inode, link: Inode): boolean {
    const { tool, rule } = this;
    if (inode.kind === 'directory' && link.kind === 'directory') return true;
    const to = tool.named(place.target);
    if (rule.backup.kind !== 'none') {
      const name = backupName(tool, place.target, rule.backup);
      return tool.attempt(
        () => {
          tool.proc.rename(place.target, name);
          this.backups.set(place.target, name);
        },
        (error) => tool.fail(`cannot backup ${to}: ${error.text}`),
      );
    }
    const mustGo =
      rule.removeDestination ||
      (inode.kind !== 'file' && !rule.copyContents) ||
      (rule.linkInstead !== 'no' && rule.force);
    if (!mustGo || link.kind === 'directory') return true;
    if (rule.linkInstead !== 'no' && !rule.force && !rule.removeDestination) return true;
    const done = tool.attempt(
      () => tool.proc.unlink(place.target),
      (error) => tool.fail(`cannot remove ${to}: ${error.text}`),
    );
    if (done && rule.verbose && rule.removeDestination) tool.out(`removed ${to}\n`);
    return done;
  }

  private readonly backups = new Map<string, string>();

  private told(place: Place): void {
    if (!this.rule.verbose) return;
    const { tool } = this;
    const backup = this.backups.get(place.target);
    const extra = backup === undefined ? '' : ` (backup: ${tool.named(backup)})`;
    tool.out(`${tool.named(place.source)} -> ${tool.named(place.target)}${extra}\n`);
  }

  private *folder(place: Place, inode: Inode): Running<boolean> {
    const { tool } = this;
    if (this.made.has(inode.ino) || this.stack.includes(inode.ino)) {
      const { source, target } = this.root ?? place;
      tool.fail(`cannot copy a directory, ${tool.named(source)}, into itself, ${tool.named(target)}`);
      return false;
    }
    if (place.isOperand) this.root = place;
    let isNew = false;
    try {
      if (this.lstat(place.target) === null) {
        tool.proc.mkdir(place.target, (inode.mode & 0o777) | 0o700);
        isNew = true;
        this.made.add(tool.proc.stat(place.target).ino);
        this.told(place);
      }
    } catch (error) {
      tool.fail(`cannot create directory ${tool.named(place.target)}: ${systemError(error).text}`);
      return false;
    }
    let names: string[];
    let isComplete = true;
    try {
      names = tool.proc.readdir(place.source).map((entry) => entry.name);
    } catch (error) {
      tool.fail(`cannot access ${tool.named(place.source)}: ${systemError(error).text}`);
      names = [];
      isComplete = false;
    }
    this.stack.push(inode.ino);
    for (const name of names) {
      const child = {
        source: joinPath(place.source, name),
        target: joinPath(place.target, name),
        isOperand: false,
      };
      isComplete = (yield* this.one(child)) && isComplete;
    }
    this.stack.pop();
    this.attributes(place.target, inode, isNew);
    return isComplete;
  }

  private root: Place | undefined;

  private *thing(place: Place, inode: Inode): Running<boolean> {
    const { tool, rule } = this;
    const { proc } = tool;
    const to = tool.named(place.target);
    if (rule.keepLinks && inode.nlink > 1) {
      const first = this.links.get(inode.ino);
      if (first !== undefined) {
        if (this.lstat(place.target) !== null) proc.unlink(place.target);
        return tool.attempt(
          () => {
            proc.link(first, place.target);
            this.told(place);
          },
          (error) => tool.fail(`cannot create hard link ${to} to ${tool.named(first)}: ${error.text}`),
        );
      }
      this.links.set(inode.ino, place.target);
    }
    try {
      if (rule.linkInstead === 'symbolic') {
        if (place.target.includes('/') && !place.source.startsWith('/') && !place.target.startsWith('./')) {
          tool.fail(`${tool.path(place.target)}: can make relative symbolic links only in current directory`);
          return false;
        }
        this.told(place);
        proc.symlink(place.source, place.target);
        return true;
      }
      if (rule.linkInstead === 'hard') {
        this.told(place);
        proc.link(place.source, place.target);
        return true;
      }
    } catch (error) {
      const what = rule.linkInstead === 'hard' ? 'hard link' : 'symbolic link';
      tool.fail(`cannot create ${what} ${to} to ${tool.named(place.source)}: ${systemError(error).text}`);
      return false;
    }
    const isNew = this.lstat(place.target) === null;
    const done = yield* this.content(place, inode);
    if (!done) return false;
    const result = this.lstat(place.target);
    if (result !== null) this.made.add(result.ino);
    this.attributes(place.target, inode, isNew);
    return true;
  }

  /** Makes the file, link, pipe or device itself. */
  private *content(place: Place, inode: Inode): Running<boolean> {
    const { tool, rule } = this;
    const { proc } = tool;
    const to = tool.named(place.target);
    if (inode.kind === 'symlink') {
      this.told(place);
      return tool.attempt(
        () => proc.symlink(proc.readlink(place.source), place.target),
        (error) => tool.fail(`cannot create symbolic link ${to}: ${error.text}`),
      );
    }
    if (inode.kind !== 'file' && rule.recursive && !rule.copyContents) {
      this.told(place);
      return tool.attempt(
        () =>
          proc.kernel.files.create(proc.actor, place.target, {
            kind: inode.kind,
            mode: inode.mode & 0o777,
            ...(inode.rdev === undefined ? {} : { rdev: inode.rdev }),
          }),
        (error) =>
          tool.fail(
            inode.kind === 'fifo'
              ? `cannot create fifo ${to}: ${error.text}`
              : `cannot create special file ${to}: ${error.text}`,
          ),
      );
    }
    return yield* this.bytes(place, inode);
  }

  private *bytes(place: Place, inode: Inode): Running<boolean> {
    const { tool, rule } = this;
    const { proc } = tool;
    let from: number;
    try {
      from = yield* proc.open(place.source);
    } catch (error) {
      tool.fail(`cannot open ${tool.named(place.source)} for reading: ${systemError(error).text}`);
      return false;
    }
    let to: number;
    try {
      to = yield* this.openTarget(place, inode);
    } catch (error) {
      proc.close(from);
      if (!(error instanceof SystemError)) throw error;
      const dangling = this.lstat(place.target)?.kind === 'symlink' && error.code === 'ENOENT';
      if (dangling) tool.fail(`not writing through dangling symlink ${tool.named(place.target)}`);
      else {
        const why = error.code === 'EISDIR' && place.target.endsWith('/') ? 'Not a directory' : error.text;
        tool.fail(`cannot create regular file ${tool.named(place.target)}: ${why}`);
      }
      return false;
    }
    this.told(place);
    if (!rule.attributesOnly)
      try {
        for (;;) {
          const piece = yield* proc.read(from);
          if (piece.length === 0) break;
          yield* proc.write(to, piece);
        }
      } catch (error) {
        const failure = systemError(error);
        const isRead = failure.code === 'EISDIR' || failure.code === 'EIO';
        tool.fail(
          `error ${isRead ? 'reading' : 'writing'} ${tool.named(isRead ? place.source : place.target)}: ${failure.text}`,
        );
        proc.close(from);
        proc.close(to);
        return false;
      }
    proc.close(from);
    proc.close(to);
    return true;
  }

  private *openTarget(place: Place, inode: Inode): Running<number> {
    const { tool, rule } = this;
    const { proc } = tool;
    const mode = rule.keepOwner ? inode.mode & 0o700 : inode.mode & 0o777;
    const isThere = this.lstat(place.target);
    if (isThere === null)
      return yield* proc.open(place.target, { write: true, create: true, exclusive: true, mode });
    if (isThere.kind === 'symlink' && !proc.exists(place.target))
      throw new SystemError('ENOENT', place.target);
    try {
      return yield* proc.open(place.target, { write: true, truncate: !rule.attributesOnly });
    } catch (error) {
      if (!(error instanceof SystemError) || !rule.force) throw error;
      proc.unlink(place.target);
      if (rule.verbose) tool.out(`removed ${tool.named(place.target)}\n`);
      return yield* proc.open(place.target, { write: true, create: true, exclusive: true, mode });
    }
  }

  /** Owner, mode and times of what was made. */
  private attributes(target: string, inode: Inode, isNew: boolean): void {
    const { tool, rule } = this;
    const { proc } = tool;
    const named = tool.named(target);
    const isLink = inode.kind === 'symlink';
    if (rule.keepTimes)
      tool.attempt(
        () => proc.utimes(target, { atimeUs: inode.atimeUs, mtimeUs: inode.mtimeUs, follow: !isLink }),
        (error) => tool.fail(`preserving times for ${named}: ${error.text}`),
      );
    if (rule.keepOwner)
      tool.attempt(
        () => proc.chown(target, { uid: inode.uid, gid: inode.gid, follow: !isLink }),
        (error) => {
          if (proc.uid === 0 || error.code !== 'EPERM')
            tool.fail(`failed to preserve ownership for ${named}: ${error.text}`);
        },
      );
    if (isLink) return;
    if (rule.keepMode) {
      tool.attempt(
        () => proc.chmod(target, inode.mode & 0o7777),
        (error) => tool.fail(`preserving permissions for ${named}: ${error.text}`),
      );
    } else if (isNew && inode.kind === 'directory') proc.chmod(target, inode.mode & 0o777 & ~proc.umask);
  }
}

/** The question before something is overwritten. */
export function overwriteQuestion(tool: Tool, target: string, there: Inode): string {
  if (mayWrite(tool.proc, target, there)) return `overwrite ${tool.named(target)}? `;
  const mode = (there.mode & 0o7777).toString(8).padStart(4, '0');
  return `replace ${tool.named(target)}, overriding mode ${mode} (${permissionText(there.mode)})? `;
}

/** The target of one source inside a folder. */
export function targetIn(folder: string, source: string): string {
  return joinPath(folder, lastName(source) === '/' ? '' : lastName(source));
}
