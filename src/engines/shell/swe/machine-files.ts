/**
 * Looking at a machine's files as its user, without a process: what tools that only read need.
 */
import { type Inode, SystemError, toText } from '../kernel/index.js';
import { mayAccess } from '../kernel/path-walk.js';
import { groupIds, groupText } from '../machine/image-accounts.js';
import { accountsOf } from '../machine/lay-files.js';
import type { LiveMachine } from '../session/live-machine.js';

/** What stands at a path. */
export type Seen =
  | { readonly kind: 'file'; readonly text: string; readonly mtimeUs: number }
  | { readonly kind: 'folder' }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'denied'; readonly why: string };

/** One name in a folder. */
export interface SeenEntry {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
  readonly mtimeUs: number;
}

const MAX_FILE_BYTES = 8 << 20;

/** The files of a machine, read as its user. */
export class MachineFiles {
  constructor(private readonly live: LiveMachine) {}

  look(path: string): Seen {
    try {
      const inode = this.inode(path);
      if (inode === undefined) return { kind: 'nothing' };
      if (inode.kind === 'directory') return { kind: 'folder' };
      if (!mayAccess(inode, this.actor, 4))
        return { kind: 'denied', why: `EACCES: permission denied, open '${path}'` };
      const { content } = inode;
      if (content === undefined || content.size > MAX_FILE_BYTES)
        return { kind: 'denied', why: `File content exceeds the maximum size: ${path}` };
      return { kind: 'file', text: toText(content.read(0, content.size)), mtimeUs: inode.mtimeUs };
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return { kind: 'nothing' };
      return { kind: 'denied', why: `${error.code}: ${error.text.toLowerCase()}, open '${path}'` };
    }
  }

  /** The names in a folder in order; empty where there is none or it may not be read. */
  list(path: string): SeenEntry[] {
    try {
      return this.live.kernel.files
        .list(this.actor, path)
        .map(({ name }): SeenEntry => {
          const full = path === '/' ? `/${name}` : `${path}/${name}`;
          const inode = this.inode(full);
          return { path: full, name, isFolder: inode?.kind === 'directory', mtimeUs: inode?.mtimeUs ?? 0 };
        })
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      if (error instanceof SystemError) return [];
      throw error;
    }
  }

  /** Every file below a folder; `skips` says which entries are left out. */
  below(path: string, skips: (entry: SeenEntry) => boolean, into: SeenEntry[] = []): SeenEntry[] {
    for (const entry of this.list(path)) {
      if (into.length > 20_000 || skips(entry)) continue;
      if (entry.isFolder) this.below(entry.path, skips, into);
      else into.push(entry);
    }
    return into;
  }

  private inode(path: string): Inode | undefined {
    return this.live.kernel.files.walk(this.actor, path, true).inode;
  }

  private get actor(): {
    uid: number;
    gid: number;
    groups: readonly number[];
    cwdIno: number;
    umask: number;
  } {
    const { spec, kernel } = this.live.machine;
    const { uid, gid } = spec.user;
    return {
      uid,
      gid,
      groups: groupIds(spec.user, groupText(accountsOf(spec))),
      cwdIno: kernel.files.root,
      umask: 0o022,
    };
  }
}
