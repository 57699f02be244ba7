/**
 * `tail -f`: shows what is appended to files, by descriptor or by name, until it is ended.
 *
 * Source: tail(1) and its messages in coreutils 9.1.
 */
import type { Running } from '../../../kernel/index.js';
import { systemError, type Tool } from '../../program/tool.js';
import type { TailFile } from './tail.js';

/** How files are followed. */
export interface FollowRule {
  readonly shows: boolean;
  readonly byName: boolean;
  readonly retry: boolean;
  readonly pauseUs: number;
  readonly pid: number | undefined;
}

interface Followed extends TailFile {
  ino: number;
  size: number;
}

/** Follows the files; ends only where no file is left, or where the proc of `--pid` ended. */
export function* followFiles(tool: Tool, files: readonly TailFile[], rule: FollowRule): Running<void> {
  const { proc } = tool;
  let followed: Followed[] = files.map((file) => ({ ...file, ino: -1, size: 0 }));
  for (const file of followed) {
    if (file.fd === null) continue;
    const inode = proc.fstat(file.fd);
    file.ino = inode.ino;
    file.size = inode.content?.size ?? 0;
  }
  let last = followed[followed.length - 1]?.name ?? '';
  const show = (file: Followed, bytes: Uint8Array): void => {
    if (rule.shows && last !== file.name)
      tool.out(`\n==> ${file.name === '-' ? 'standard input' : file.name} <==\n`);
    last = file.name;
    tool.io.out(bytes);
  };
  if (
    followed.every((file) => file.fd !== null && proc.fstat(file.fd).kind === 'fifo') &&
    followed.length > 0
  ) {
    yield* copyPipes(tool, followed);
    return;
  }
  for (;;) {
    const wasAlive = rule.pid === undefined || proc.kernel.processes.has(rule.pid);
    for (const file of followed) {
      if (rule.byName) lookAgain(tool, file, rule);
      yield* showNews(tool, file, show);
    }
    if (!rule.retry) followed = followed.filter((file) => file.fd !== null);
    if (followed.length === 0) tool.die('no files remaining');
    yield* tool.io.flush();
    if (!wasAlive) return;
    yield* proc.sleep(Math.max(rule.pauseUs, 1000));
  }
}

function* copyPipes(tool: Tool, files: readonly Followed[]): Running<void> {
  for (const file of files)
    for (;;) {
      const bytes = yield* tool.proc.read(file.fd ?? 0);
      if (bytes.length === 0) break;
      tool.io.out(bytes);
      yield* tool.io.flush();
    }
}

/** Finds out whether the name now means another file. */
function lookAgain(tool: Tool, file: Followed, rule: FollowRule): void {
  const { proc } = tool;
  const name = tool.named(file.name);
  try {
    const inode = proc.stat(file.name);
    if (file.fd !== null && inode.ino === file.ino) return;
    const fd = proc.openNow(file.name, { nonblocking: true });
    const isNew = file.fd === null;
    if (file.fd !== null) proc.close(file.fd);
    tool.warn(
      isNew
        ? `${name} has ${file.ino < 0 ? 'appeared' : 'become accessible'};  following new file`.replace(
            'accessible;  following new file',
            'accessible',
          )
        : `${name} has been replaced;  following new file`,
    );
    file.fd = fd;
    file.ino = inode.ino;
    file.size = 0;
  } catch (error) {
    const failure = systemError(error);
    if (file.fd === null) return;
    tool.warn(`${name} has become inaccessible: ${failure.text}`);
    proc.close(file.fd);
    file.fd = null;
    if (!rule.retry && !rule.byName) file.ino = -1;
  }
}

function* showNews(
  tool: Tool,
  file: Followed,
  show: (file: Followed, bytes: Uint8Array) => void,
): Running<void> {
  const { proc } = tool;
  if (file.fd === null) return;
  const inode = proc.fstat(file.fd);
  if (inode.kind !== 'file') {
    const piece = proc.file(file.fd).readNow(65_536);
    if (piece !== null && piece.length > 0) show(file, piece);
    return;
  }
  const size = inode.content?.size ?? 0;
  if (size < file.size) {
    tool.warn(`${tool.path(file.name)}: file truncated`);
    proc.seek(file.fd, 0);
  }
  file.size = size;
  for (;;) {
    const piece = yield* proc.read(file.fd);
    if (piece.length === 0) return;
    show(file, piece);
  }
}
