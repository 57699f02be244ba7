/**
 * `xz`, `unxz`, `xzcat` of XZ Utils 5.4.1.
 *
 * Source: xz(1). Not covered, asked instead: `--format=lzma` and `raw`, filter chains, `-lvv`.
 */
import { type Command, type Io, type Process, type Running, SystemError } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { replaceFile } from './replace-file.js';
import { isXz, packXz, type UnpackedXz, unpackXz, type XzCheck, type XzProblem } from './xz-bytes.js';
import { listText, listTotals, type XzListed, xzSize } from './xz-list.js';

const TABLE = defineOptions(
  'z,compress d,decompress,uncompress t,test l,list k,keep f,force c,stdout,to-stdout,single-stream no-sparse ' +
    'S,suffix: F,format: C,check: ignore-check T,threads: 0 1 2 3 4 5 6 7 8 9 fast best e,extreme q,quiet v,verbose Q,no-warn ' +
    'robot h,help H,long-help V,version block-size: block-list: flush-timeout: memlimit-compress: memlimit-decompress: ' +
    'memlimit-mt-decompress: M,memlimit,memory: no-adjust files:: files0:: info-memory lzma1:: lzma2:: x86:: powerpc:: ia64:: arm:: armthumb:: arm64:: sparc:: delta::',
  '',
);
const SUFFIXES: readonly (readonly [string, string])[] = [
  ['.xz', ''],
  ['.txz', '.tar'],
  ['.lzma', ''],
  ['.tlz', '.tar'],
];
const WORDS: Readonly<Record<XzProblem, string>> = {
  format: 'File format not recognized',
  cut: 'Unexpected end of input',
  damaged: 'Compressed data is corrupt',
  unsupported: 'Unsupported options',
  'too-large': 'Cannot allocate memory',
};
const FOREIGN = ['lzma1', 'lzma2', 'x86', 'delta', 'arm', 'block-list', 'files', 'files0', 'info-memory'];

/** The commands. */
export const XZ_COMMANDS: readonly Command[] = ['xz', 'unxz', 'xzcat'].map((name) => ({
  name,
  path: `/usr/bin/${name}`,
  sizeBytes: 85_104,
  run: (proc, io) => new XzRun(proc, io).run(name),
}));

class XzRun {
  private status = 0;
  private readonly name: string;
  private readonly flags = new Set<string>();
  private readonly listed: XzListed[] = [];
  private preset = 6;
  private suffix = '.xz';
  private check: XzCheck = 'crc64';

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
  ) {
    this.name = (proc.argv[0] ?? 'xz').replace(/^.*\//, '');
  }

  *run(program: string): Running<number> {
    const first = program === 'xz' ? [] : program === 'unxz' ? ['-d'] : ['-dc'];
    const { hits, operands, error } = parseLine([...first, ...this.proc.argv.slice(1)], TABLE);
    for (const { key, value = '' } of hits) this.apply(key, value);
    if (error !== undefined) {
      this.io.err(`${this.name}: ${error}\n${this.name}: Try \`${this.name} --help' for more information.\n`);
      return 1;
    }
    if (this.flags.has('h') || this.flags.has('V')) {
      this.io.out(helpText('xz')[this.flags.has('h') ? 'help' : 'version']);
      return 0;
    }
    if (this.isForeign(operands)) return yield* unknownProgram(program)(this.proc);
    for (const name of operands.length === 0 ? ['-'] : operands) yield* this.named(name);
    if (this.flags.has('l')) this.io.out(listTotals(this.listed, this.flags.has('robot')));
    return this.flags.has('Q') && this.status === 2 ? 0 : this.status;
  }

  private isForeign(operands: readonly string[]): boolean {
    if (this.flags.has('foreign') || this.flags.has('H')) return true;
    if (this.flags.has('l') && this.flags.has('v')) return true;
    return this.unpacks && !this.flags.has('l') && operands.some((name) => /\.(lzma|tlz|lz)$/.test(name));
  }

  private apply(key: string, value: string): void {
    if (/^\d$/.test(key)) this.preset = Number(key);
    else if (key === 'fast' || key === 'best') this.preset = key === 'fast' ? 0 : 9;
    else if (key === 'S') this.suffix = value;
    else if (key === 'C') {
      if (value === 'none' || value === 'crc32' || value === 'crc64') this.check = value;
      else this.flags.add('foreign');
    } else if (key === 'F') {
      if (value !== 'xz' && value !== 'auto') this.flags.add('foreign');
    } else if ('zdtl'.includes(key)) {
      for (const flag of ['d', 't', 'l']) this.flags.delete(flag);
      if (key !== 'z') this.flags.add(key);
    } else this.flags.add(FOREIGN.includes(key) ? 'foreign' : key);
  }

  private say(message: string, status = 1): void {
    if (!(status === 2 && this.flags.has('q'))) this.io.err(`${this.name}: ${message}\n`);
    this.status = this.status === 1 ? 1 : status;
  }

  private get unpacks(): boolean {
    return this.flags.has('d') || this.flags.has('t') || this.flags.has('l');
  }

  private *named(name: string): Running<void> {
    const { proc, flags } = this;
    if (name === '-') return yield* this.standardInput();
    const toOutput = flags.has('c') || flags.has('t') || flags.has('l');
    try {
      const link = proc.lstat(name);
      const inode = proc.stat(name);
      if (inode.kind === 'directory') return this.say(`${name}: Is a directory, skipping`, 2);
      if (!toOutput && !flags.has('f')) {
        if (link.kind === 'symlink') return this.say(`${name}: Is a symbolic link, skipping`, 2);
        if (link.kind !== 'file') return this.say(`${name}: Not a regular file, skipping`, 2);
        if (link.nlink > 1) return this.say(`${name}: Input file has more than one hard link, skipping`, 2);
      }
      const target = this.targetOf(name);
      if (target === undefined && this.unpacks && !toOutput && !isXz(yield* proc.readFile(name)))
        return this.say(`${name}: ${WORDS.format}`);
      if (target === undefined && !toOutput)
        return this.unpacks
          ? this.say(`${name}: Filename has an unknown suffix, skipping`, 2)
          : this.say(`${name}: File already has \`${this.suffix}' suffix, skipping`, 2);
      const bytes = yield* proc.readFile(name);
      if (flags.has('l')) return this.list(name, bytes);
      const made = this.made(name, bytes);
      if (made === undefined) return;
      if (flags.has('t')) {
        this.tell(name, bytes, made);
        return;
      }
      if (toOutput || target === undefined) yield* proc.write(1, made);
      else if (proc.exists(target) && !flags.has('f')) return this.say(`${target}: File exists`);
      else yield* replaceFile(proc, { name, target, bytes: made, keep: flags.has('k') });
      this.tell(name, bytes, made);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      this.say(`${name}: ${error.text}`);
    }
    return undefined;
  }

  private *standardInput(): Running<void> {
    if (this.flags.has('l')) return this.say('--list does not support reading from standard input');
    if (!this.unpacks && this.proc.isatty(1)) {
      this.say('Compressed data cannot be written to a terminal');
      this.io.err(`${this.name}: Try \`${this.name} --help' for more information.\n`);
      return undefined;
    }
    const bytes = yield* this.proc.readAll(0);
    const made = this.made('(stdin)', bytes);
    if (made === undefined) return undefined;
    if (!this.flags.has('t')) yield* this.proc.write(1, made);
    this.tell('(stdin)', bytes, made);
    return undefined;
  }

  private targetOf(name: string): string | undefined {
    const known = [[this.suffix, ''] as const, ...SUFFIXES];
    const found = known.find(([end]) => name.endsWith(end) && name.length > end.length);
    if (this.unpacks) return found === undefined ? undefined : name.slice(0, -found[0].length) + found[1];
    return [this.suffix, '.xz', '.txz'].some((end) => name.endsWith(end))
      ? undefined
      : `${name}${this.suffix}`;
  }

  private made(name: string, bytes: Uint8Array): Uint8Array | undefined {
    this.proc.tick(bytes.length >> 2);
    if (!this.unpacks) return packXz(bytes, this.preset, this.check);
    const { problem, bytes: made } = unpackXz(bytes);
    if (problem === undefined) return made;
    if (problem === 'format' && this.flags.has('f') && this.flags.has('c')) return bytes;
    this.say(`${name}: ${WORDS[problem]}`);
    return undefined;
  }

  private tell(name: string, input: Uint8Array, made: Uint8Array): void {
    if (!this.flags.has('v')) return;
    const [packed, plain] = this.unpacks ? [input.length, made.length] : [made.length, input.length];
    const ratio = plain === 0 ? Number.POSITIVE_INFINITY : packed / plain;
    this.io.err(
      `${name}: ${xzSize(packed)} / ${xzSize(plain)} ${ratio > 9.999 ? '> 9.999' : `= ${ratio.toFixed(3)}`}\n`,
    );
  }

  private list(name: string, bytes: Uint8Array): void {
    const found: UnpackedXz = unpackXz(bytes);
    if (bytes.length < 32 || found.problem !== undefined) {
      const what = bytes.length < 32 ? 'Too small to be a valid .xz file' : WORDS[found.problem ?? 'damaged'];
      this.say(`${name}: ${what}`);
      return;
    }
    const one = {
      name,
      packed: bytes.length,
      plain: found.bytes.length,
      streams: found.streams,
      blocks: found.blocks,
      check: found.check,
    };
    this.io.out(listText(one, { isFirst: this.listed.length === 0, isRobot: this.flags.has('robot') }));
    this.listed.push(one);
  }
}
