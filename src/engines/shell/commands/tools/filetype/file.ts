/**
 * `file` 5.44: what files are.
 *
 * Source: file(1). Its thousands of rules are a selection here: common formats (`byte-kinds.ts`), kinds of text
 * (`text-rules.ts`), encodings (`text-kind.ts`). Not covered, asked instead: `-k`, `-m`, `-C`, `-c`, `-l`, `-z`.
 */
import { type Inode, type Running, SystemError, toText } from '../../../kernel/index.js';
import { textWidth } from '../../program/display-width.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { byteKind } from './byte-kinds.js';
import { isCsv, isJson, textKind } from './text-kind.js';
import { textRule } from './text-rules.js';

const TABLE = defineOptions(
  'help v,version m,magic-file: z,uncompress Z,uncompress-noreport b,brief c,checking-printout e,exclude: exclude-quiet: ' +
    'f,files-from: F,separator: i,mime apple extension mime-type mime-encoding k,keep-going l,list L,dereference ' +
    'h,no-dereference n,no-buffer N,no-pad 0,print0 p,preserve-date P,parameter: r,raw s,special-files S,no-sandbox C,compile d,debug E',
  '',
);
const TESTS = 'apptype ascii cdf compress csv elf encoding json soft tar text tokens'.split(' ');
const USAGE = `Usage: file [-bcCdEhikLlNnprsSvzZ0] [--apple] [--extension] [--mime-encoding]
            [--mime-type] [-e <testname>] [-F <separator>]  [-f <namefile>]
            [-m <magicfiles>] [-P <parameter=value>] [--exclude-quiet]
            <file> ...
       file -C [-m <magicfiles>]
       file [--help]
`;
const HEAD_BYTES = 1 << 20;

/** What is said of a file. */
interface Said {
  readonly words: string;
  readonly mime: string;
  readonly encoding: string;
  readonly extension?: string;
}

/** The command. */
export const file = defineTool(
  'file',
  function* (tool) {
    const flags = new Map<string, string>();
    const excluded: string[] = [];
    const onError = (): never => usage(tool);
    for (const { key, value = '' } of tool.options(TABLE, { onError })) {
      flags.set(key, value);
      if (key === 'e' && !TESTS.includes(value)) usage(tool);
      if (key === 'e') excluded.push(value);
    }
    if (flags.has('help')) tool.help();
    if (flags.has('v')) {
      tool.out('file-5.44\nmagic file from /etc/magic:/usr/share/misc/magic\n');
      return 0;
    }
    if (
      ['m', 'C', 'c', 'l', 'k', 'z', 'Z', 'apple', 'd'].some((key) => flags.has(key)) ||
      excluded.length > 0
    )
      return yield* unknownProgram('file')(tool.proc);
    return yield* describeAll(tool, flags);
  },
  { texts: helpText('file'), sizeBytes: 27_048 },
);

function usage(tool: Tool): never {
  tool.io.err(USAGE);
  return tool.exit(1);
}

function* describeAll(tool: Tool, flags: ReadonlyMap<string, string>): Running<number> {
  const names: string[] = [];
  const list = flags.get('f');
  if (list !== undefined) {
    const fd = yield* tool.input(list);
    if (fd === null) return 1;
    names.push(...(yield* tool.lines(fd).all()));
    tool.close(fd);
  }
  names.push(...tool.operands);
  if (names.length === 0 && list === undefined) usage(tool);
  const width = Math.max(...names.map((name) => textWidth(shownName(name))));
  for (const name of names) {
    const said = yield* describe(tool, name, flags);
    const separator = flags.has('0') ? '\0' : '';
    const colon = flags.get('F') ?? ':';
    const pad = flags.has('N') ? ' ' : ' '.repeat(width - textWidth(shownName(name)) + 1);
    const prefix = flags.has('b')
      ? ''
      : `${shownName(name)}${separator}${flags.has('0') ? (flags.get('F') ?? ':') : colon}${pad}`;
    tool.out(`${prefix}${shown(said, flags)}\n`);
    if (tool.io.mustDrain) yield* tool.io.drain();
    if (tool.status > 0) return tool.status;
  }
  return tool.status;
}

function shownName(name: string): string {
  return name === '-' ? '/dev/stdin' : name;
}

function shown(said: Said, flags: ReadonlyMap<string, string>): string {
  if (said.mime === '') return said.words;
  if (flags.has('extension')) return said.extension ?? '???';
  if (flags.has('mime-type')) return said.mime;
  if (flags.has('mime-encoding')) return said.encoding;
  if (flags.has('i') && said.encoding === '') return said.mime;
  if (flags.has('i')) return `${said.mime}; charset=${said.encoding}`;
  return said.words;
}

function* describe(tool: Tool, name: string, flags: ReadonlyMap<string, string>): Running<Said> {
  const { proc } = tool;
  if (name === '-') {
    const said = ofBytes(tool, yield* proc.readAll(0));
    return { ...said, words: said.words.replace(/, original size modulo 2\^32 \d+$/, '') };
  }
  let inode: Inode;
  try {
    inode = flags.has('L') ? proc.stat(name) : proc.lstat(name);
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (flags.has('E')) {
      tool.status = 1;
      return { words: `ERROR: cannot stat \`${name}' (${error.text})`, mime: '', encoding: '' };
    }
    return { words: `cannot open \`${name}' (${error.text})`, mime: '', encoding: '' };
  }
  const special = ofKind(tool, inode, name);
  if (special !== undefined) return special;
  const bits = [
    (inode.mode & 0o4000) !== 0 && 'setuid ',
    (inode.mode & 0o2000) !== 0 && 'setgid ',
    (inode.mode & 0o1000) !== 0 && 'sticky ',
  ]
    .filter((one) => one !== false)
    .join('');
  try {
    const fd = yield* proc.open(name);
    const bytes = proc.file(fd).readNow(HEAD_BYTES) ?? new Uint8Array(0);
    proc.close(fd);
    const said = ofBytes(tool, bytes);
    return { ...said, words: `${bits}${said.words}` };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const rights = `${bits}${(inode.mode & 0o222) !== 0 ? 'writable, ' : ''}${(inode.mode & 0o111) !== 0 ? 'executable, ' : ''}regular file, no read permission`;
    return { words: rights, mime: 'inode/regular-file', encoding: 'binary' };
  }
}

function ofKind(tool: Tool, inode: Inode, name: string): Said | undefined {
  const binary = (words: string, mime: string): Said => ({
    words,
    mime: `inode/${mime}`,
    encoding: 'binary',
  });
  switch (inode.kind) {
    case 'directory': {
      const bits = [
        (inode.mode & 0o4000) !== 0 && 'setuid, ',
        (inode.mode & 0o2000) !== 0 && 'setgid, ',
        (inode.mode & 0o1000) !== 0 && 'sticky, ',
      ];
      return binary(`${bits.filter((one) => one !== false).join('')}directory`, 'directory');
    }
    case 'symlink': {
      const target = inode.target ?? '';
      const works = tool.proc.exists(name);
      if (!works) return { words: `broken symbolic link to ${target}`, mime: 'inode/symlink', encoding: '' };
      return binary(`symbolic link to ${target}`, 'symlink');
    }
    case 'fifo':
      return binary('fifo (named pipe)', 'fifo');
    case 'socket':
      return binary('socket', 'socket');
    case 'char':
    case 'block': {
      const device = inode.rdev ?? 0;
      const word = inode.kind === 'char' ? 'character' : 'block';
      return binary(`${word} special (${device >> 8}/${device & 255})`, `${inode.kind}device`);
    }
    default:
      return undefined;
  }
}

function ofBytes(tool: Tool, bytes: Uint8Array): Said {
  if (bytes.length === 0) return { words: 'empty', mime: 'inode/x-empty', encoding: 'binary' };
  const known = byteKind(bytes, tool.zone);
  const kind = textKind(bytes);
  if (known !== undefined) return { ...known, encoding: kind?.encoding ?? 'binary' };
  if (bytes.length === 1 && kind === undefined)
    return { words: 'very short file (no magic)', mime: 'application/octet-stream', encoding: 'binary' };
  if (kind === undefined) return { words: 'data', mime: 'application/octet-stream', encoding: 'binary' };
  const text = toText(bytes);
  const { encoding } = kind;
  if (isJson(text)) return { words: 'JSON text data', mime: 'application/json', encoding, extension: 'json' };
  if (isCsv(text)) return { words: 'CSV text', mime: 'text/csv', encoding, extension: 'csv' };
  if (bytes.length === 1)
    return { words: 'very short file (no magic)', mime: 'application/octet-stream', encoding: 'binary' };
  const rule = textRule(text);
  if (rule === undefined) return { words: `${kind.name}${kind.oddities}`, mime: 'text/plain', encoding };
  if (rule.isWhole) return { words: rule.words, mime: rule.mime, encoding };
  return { words: `${rule.words}, ${kind.name}${rule.after}${kind.oddities}`, mime: rule.mime, encoding };
}
