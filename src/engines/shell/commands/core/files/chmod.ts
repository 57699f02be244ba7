/**
 * `chmod` of coreutils 9.1.
 *
 * Source: chmod(1).
 */
import { applyMode, type ModeChanges, permissionText, readMode } from '../../program/file-mode.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { type Visit, walkTree } from '../../program/tree-walk.js';

const OPTIONS = defineOptions(
  'c,changes R,recursive no-preserve-root preserve-root quiet,silent,f reference: v,verbose',
);
const MODE_WORD = /^-[rwxXstugoa,=+-]/;

interface ChmodLine {
  verbose: 'no' | 'changes' | 'all';
  quiet: boolean;
  recursive: boolean;
  preserveRoot: boolean;
  reference: string | undefined;
}

/** Takes modes such as `-w` or `-x` out of the options; several are joined by commas. */
function takeModes(args: readonly string[]): { modes: string[]; args: string[] } {
  const modes: string[] = [];
  const rest: string[] = [];
  let isPlain = false;
  for (const word of args) {
    if (!isPlain && MODE_WORD.test(word) && parseLine([word], OPTIONS).error !== undefined) modes.push(word);
    else rest.push(word);
    if (word === '--') isPlain = true;
  }
  return { modes, args: rest };
}

function octal(mode: number): string {
  return `${mode.toString(8).padStart(4, '0')} (${permissionText(mode)})`;
}

class ModeSetter {
  constructor(
    private readonly tool: Tool,
    private readonly line: ChmodLine,
    private readonly changes: ModeChanges,
    private readonly wasOption: boolean,
  ) {}

  visit(visit: Visit): boolean {
    const { tool, line } = this;
    const { path, inode } = visit;
    const named = tool.named(path);
    if (inode.kind === 'symlink') {
      if (!visit.isOperand) {
        if (line.verbose === 'all')
          tool.out(`neither symbolic link ${named} nor referent has been changed\n`);
        return true;
      }
    }
    let target = inode;
    try {
      if (inode.kind === 'symlink') target = tool.proc.stat(path);
    } catch (error) {
      const failure = systemError(error);
      if (failure.code === 'ENOENT') this.fail(`cannot operate on dangling symlink ${named}`);
      else this.fail(`cannot access ${named}: ${failure.text}`);
      return false;
    }
    const before = target.mode & 0o7777;
    const isDirectory = target.kind === 'directory';
    const after = applyMode(before, this.changes, { isDirectory, umask: tool.proc.umask });
    try {
      tool.proc.chmod(path, after);
    } catch (error) {
      const failure = systemError(error);
      this.fail(`changing permissions of ${named}: ${failure.text}`);
      if (line.verbose === 'all')
        tool.out(`failed to change mode of ${named} from ${octal(before)} to ${octal(after)}\n`);
      return true;
    }
    const now = tool.proc.stat(path).mode & 0o7777;
    if (line.verbose === 'all' && now === before) tool.out(`mode of ${named} retained as ${octal(now)}\n`);
    else if (line.verbose !== 'no' && now !== before)
      tool.out(`mode of ${named} changed from ${octal(before)} to ${octal(now)}\n`);
    if (this.wasOption) {
      const naive = applyMode(before, this.changes, { isDirectory, umask: 0 });
      if ((now & ~naive) !== 0)
        tool.fail(
          `${tool.path(path)}: new permissions are ${permissionText(now)}, not ${permissionText(naive)}`,
        );
    }
    return true;
  }

  unseen(path: string, message: string): void {
    this.fail(`cannot access ${this.tool.named(path)}: ${message}`);
    if (this.line.verbose === 'all') this.tool.out(`${this.tool.named(path)} could not be accessed\n`);
  }

  unlisted(path: string, message: string): void {
    this.fail(`cannot read directory ${this.tool.named(path)}: ${message}`);
  }

  private fail(message: string): void {
    if (this.line.quiet) this.tool.status = 1;
    else this.tool.fail(message);
  }
}

function readChanges(tool: Tool, line: ChmodLine, modes: readonly string[]): ModeChanges {
  if (line.reference !== undefined) {
    try {
      const { mode } = tool.proc.stat(line.reference);
      return [
        {
          op: '=',
          affected: 0o7777,
          value: mode & 0o7777,
          conditionalX: false,
          usesUmask: false,
          mentioned: 0o7777,
        },
      ];
    } catch (error) {
      return tool.die(
        `failed to get attributes of ${tool.named(line.reference)}: ${systemError(error).text}`,
      );
    }
  }
  const text = modes.length > 0 ? modes.join(',') : (tool.operands[0] ?? '');
  const changes = readMode(text);
  if (changes === undefined) return tool.usage(`invalid mode: ${tool.quote(text)}`);
  return changes;
}

/** The command. */
export const chmod = defineTool('chmod', function* (tool) {
  const line: ChmodLine = {
    verbose: 'no',
    quiet: false,
    recursive: false,
    preserveRoot: false,
    reference: undefined,
  };
  const taken = takeModes(tool.args);
  for (const { key, value } of tool.options(OPTIONS, { args: taken.args })) {
    if (key === 'c') line.verbose = 'changes';
    if (key === 'v') line.verbose = 'all';
    if (key === 'quiet') line.quiet = true;
    if (key === 'R') line.recursive = true;
    if (key === 'preserve-root') line.preserveRoot = true;
    if (key === 'no-preserve-root') line.preserveRoot = false;
    if (key === 'reference') line.reference = value;
  }
  const hasMode = taken.modes.length > 0 || line.reference !== undefined;
  if (line.reference !== undefined && taken.modes.length > 0)
    tool.usage('cannot combine mode and --reference options');
  if (tool.operands.length < (hasMode ? 1 : 2)) {
    const [only] = tool.operands;
    if (only === undefined && taken.modes.length === 0) tool.usage('missing operand');
    tool.usage(`missing operand after ${tool.quote(only ?? taken.modes[taken.modes.length - 1] ?? '')}`);
  }
  const setter = new ModeSetter(tool, line, readChanges(tool, line, taken.modes), taken.modes.length > 0);
  for (const path of hasMode ? tool.operands : tool.operands.slice(1)) {
    if (line.recursive && line.preserveRoot && tool.proc.exists(path) && tool.proc.realpath(path) === '/') {
      tool.fail(`it is dangerous to operate recursively on ${tool.named('/')}`);
      tool.fail('use --no-preserve-root to override this failsafe');
      continue;
    }
    yield* walkTree(tool, path, setter, { recursive: line.recursive, follow: 'never' });
  }
  return tool.status;
});
