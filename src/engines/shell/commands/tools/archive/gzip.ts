/**
 * `gzip`, `gunzip`, `zcat` of GNU gzip 1.12.
 *
 * Source: gzip(1). Not covered: `-r`'s order on a real disk, `--rsyncable`, `--synchronous`.
 */
import { type Command, type Io, type Process, type Running, SystemError } from '../../../kernel/index.js';
import { defineOptions, parseLine } from '../../program/options.js';
import { helpText } from '../help-texts.js';
import { isGzip, packGzip, unpackGzip } from './gzip-bytes.js';

const TABLE = defineOptions(
  '1,fast 2 3 4 5 6 7 8 9,best a,ascii b: c,stdout,to-stdout d,decompress,uncompress f,force h,help k,keep l,list L,license n,no-name N,name ' +
    'q,quiet,silent r,recursive S,suffix: t,test v,verbose V,version rsyncable synchronous',
  '',
);

/** The commands. gunzip and zcat are scripts around gzip, whose messages say so. */
export const GZIP_COMMANDS: readonly Command[] = [
  {
    name: 'gzip',
    path: '/usr/bin/gzip',
    sizeBytes: 98_136,
    run: (proc, io) => new GzipRun(proc, io).run([]),
  },
  {
    name: 'gunzip',
    path: '/usr/bin/gunzip',
    sizeBytes: 2_346,
    run: (proc, io) => new GzipRun(proc, io).run(['-d']),
  },
  {
    name: 'zcat',
    path: '/usr/bin/zcat',
    sizeBytes: 1_984,
    run: (proc, io) => new GzipRun(proc, io).run(['-c', '-d']),
  },
];

class GzipRun {
  private status = 0;
  private level = 6;
  private suffix = '.gz';
  private readonly flags = new Set<string>();
  private listed = false;

  constructor(
    private readonly proc: Process,
    private readonly io: Io,
  ) {}

  *run(first: readonly string[]): Running<number> {
    const { hits, operands, error } = parseLine([...first, ...this.proc.argv.slice(1)], TABLE);
    for (const { key, value = '' } of hits) {
      if (/^\d$/.test(key)) this.level = Number(key);
      else if (key === 'S') this.suffix = value;
      else this.flags.add(key);
    }
    if (error !== undefined) {
      this.io.err(`gzip: ${error}\nTry \`gzip --help' for more information.\n`);
      return 1;
    }
    if (this.flags.has('h')) this.io.out(helpText('gzip').help);
    else if (this.flags.has('V')) this.io.out(helpText('gzip').version);
    else for (const name of operands.length === 0 ? ['-'] : operands) yield* this.named(name);
    return this.status;
  }

  private fail(message: string, status = 1): void {
    this.status =
      Math.max(this.status === 1 ? 1 : 0, 0) === 1 ? 1 : status === 1 ? 1 : Math.max(this.status, status);
    if (!(status === 2 && this.flags.has('q'))) this.io.err(message);
  }

  private get unpacks(): boolean {
    return this.flags.has('d') || this.flags.has('t') || this.flags.has('l');
  }

  private *named(name: string): Running<void> {
    const { proc } = this;
    if (name === '-') {
      const bytes = yield* proc.readAll(0);
      const made = this.unpacks ? this.unpacked(bytes, 'stdin') : packGzip(bytes, { level: this.level });
      if (made !== undefined && !this.flags.has('t')) yield* proc.write(1, made);
      return;
    }
    try {
      const found =
        this.unpacks && !proc.exists(name) && !name.endsWith(this.suffix) ? `${name}${this.suffix}` : name;
      const inode = proc.lstat(found);
      if (inode.kind === 'directory') yield* this.folder(found);
      else if (inode.kind === 'symlink' && !this.flags.has('c') && !this.flags.has('f') && !this.unpacks)
        this.fail(`gzip: ${found} is not a directory or a regular file - ignored\n`, 2);
      else yield* this.file(found);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const shown =
        this.unpacks && !name.endsWith(this.suffix) && error.code === 'ENOENT'
          ? `${name}${this.suffix}`
          : name;
      this.fail(`gzip: ${shown}: ${error.text}\n`);
    }
  }

  private *folder(name: string): Running<void> {
    if (!this.flags.has('r')) {
      this.fail(`gzip: ${name} is a directory -- ignored\n`, 2);
      return;
    }
    for (const entry of this.proc.readdir(name)) yield* this.named(`${name}/${entry.name}`);
  }

  private *file(name: string): Running<void> {
    const { proc, flags, suffix } = this;
    const inode = proc.stat(name);
    const toOutput = flags.has('c') || flags.has('t') || flags.has('l');
    if (!this.unpacks && !toOutput && name.endsWith(suffix)) {
      if (!flags.has('q')) this.io.err(`gzip: ${name} already has ${suffix} suffix -- unchanged\n`);
      if (this.status === 0) this.status = 2;
      return;
    }
    const target = this.unpacks ? this.unpackedName(name) : `${name}${suffix}`;
    if (target === undefined && !toOutput) {
      this.fail(`gzip: ${name}: unknown suffix -- ignored\n`, 2);
      return;
    }
    const bytes = yield* proc.readFile(name);
    const time = Math.floor(inode.mtimeUs / 1e6);
    const base = name.replace(/^.*\//, '');
    const stamp = flags.has('n') ? {} : { name: base, time };
    const made = this.unpacks ? this.unpacked(bytes, name) : packGzip(bytes, { level: this.level, ...stamp });
    if (made === undefined) return;
    if (flags.has('l')) this.list(name, bytes, made);
    else if (flags.has('t')) {
      if (flags.has('v')) this.io.err(`${name}:\t OK\n`);
    } else if (toOutput || target === undefined) yield* proc.write(1, made);
    else yield* this.replace(name, target, made);
    if (flags.has('v') && !flags.has('t') && !flags.has('l'))
      this.tell(name, target, this.unpacks ? [made.length, bytes.length] : [bytes.length, made.length]);
  }

  private unpackedName(name: string): string | undefined {
    if (name.endsWith(this.suffix) && name.length > this.suffix.length)
      return name.slice(0, -this.suffix.length);
    const known = /^(.+)\.(tgz|taz)$/.exec(name);
    if (known !== null) return `${known[1] ?? ''}.tar`;
    return /^(.+)(\.gz|\.z|-gz|-z|_z|\.Z)$/.exec(name)?.[1];
  }

  private unpacked(bytes: Uint8Array, name: string): Uint8Array | undefined {
    if (bytes.length === 0) {
      this.fail(`\ngzip: ${name}: unexpected end of file\n`);
      return undefined;
    }
    if (!isGzip(bytes)) {
      if (this.flags.has('f') && this.flags.has('c')) return bytes;
      this.fail(`\ngzip: ${name}: not in gzip format\n`);
      return undefined;
    }
    const made = unpackGzip(bytes);
    if (made === undefined) this.fail(`\ngzip: ${name}: unexpected end of file\n`);
    return made;
  }

  private *replace(name: string, target: string, bytes: Uint8Array): Running<void> {
    const { proc, flags } = this;
    if (proc.exists(target) && !flags.has('f')) {
      this.fail(`gzip: ${target} already exists;\tnot overwritten\n`, 2);
      return;
    }
    const inode = proc.stat(name);
    const fd = yield* proc.open(target, { write: true, create: true, truncate: true, mode: 0o600 });
    yield* proc.write(fd, bytes);
    proc.close(fd);
    proc.chmod(target, inode.mode & 0o7777);
    proc.utimes(target, { atimeUs: inode.atimeUs, mtimeUs: inode.mtimeUs });
    if (!flags.has('k')) proc.unlink(name);
  }

  /** The share that packing saved; a header's size never counts. */
  private ratio([plain, packed]: readonly [number, number]): string {
    const saved = plain === 0 ? 0 : (plain - packed) / plain;
    return `${(saved * 100).toFixed(1)}%`;
  }

  private tell(name: string, target: string | undefined, sizes: readonly [number, number]): void {
    const how = this.flags.has('k') ? 'created' : 'replaced with';
    const end = this.flags.has('c') || target === undefined ? '' : ` -- ${how} ${target}`;
    this.io.err(
      `${name}:\t${this.ratio([sizes[0], Math.max(sizes[1] - 18 - name.length - 1, 0) + (sizes[0] > 0 ? 0 : 0)]).padStart(5)}${end}\n`,
    );
  }

  private list(name: string, packed: Uint8Array, plain: Uint8Array): void {
    if (!this.listed) this.io.out('         compressed        uncompressed  ratio uncompressed_name\n');
    this.listed = true;
    const header = 18 + name.replace(/^.*\//, '').length - this.suffix.length + 1;
    const ratio = this.ratio([plain.length, packed.length - header]).padStart(5);
    this.io.out(
      `${String(packed.length).padStart(19)} ${String(plain.length).padStart(19)} ${ratio} ${this.unpackedName(name) ?? name}\n`,
    );
  }
}
