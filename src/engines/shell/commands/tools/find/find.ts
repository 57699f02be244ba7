/**
 * `find` of GNU findutils 4.9: starting points, the walk, the expression.
 *
 * Source: find(1). Entries come in the disk's order. Not covered: `-D`, `-O` (read and ignored), `-files0-from`.
 */
import {
  type Command,
  type Inode,
  type Io,
  type Process,
  type Running,
  SystemError,
} from '../../../kernel/index.js';
import { Accounts } from '../../program/accounts.js';
import { helpText } from '../help-texts.js';
import { parseExpression } from './expression.js';
import type { FindRun, Test, Visit } from './visit.js';

/** The command. */
export const find: Command = {
  name: 'find',
  path: '/usr/bin/find',
  sizeBytes: 224_848,
  run: (proc, io) => run(proc, io),
};

function* run(proc: Process, io: Io): Running<number> {
  const words = proc.argv.slice(1);
  if (words.some((word) => word === '-version' || word === '--version')) {
    io.out(helpText('find').version);
    return 0;
  }
  if (words.some((word) => word === '-help' || word === '--help')) {
    io.out(helpText('find').help);
    return 0;
  }
  let links = 'P';
  let at = 0;
  for (; /^-[HLP]$|^-O\d?$|^-D$/.test(words[at] ?? ''); at++) {
    const word = words[at] ?? '';
    if (/^-[HLP]$/.test(word)) links = word.slice(1);
    if (word === '-D') at++;
  }
  const starts: string[] = [];
  for (; at < words.length && !isExpression(words[at] ?? ''); at++) starts.push(words[at] ?? '');
  const state: FindRun = {
    proc,
    io,
    accounts: new Accounts(proc),
    follow: links === 'L',
    depthFirst: false,
    minDepth: 0,
    maxDepth: Number.POSITIVE_INFINITY,
    oneFileSystem: false,
    status: 0,
    quit: false,
    atEnd: [],
  };
  const test = parseExpression(words.slice(at), state);
  const walk = new Walk(state, test);
  for (const start of starts.length === 0 ? ['.'] : starts) {
    if (state.quit) break;
    yield* walk.from(start, links !== 'P');
  }
  for (const last of state.atEnd) yield* last();
  return state.status;
}

function isExpression(word: string): boolean {
  return (
    (word.startsWith('-') && word.length > 1) || word === '(' || word === ')' || word === ',' || word === '!'
  );
}

class Walk {
  constructor(
    private readonly run: FindRun,
    private readonly test: Test,
  ) {}

  /** Walks from a starting point, whose own link is followed if `followsStart`. */
  *from(start: string, followsStart: boolean): Running<void> {
    try {
      const inode = this.look(start, followsStart || this.run.follow);
      yield* this.visit({ path: start, start, depth: 0, inode, pruned: false }, []);
    } catch (error) {
      this.problem(start, error);
    }
  }

  private look(path: string, follow: boolean): Inode {
    const { proc } = this.run;
    if (!follow) return proc.lstat(path);
    try {
      return proc.stat(path);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code === 'EACCES') throw error;
      return proc.lstat(path);
    }
  }

  private problem(path: string, error: unknown): void {
    if (!(error instanceof SystemError)) throw error;
    this.run.status = 1;
    this.run.io.error(`‘${path}’: ${error.text}`);
  }

  private *visit(visit: Visit, above: readonly number[]): Running<void> {
    const { run } = this;
    if (run.io.mustDrain) yield* run.io.drain();
    const counts = visit.depth >= run.minDepth;
    if (counts && !run.depthFirst) yield* this.test(visit);
    if (run.quit) return;
    const isFolder = visit.inode.kind === 'directory';
    if (isFolder && (!visit.pruned || run.depthFirst) && visit.depth < run.maxDepth) {
      if (above.includes(visit.inode.ino)) {
        run.status = 1;
        run.io.error(
          `File system loop detected; ‘${visit.path}’ is part of the same file system loop as ‘${visit.start}’.`,
        );
        return;
      }
      yield* this.enter(visit, [...above, visit.inode.ino]);
    }
    if (counts && run.depthFirst && !run.quit) yield* this.test(visit);
  }

  private *enter(visit: Visit, above: readonly number[]): Running<void> {
    const { run } = this;
    let entries: ReturnType<Process['readdir']>;
    try {
      entries = run.proc.readdir(visit.path);
    } catch (error) {
      this.problem(visit.path, error);
      return;
    }
    for (const { name } of entries) {
      if (run.quit) return;
      const path = visit.path.endsWith('/') ? `${visit.path}${name}` : `${visit.path}/${name}`;
      let inode: Inode;
      try {
        inode = this.look(path, run.follow);
      } catch (error) {
        this.problem(path, error);
        continue;
      }
      if (run.oneFileSystem && inode.dev !== visit.inode.dev) continue;
      yield* this.visit({ path, start: visit.start, depth: visit.depth + 1, inode, pruned: false }, above);
    }
  }
}
