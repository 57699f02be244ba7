/**
 * What a file is, in the words of messages and of `stat`.
 */
import type { Inode } from '../../kernel/index.js';

/** For example `regular file`, `regular empty file`, `directory`. */
export function kindWords(inode: Inode): string {
  switch (inode.kind) {
    case 'file':
      return (inode.content?.size ?? 0) === 0 ? 'regular empty file' : 'regular file';
    case 'directory':
      return 'directory';
    case 'symlink':
      return 'symbolic link';
    case 'fifo':
      return 'fifo';
    case 'char':
      return 'character special file';
    case 'block':
      return 'block special file';
    case 'socket':
      return 'socket';
  }
}
