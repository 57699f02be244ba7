/**
 * `mktemp`, `truncate`, `mkfifo`, `mknod`, `link`, `unlink` of coreutils 9.1.
 *
 * Source: their manual pages.
 */
import { applyMode, type ModeChanges, readMode } from '../../program/file-mode.js';
import { defineOptions } from '../../program/options.js';
import { joinPath } from '../../program/path-words.js';
import { readSize } from '../../program/size.js';
import { defineTool, plainTool, systemError, type Tool } from '../../program/tool.js';

const MKTEMP = defineOptions('d,directory q,quiet suffix: u,dry-run V p: tmpdir:: t');
const TRUNCATE = defineOptions('c,no-create o,io-blocks r,reference: s,size:');
const MKNOD = defineOptions('m,mode: Z context::');
const NOTHING = defineOptions('');
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

interface TempLine {
  folder: boolean;
  quiet: boolean;
  dry: boolean;
  suffix: string | undefined;
  parent: string | undefined;
  usesParent: boolean;
  old: boolean;
}

/** The template with its folder in front, or the end. */
function templatePath(tool: Tool, line: TempLine, template: string): { path: string; suffix: string } {
  let body = template;
  let suffix = line.suffix;
  if (suffix !== undefined) {
    if (!template.endsWith('X')) tool.die(`with --suffix, template ${tool.quote(template)} must end in X`);
  } else {
    const last = template.lastIndexOf('X');
    suffix = last < 0 ? '' : template.slice(last + 1);
    body = last < 0 ? template : template.slice(0, last + 1);
  }
  if (suffix.includes('/')) tool.die(`invalid suffix ${tool.quote(suffix)}, contains directory separator`);
  if (!/XXX$/.test(body)) tool.die(`too few X's in template ${tool.quote(template)}`);
  if (!line.usesParent) return { path: body, suffix };
  const parent = line.old
    ? tool.env('TMPDIR') || line.parent || '/tmp'
    : line.parent || tool.env('TMPDIR') || '/tmp';
  if (line.old && template.includes('/'))
    tool.die(`invalid template, ${tool.quote(template)}, contains directory separator`);
  if (!line.old && template.startsWith('/'))
    tool.die(`invalid template, ${tool.quote(template)}; with --tmpdir, it may not be absolute`);
  return { path: joinPath(parent, body), suffix };
}

/** The command `mktemp`. */
export const mktemp = plainTool('mktemp', (tool) => {
  const line: TempLine = {
    folder: false,
    quiet: false,
    dry: false,
    suffix: undefined,
    parent: undefined,
    usesParent: false,
    old: false,
  };
  for (const { key, value } of tool.options(MKTEMP)) {
    if (key === 'd') line.folder = true;
    if (key === 'q') line.quiet = true;
    if (key === 'u') line.dry = true;
    if (key === 'suffix') line.suffix = value;
    if (key === 'p' || key === 'tmpdir') {
      line.parent = value;
      line.usesParent = true;
    }
    if (key === 't') {
      line.usesParent = true;
      line.old = true;
    }
  }
  if (tool.operands.length > 1) tool.usage('too many templates');
  let [template] = tool.operands;
  if (template === undefined) {
    template = 'tmp.XXXXXXXXXX';
    line.usesParent = true;
  }
  const { path, suffix } = templatePath(tool, line, template);
  const count = /X+$/.exec(path)?.[0].length ?? 3;
  const what = line.folder ? 'directory' : 'file';
  for (let round = 0; round < 100; round++) {
    let name = path.slice(0, -count);
    for (let index = 0; index < count; index++)
      name += LETTERS[Math.floor(tool.proc.random() * LETTERS.length)];
    name += suffix;
    try {
      if (line.dry) {
        if (tool.proc.exists(name)) continue;
      } else if (line.folder) tool.proc.mkdir(name, 0o700);
      else
        tool.proc.close(tool.proc.openNow(name, { write: true, create: true, exclusive: true, mode: 0o600 }));
      tool.out(`${name}\n`);
      return 0;
    } catch (error) {
      const failure = systemError(error);
      if (failure.code === 'EEXIST') continue;
      if (!line.quiet)
        tool.warn(`failed to create ${what} via template ${tool.quote(path + suffix)}: ${failure.text}`);
      return 1;
    }
  }
  return 1;
});

/** The new size that `-s` asks for, or undefined where it cannot be. */
function newSize(tool: Tool, rule: { mode: string; amount: number }, old: number): number {
  const { mode, amount } = rule;
  if (mode === '+') return old + amount;
  if (mode === '-') return Math.max(0, old - amount);
  if (mode === '<') return Math.min(old, amount);
  if (mode === '>') return Math.max(old, amount);
  if (mode === '/') return Math.floor(old / amount) * amount;
  if (mode === '%') return Math.ceil(old / amount) * amount;
  tool.proc.tick(1);
  return amount;
}

function readSizeRule(tool: Tool, text: string): { mode: string; amount: number } {
  const word = text.trimStart();
  const mode = /^[<>/%]/.test(word) ? (word[0] ?? '') : '';
  const rest = word.slice(mode.length).trimStart();
  const sign = /^[+-]/.test(rest) ? (rest[0] ?? '') : '';
  if (mode !== '' && sign !== '') tool.usage('multiple relative modifiers specified');
  const amount = readSize(rest.slice(sign.length), 'EgGkKmMPtTYZ0');
  if (typeof amount !== 'number') {
    const why = amount === 'overflow' ? ': Value too large for defined data type' : '';
    return tool.die(`Invalid number: ${tool.quote(rest)}${why}`);
  }
  if ((mode === '/' || mode === '%') && amount === 0) tool.die('division by zero');
  return { mode: mode || sign, amount };
}

/** The command `truncate`. */
export const truncate = defineTool('truncate', function* (tool) {
  let creates = true;
  let blocks = false;
  let reference: string | undefined;
  let rule: { mode: string; amount: number } | undefined;
  for (const { key, value = '' } of tool.options(TRUNCATE)) {
    if (key === 'c') creates = false;
    if (key === 'o') blocks = true;
    if (key === 'r') reference = value;
    if (key === 's') rule = readSizeRule(tool, value);
  }
  if (reference === undefined && rule === undefined)
    tool.usage(`you must specify either ${tool.quote('--size')} or ${tool.quote('--reference')}`);
  if (reference !== undefined && rule !== undefined && rule.mode === '')
    tool.usage(`you must specify a relative ${tool.quote('--size')} with ${tool.quote('--reference')}`);
  if (blocks && rule === undefined)
    tool.usage(`${tool.quote('--io-blocks')} was specified but ${tool.quote('--size')} was not`);
  if (tool.operands.length === 0) tool.usage('missing file operand');
  let base: number | undefined;
  if (reference !== undefined)
    try {
      base = tool.proc.stat(reference).content?.size ?? 0;
    } catch (error) {
      tool.die(`cannot stat ${tool.named(reference)}: ${systemError(error).text}`);
    }
  for (const name of tool.operands) {
    let fd: number;
    try {
      fd = yield* tool.proc.open(name, { write: true, create: creates, nonblocking: true });
    } catch (error) {
      const failure = systemError(error);
      if (!creates && failure.code === 'ENOENT') continue;
      tool.fail(`cannot open ${tool.named(name)} for writing: ${failure.text}`);
      continue;
    }
    const old = base ?? tool.proc.fstat(fd).content?.size ?? 0;
    const scale = blocks ? 4096 : 1;
    const size =
      rule === undefined ? old : newSize(tool, { mode: rule.mode, amount: rule.amount * scale }, old);
    tool.attempt(
      () => tool.proc.ftruncate(fd, size),
      (error) => tool.fail(`failed to truncate ${tool.named(name)} at ${size} bytes: ${error.text}`),
    );
    tool.proc.close(fd);
  }
  return tool.status;
});

function modeOption(tool: Tool, text: string | undefined): ModeChanges | undefined {
  if (text === undefined) return undefined;
  const changes = readMode(text);
  if (changes === undefined) tool.die('invalid mode');
  return changes;
}

function setMode(tool: Tool, path: string, changes: ModeChanges | undefined): void {
  if (changes !== undefined)
    tool.proc.chmod(path, applyMode(0o666, changes, { isDirectory: false, umask: tool.proc.umask }));
}

/** The command `mkfifo`. */
export const mkfifo = plainTool('mkfifo', (tool) => {
  let mode: string | undefined;
  for (const { key, value } of tool.options(MKNOD)) if (key === 'm') mode = value;
  if (tool.operands.length === 0) tool.usage('missing operand');
  const changes = modeOption(tool, mode);
  for (const path of tool.operands) {
    const made = tool.attempt(
      () => tool.proc.mkfifo(path),
      (error) => tool.fail(`cannot create fifo ${tool.named(path)}: ${error.text}`),
    );
    if (made) setMode(tool, path, changes);
  }
});

/** The command `mknod`: pipes only; devices are refused, as for an ordinary user. */
export const mknod = plainTool('mknod', (tool) => {
  let mode: string | undefined;
  for (const { key, value } of tool.options(MKNOD)) if (key === 'm') mode = value;
  const changes = modeOption(tool, mode);
  const [path, type] = tool.operands;
  if (path === undefined) return tool.usage('missing operand');
  const needed = type === 'p' ? 2 : 4;
  if (tool.operands.length < needed) {
    tool.warn(`missing operand after ${tool.quote(tool.operands[tool.operands.length - 1] ?? '')}`);
    if (tool.operands.length === 2 && needed === 4)
      tool.io.err('Special files require major and minor device numbers.\n');
    return tool.usage();
  }
  if (tool.operands.length > needed) {
    tool.warn(`extra operand ${tool.quote(tool.operands[needed] ?? '')}`);
    if (needed === 2 && tool.operands.length === 4)
      tool.io.err('Fifos do not have major and minor device numbers.\n');
    return tool.usage();
  }
  if (!'bcup'.includes(type ?? '-') || (type ?? '').length !== 1)
    return tool.usage(`invalid device type ${tool.quote(type ?? '')}`);
  if (type !== 'p') {
    const why = tool.proc.exists(path) ? 'File exists' : 'Operation not permitted';
    return tool.die(`${tool.path(path)}: ${why}`);
  }
  tool.attempt(
    () => tool.proc.mkfifo(path),
    (error) => tool.die(`${tool.path(path)}: ${error.text}`),
  );
  setMode(tool, path, changes);
  return tool.status;
});

/** The command `link`. */
export const link = plainTool('link', (tool) => {
  for (const _ of tool.options(NOTHING));
  const [from, to] = tool.operands;
  if (from === undefined) return tool.usage('missing operand');
  if (to === undefined) return tool.usage(`missing operand after ${tool.quote(from)}`);
  tool.noMoreThan(2);
  tool.attempt(
    () => tool.proc.link(from, to),
    (error) => tool.die(`cannot create link ${tool.named(to)} to ${tool.named(from)}: ${error.text}`),
  );
  return 0;
});

/** The command `unlink`. */
export const unlink = plainTool('unlink', (tool) => {
  for (const _ of tool.options(NOTHING));
  const [path] = tool.operands;
  if (path === undefined) return tool.usage('missing operand');
  tool.noMoreThan(1);
  tool.attempt(
    () => tool.proc.unlink(path),
    (error) => tool.die(`cannot unlink ${tool.named(path)}: ${error.text}`),
  );
  return 0;
});
