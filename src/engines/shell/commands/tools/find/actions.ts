/**
 * The actions of find: printing, deleting, running commands.
 *
 * Source: find(1), "ACTIONS". Commands of `-exec … +` run when enough names have gathered and at the end. Not covered:
 * `-okdir`'s terminal (the answer is read from standard input).
 */
import { Exit, type Running, runCommand, SystemError, shellStatus } from '../../../kernel/index.js';
import type { PredicateReader } from './predicates.js';
import { type FormatPiece, listing, readFormat, renderFormat } from './print-format.js';
import { baseName, type FindRun, type Test, type Visit } from './visit.js';

/** Reads the action of a name; undefined where there is none of it. */
export function readAction(reader: PredicateReader, word: string): Test | undefined {
  const { run } = reader;
  const { io } = run;
  switch (word) {
    case '-print':
    case '-print0': {
      reader.hasAction = true;
      const end = word === '-print' ? '\n' : '\0';
      return printer(run, (visit) => `${visit.path}${end}`);
    }
    case '-printf': {
      reader.hasAction = true;
      const pieces = format(reader, reader.argument(word));
      return printer(run, (visit) => renderFormat(pieces, visit, run));
    }
    case '-ls':
      reader.hasAction = true;
      return printer(run, (visit) => listing(visit, run));
    case '-fprint':
    case '-fprint0':
    case '-fls':
    case '-fprintf':
      return fileAction(reader, word);
    case '-prune':
      // biome-ignore lint/correctness/useYield: marking does not wait
      return function* (visit) {
        visit.pruned = true;
        return true;
      };
    case '-quit':
      reader.hasAction = true;
      // biome-ignore lint/correctness/useYield: marking does not wait
      return function* () {
        run.quit = true;
        return true;
      };
    case '-delete':
      reader.hasAction = true;
      run.depthFirst = true;
      return deleter(run);
    case '-exec':
    case '-execdir':
    case '-ok':
    case '-okdir':
      reader.hasAction = true;
      return execution(reader, word);
    case '-help':
    case '--help':
      io.out(HELP_HEAD);
      throw new Exit(0);
    default:
      return undefined;
  }
}

const HELP_HEAD = 'Usage: find [-H] [-L] [-P] [-Olevel] [-D debugopts] [path...] [expression]\n';

function printer(run: FindRun, text: (visit: Visit) => string): Test {
  return function* (visit) {
    run.io.out(text(visit));
    if (run.io.mustDrain) yield* run.io.drain();
    return true;
  };
}

function format(reader: PredicateReader, text: string): readonly FormatPiece[] {
  const { pieces, warnings, error } = readFormat(text);
  for (const warning of warnings) reader.warn(warning);
  if (error !== undefined) reader.fail(error);
  return pieces;
}

/** Actions that write to a file of their own. */
function fileAction(reader: PredicateReader, word: string): Test {
  reader.hasAction = true;
  const { run } = reader;
  const name = reader.argument(word);
  const pieces = word === '-fprintf' ? format(reader, reader.argument(word)) : [];
  let fd: number;
  try {
    fd = run.proc.openNow(name, { write: true, create: true, truncate: true, closeOnExec: true });
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return reader.fail(`‘${name}’: ${error.text}`);
  }
  const text = (visit: Visit): string => {
    if (word === '-fls') return listing(visit, run);
    if (word === '-fprintf') return renderFormat(pieces, visit, run);
    return `${visit.path}${word === '-fprint' ? '\n' : '\0'}`;
  };
  return function* (visit) {
    yield* run.proc.write(fd, text(visit));
    return true;
  };
}

function deleter(run: FindRun): Test {
  // biome-ignore lint/correctness/useYield: deleting does not wait
  return function* (visit) {
    if (visit.path === '.') return true;
    try {
      if (visit.inode.kind === 'directory') run.proc.rmdir(visit.path);
      else run.proc.unlink(visit.path);
      return true;
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      run.io.error(`cannot delete ‘${visit.path}’: ${error.text}`);
      run.status = 1;
      return false;
    }
  };
}

/** The most bytes of names in one command. */
const COMMAND_BYTES = 128 * 1024;

function execution(reader: PredicateReader, word: string): Test {
  const { run } = reader;
  const { words, together } = reader.command(word);
  const inFolder = word.endsWith('dir');
  if (together) return gathered(run, words, inFolder);
  const asks = word.startsWith('-ok');
  return function* (visit) {
    const shown = inFolder ? `./${baseName(visit.path)}` : visit.path;
    const argv = words.map((one) => one.replaceAll('{}', shown));
    if (asks && !(yield* isAllowed(run, argv[0] ?? '', shown))) return false;
    const folder = inFolder ? folderOf(visit.path) : undefined;
    return (yield* runAndWait(run, argv, folder)) === 0;
  };
}

function* isAllowed(run: FindRun, program: string, shown: string): Running<boolean> {
  yield* run.io.flush();
  run.io.err(`< ${program} ... ${shown} > ? `);
  const answer = yield* run.io.lines(0).line();
  return answer !== null && /^[yY]/.test(answer);
}

function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at);
}

/** `-exec … {} +`: gathers names. */
function gathered(run: FindRun, words: readonly string[], inFolder: boolean): Test {
  let names: string[] = [];
  let bytes = 0;
  let folder: string | undefined;
  const send = function* (): Running<void> {
    if (names.length === 0) return;
    const argv = [...words, ...names];
    names = [];
    bytes = 0;
    if ((yield* runAndWait(run, argv, folder)) !== 0) run.status = 1;
  };
  run.atEnd.push(send);
  return function* (visit) {
    const here = inFolder ? folderOf(visit.path) : undefined;
    if (names.length > 0 && here !== folder) yield* send();
    folder = here;
    const name = inFolder ? `./${baseName(visit.path)}` : visit.path;
    names.push(name);
    bytes += name.length + 1;
    if (bytes >= COMMAND_BYTES) yield* send();
    return true;
  };
}

function* runAndWait(run: FindRun, argv: readonly string[], folder: string | undefined): Running<number> {
  yield* run.io.flush();
  try {
    // biome-ignore lint/correctness/useYield: changing the folder does not wait
    const status = yield* runCommand(run.proc, argv, function* (child) {
      if (folder !== undefined) child.chdir(folder);
    });
    return shellStatus(status);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    run.io.error(`‘${argv[0] ?? ''}’: ${error.text}`);
    return 127;
  }
}
