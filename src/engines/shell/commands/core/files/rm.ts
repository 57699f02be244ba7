/**
 * `rm` of coreutils 9.1: prompts, `-i`, `-I`, and the refusal to remove `/`, `.` and `..`.
 *
 * Source: rm(1).
 */
import type { Inode, Running } from '../../../kernel/index.js';
import { mayWrite } from '../../program/access.js';
import { askYes } from '../../program/ask.js';
import { kindWords } from '../../program/kind-words.js';
import { defineOptions } from '../../program/options.js';
import { removeFolder } from '../../program/remove-folder.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions(
  'f,force i I interactive:: one-file-system no-preserve-root preserve-root:: -presume-input-tty r,recursive R d,dir v,verbose',
);

interface RmLine {
  force: boolean;
  prompt: 'never' | 'sometimes' | 'always';
  once: boolean;
  recursive: boolean;
  folders: boolean;
  verbose: boolean;
  preserveRoot: boolean;
}

function readLine(tool: Tool): RmLine {
  const line: RmLine = {
    force: false,
    prompt: 'sometimes',
    once: false,
    recursive: false,
    folders: false,
    verbose: false,
    preserveRoot: true,
  };
  for (const { key, value } of tool.options(OPTIONS)) {
    if (key === 'f') Object.assign(line, { force: true, prompt: 'never', once: false });
    if (key === 'i') Object.assign(line, { force: false, prompt: 'always', once: false });
    if (key === 'I') Object.assign(line, { force: false, prompt: 'sometimes', once: true });
    if (key === 'interactive') {
      const word =
        value === undefined
          ? 'always'
          : tool.choice('--interactive', value, [['never', 'no', 'none'], ['once'], ['always', 'yes']]);
      if (word === 'always') Object.assign(line, { force: false, prompt: 'always', once: false });
      else if (word === 'once') Object.assign(line, { force: false, prompt: 'sometimes', once: true });
      else Object.assign(line, { prompt: 'never', once: false });
    }
    if (key === 'r' || key === 'R') line.recursive = true;
    if (key === 'd') line.folders = true;
    if (key === 'v') line.verbose = true;
    if (key === 'no-preserve-root') line.preserveRoot = false;
    if (key === 'preserve-root') line.preserveRoot = true;
  }
  return line;
}

/** Removes one name and, where asked, all below it. False where something stays. */
class Remover {
  constructor(
    private readonly tool: Tool,
    private readonly line: RmLine,
  ) {}

  *operand(path: string): Running<void> {
    const { tool, line } = this;
    const last = path.replace(/\/+$/, '').split('/').pop();
    let inode: Inode;
    try {
      inode = tool.proc.lstat(path);
    } catch (error) {
      const failure = systemError(error);
      if (line.force && (failure.code === 'ENOENT' || failure.code === 'ENOTDIR')) return;
      tool.fail(`cannot remove ${tool.named(path)}: ${failure.text}`);
      return;
    }
    if (inode.kind === 'directory') {
      if (!line.recursive && !line.folders) {
        tool.fail(`cannot remove ${tool.named(path)}: Is a directory`);
        return;
      }
      if (last === '.' || last === '..') {
        const dots = `${tool.named('.')} or ${tool.named('..')}`;
        tool.fail(`refusing to remove ${dots} directory: skipping ${tool.named(path)}`);
        return;
      }
      if (!line.recursive && this.canList(path) && !this.isEmpty(path)) {
        tool.fail(`cannot remove ${tool.named(path)}: Directory not empty`);
        return;
      }
      if (line.preserveRoot && line.recursive && inode.ino === tool.proc.stat('/').ino) {
        if (path === '/') tool.fail(`it is dangerous to operate recursively on ${tool.named('/')}`);
        else
          tool.fail(
            `it is dangerous to operate recursively on ${tool.named(path)} (same as ${tool.named('/')})`,
          );
        tool.fail('use --no-preserve-root to override this failsafe');
        return;
      }
    }
    yield* this.remove(path, inode);
  }

  private canList(path: string): boolean {
    try {
      this.tool.proc.readdir(path);
      return true;
    } catch (error) {
      systemError(error);
      return false;
    }
  }

  private isEmpty(path: string): boolean {
    try {
      return this.tool.proc.readdir(path).length === 0;
    } catch (error) {
      systemError(error);
      return false;
    }
  }

  /** Asks where that is due; true means go on. `word` is what is asked for. */
  private *agrees(path: string, inode: Inode, ask: 'descend' | 'remove'): Running<boolean> {
    const { tool, line } = this;
    if (line.prompt === 'never') return true;
    const isProtected = inode.kind !== 'symlink' && !mayWrite(tool.proc, path, inode);
    const isDue = line.prompt === 'always' || (isProtected && tool.proc.isatty(0));
    if (!isDue) return true;
    const what = kindWords(inode);
    const guard = isProtected ? 'write-protected ' : '';
    const question =
      ask === 'descend'
        ? `descend into ${guard}directory ${tool.named(path)}? `
        : `remove ${guard}${what} ${tool.named(path)}? `;
    return yield* askYes(tool, question);
  }

  private *remove(path: string, inode: Inode): Running<boolean> {
    const { tool } = this;
    if (inode.kind !== 'directory') {
      if (!(yield* this.agrees(path, inode, 'remove'))) return false;
      return this.attempt(path, () => tool.proc.unlink(path), 'removed');
    }
    let names: string[] = [];
    try {
      names = tool.proc.readdir(path).map((entry) => entry.name);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code !== 'EACCES') {
        tool.fail(`cannot remove ${tool.named(path)}: ${failure.text}`);
        return false;
      }
      if (!(yield* this.agrees(path, inode, 'remove'))) return false;
      if (this.tryEmpty(path)) return true;
      tool.fail(`cannot remove ${tool.named(path)}: ${failure.text}`);
      return false;
    }
    let isComplete = true;
    if (names.length > 0) {
      if (!(yield* this.agrees(path, inode, 'descend'))) return false;
      for (const name of names) {
        const child = path.endsWith('/') ? path + name : `${path}/${name}`;
        tool.proc.tick(5);
        if (tool.io.mustDrain) yield* tool.io.drain();
        try {
          isComplete = (yield* this.remove(child, tool.proc.lstat(child))) && isComplete;
        } catch (error) {
          tool.fail(`cannot remove ${tool.named(child)}: ${systemError(error).text}`);
          isComplete = false;
        }
      }
    }
    if (!isComplete) return false;
    if (!(yield* this.agrees(path, inode, 'remove'))) return false;
    return this.attempt(path, () => removeFolder(tool.proc, path), 'removed directory');
  }

  private tryEmpty(path: string): boolean {
    try {
      this.tool.proc.rmdir(path);
    } catch (error) {
      systemError(error);
      return false;
    }
    if (this.line.verbose) this.tool.out(`removed directory ${this.tool.named(path)}\n`);
    return true;
  }

  private attempt(path: string, action: () => void, word: string): boolean {
    const { tool } = this;
    const done = tool.attempt(action, (error) =>
      tool.fail(`cannot remove ${tool.named(path)}: ${error.text}`),
    );
    if (done && this.line.verbose) tool.out(`${word} ${tool.named(path)}\n`);
    return done;
  }
}

/** The command. */
export const rm = defineTool('rm', function* (tool) {
  const line = readLine(tool);
  if (tool.operands.length === 0) {
    if (line.force) return 0;
    tool.usage('missing operand');
  }
  const count = tool.operands.length;
  if (line.once && (line.recursive || count > 3)) {
    const what = `${count} argument${count === 1 ? '' : 's'}`;
    const question = `remove ${what}${line.recursive ? ' recursively' : ''}? `;
    if (!(yield* askYes(tool, question))) return 0;
  }
  const remover = new Remover(tool, line);
  for (const path of tool.operands) yield* remover.operand(path);
  return tool.status;
});
