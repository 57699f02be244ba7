/**
 * `md5sum`, `sha1sum` … `sha512sum`, `b2sum`, `cksum`, `sum` of coreutils 9.1: digests and their checking.
 *
 * Source: their manual pages; the digests are those of `@noble/hashes`. Not covered: `cksum -a sm3`.
 */
import { blake2b } from '@noble/hashes/blake2.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { readSize } from '../../program/size.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';
import { checkSums } from './sums-check.js';

const OPTIONS = 'b,binary c,check ignore-missing quiet status w,warn strict tag t,text z,zero';
const PLAIN = defineOptions(OPTIONS);
const WITH_LENGTH = defineOptions(`l,length: ${OPTIONS}`);

/** A digest that grows piece by piece. */
export interface GrowingDigest {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/** One of the algorithms: its name in `--tag` lines, and how to begin. */
export interface SumKind {
  readonly tag: string;
  readonly bits: number;
  readonly start: (bits: number) => GrowingDigest;
}

/** By command. */
export const SUM_KINDS: Readonly<Record<string, SumKind>> = {
  md5sum: { tag: 'MD5', bits: 128, start: () => md5.create() },
  sha1sum: { tag: 'SHA1', bits: 160, start: () => sha1.create() },
  sha224sum: { tag: 'SHA224', bits: 224, start: () => sha224.create() },
  sha256sum: { tag: 'SHA256', bits: 256, start: () => sha256.create() },
  sha384sum: { tag: 'SHA384', bits: 384, start: () => sha384.create() },
  sha512sum: { tag: 'SHA512', bits: 512, start: () => sha512.create() },
  b2sum: { tag: 'BLAKE2b', bits: 512, start: (bits) => blake2b.create({ dkLen: bits / 8 }) },
};

/** What a command line of a digest program says. */
export interface SumLine {
  readonly kind: SumKind;
  bits: number;
  binary: boolean | undefined;
  check: boolean;
  ignoreMissing: boolean;
  quiet: boolean;
  status: boolean;
  warn: boolean;
  strict: boolean;
  tag: boolean;
  zero: boolean;
}

/** Digits of a digest of a whole descriptor. */
export function* digestOf(tool: Tool, fd: number, digest: GrowingDigest): Running<string> {
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, fd);
    if (piece.length === 0) break;
    digest.update(piece);
    tool.proc.tick(piece.length >> 6);
  }
  return [...digest.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function readLine(tool: Tool, kind: SumKind): SumLine {
  const line: SumLine = {
    kind,
    bits: kind.bits,
    binary: undefined,
    check: false,
    ignoreMissing: false,
    quiet: false,
    status: false,
    warn: false,
    strict: false,
    tag: false,
    zero: false,
  };
  let length: string | undefined;
  for (const { key, value } of tool.options(kind.tag === 'BLAKE2b' ? WITH_LENGTH : PLAIN)) {
    if (key === 'b') line.binary = true;
    if (key === 't') line.binary = false;
    if (key === 'c') line.check = true;
    if (key === 'l') length = value;
    if (key === 'ignore-missing') line.ignoreMissing = true;
    if (key === 'quiet') Object.assign(line, { quiet: true, status: false, warn: false });
    if (key === 'status') Object.assign(line, { status: true, quiet: false, warn: false });
    if (key === 'w') Object.assign(line, { warn: true, status: false, quiet: false });
    if (key === 'strict') line.strict = true;
    if (key === 'tag') {
      line.tag = true;
      line.binary = true;
    }
    if (key === 'z') line.zero = true;
  }
  if (length !== undefined) setLength(tool, line, length);
  checkLine(tool, line);
  return line;
}

function setLength(tool: Tool, line: SumLine, text: string): void {
  const bits = readSize(text, '');
  if (typeof bits !== 'number') tool.die(`invalid length: ${tool.quote(text)}`);
  if (Number(bits) % 8 !== 0) {
    tool.warn(`invalid length: ${tool.quote(text)}`);
    tool.die('length is not a multiple of 8');
  }
  if (Number(bits) > 512) {
    tool.warn(`invalid length: ${tool.quote(text)}`);
    tool.die(`maximum digest length for ${tool.quote('BLAKE2b')} is 512 bits`);
  }
  line.bits = Number(bits) || 512;
}

function checkLine(tool: Tool, line: SumLine): void {
  if (line.tag && line.check) tool.usage('the --tag option is meaningless when verifying checksums');
  if (line.zero && line.check) tool.usage('the --zero option is not supported when verifying checksums');
  if (line.binary !== undefined && line.check && !line.tag)
    tool.usage('the --binary and --text options are meaningless when verifying checksums');
  const only = (is: boolean, name: string): void => {
    if (is && !line.check) tool.usage(`the --${name} option is meaningful only when verifying checksums`);
  };
  only(line.ignoreMissing, 'ignore-missing');
  only(line.status, 'status');
  only(line.warn, 'warn');
  only(line.quiet, 'quiet');
  only(line.strict, 'strict');
}

/** A line of output; names with newlines or backslashes are escaped. */
function shown(line: SumLine, digits: string, name: string): string {
  const isEscaped = !line.zero && /[\\\n\r]/.test(name);
  const written = isEscaped
    ? name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    : name;
  const mark = isEscaped ? '\\' : '';
  const end = line.zero ? '\0' : '\n';
  if (line.tag) {
    const tag = line.kind.tag === 'BLAKE2b' && line.bits < 512 ? `BLAKE2b-${line.bits}` : line.kind.tag;
    return `${mark}${tag} (${written}) = ${digits}${end}`;
  }
  return `${mark}${digits} ${line.binary === true ? '*' : ' '}${written}${end}`;
}

function program(name: string) {
  return defineTool(name, function* (tool) {
    const kind = SUM_KINDS[name];
    if (kind === undefined) return 1;
    const line = readLine(tool, kind);
    for (const path of tool.operands.length > 0 ? tool.operands : ['-']) {
      if (line.check) {
        yield* checkSums(tool, line, path);
        continue;
      }
      const fd = yield* tool.input(path);
      if (fd === null) continue;
      try {
        tool.out(shown(line, yield* digestOf(tool, fd, kind.start(line.bits)), path));
      } catch (error) {
        tool.failed(error, path);
      }
      tool.close(fd);
    }
    return tool.status;
  });
}

/** The digest programs. */
export const DIGEST_COMMANDS = Object.keys(SUM_KINDS).map(program);

const CKSUM = defineOptions(
  'a,algorithm: c,check l,length: ignore-missing quiet status strict w,warn tag untagged z,zero debug',
);
const SUM = defineOptions('r s,sysv');

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

/** The POSIX checksum: CRC-32 over the bytes and their count. */
class PosixCrc {
  private crc = 0;
  size = 0;

  update(bytes: Uint8Array): void {
    let { crc } = this;
    for (const byte of bytes) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 255] ?? 0);
    this.crc = crc;
    this.size += bytes.length;
  }

  value(): number {
    let { crc } = this;
    for (let left = this.size; left > 0; left = Math.floor(left / 256))
      crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ (left & 255)) & 255] ?? 0);
    return ~crc >>> 0;
  }
}

function* legacySum(
  tool: Tool,
  fd: number,
  kind: 'crc' | 'bsd' | 'sysv',
): Running<{ value: number; size: number }> {
  const crc = new PosixCrc();
  let bsd = 0;
  let sysv = 0;
  let size = 0;
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, fd);
    if (piece.length === 0) break;
    size += piece.length;
    if (kind === 'crc') crc.update(piece);
    else
      for (const byte of piece) {
        bsd = ((bsd >> 1) + ((bsd & 1) << 15) + byte) & 0xffff;
        sysv = (sysv + byte) >>> 0;
      }
    tool.proc.tick(piece.length >> 6);
  }
  if (kind === 'crc') return { value: crc.value(), size };
  if (kind === 'bsd') return { value: bsd, size };
  const folded = (sysv & 0xffff) + Math.floor((sysv % 2 ** 32) / 65_536);
  return { value: (folded & 0xffff) + (folded >> 16), size };
}

function legacyLine(
  kind: 'crc' | 'bsd' | 'sysv',
  sum: { value: number; size: number },
  name: string | null,
): string {
  const shownName = name === null ? '' : ` ${name}`;
  if (kind === 'crc') return `${sum.value} ${sum.size}${shownName}\n`;
  if (kind === 'bsd')
    return `${String(sum.value).padStart(5, '0')} ${String(Math.ceil(sum.size / 1024)).padStart(5)}${shownName}\n`;
  return `${sum.value} ${Math.ceil(sum.size / 512)}${shownName}\n`;
}

function* legacySums(tool: Tool, kind: 'crc' | 'bsd' | 'sysv'): Running<void> {
  const isBare = tool.operands.length === 0;
  for (const path of isBare ? ['-'] : tool.operands) {
    const fd = yield* tool.input(path);
    if (fd === null) continue;
    try {
      const name = isBare ? null : path;
      tool.out(legacyLine(kind, yield* legacySum(tool, fd, kind), name));
    } catch (error) {
      tool.failed(error, path);
    }
    tool.close(fd);
  }
}

/** The command `sum`. */
export const sum = defineTool('sum', function* (tool) {
  let kind: 'bsd' | 'sysv' = 'bsd';
  for (const { key } of tool.options(SUM)) kind = key === 's' ? 'sysv' : 'bsd';
  yield* legacySums(tool, kind);
});

const ALGORITHMS = [
  'bsd',
  'sysv',
  'crc',
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'blake2b',
  'sm3',
];

/** The command `cksum`. */
export const cksum = defineTool('cksum', function* (tool) {
  let algorithm = 'crc';
  let length: string | undefined;
  const flags = new Set<string>();
  for (const { key, value } of tool.options(CKSUM)) {
    if (key === 'a')
      algorithm = tool.choice(
        '--algorithm',
        value ?? '',
        ALGORITHMS.map((one) => [one]),
      );
    else if (key === 'l') length = value;
    else flags.add(key);
  }
  const isLegacy = algorithm === 'crc' || algorithm === 'bsd' || algorithm === 'sysv';
  if (isLegacy && flags.has('c')) {
    if (algorithm !== 'crc') tool.die(`--check is not supported with --algorithm={bsd,sysv,crc}`);
  }
  if (isLegacy && !flags.has('c')) {
    yield* legacySums(tool, algorithm as 'crc' | 'bsd' | 'sysv');
    return tool.status;
  }
  if (length !== undefined && algorithm !== 'blake2b')
    tool.die('--length is only supported with --algorithm=blake2b');
  const kind = SUM_KINDS[algorithm === 'blake2b' ? 'b2sum' : `${algorithm}sum`] ?? SUM_KINDS.md5sum;
  if (kind === undefined || algorithm === 'sm3') return tool.die('sm3 is not available');
  const line: SumLine = {
    kind,
    bits: kind.bits,
    binary: undefined,
    check: flags.has('c'),
    ignoreMissing: flags.has('ignore-missing'),
    quiet: flags.has('quiet'),
    status: flags.has('status'),
    warn: flags.has('w'),
    strict: flags.has('strict'),
    tag: !flags.has('untagged'),
    zero: flags.has('z'),
  };
  if (length !== undefined) setLength(tool, line, length);
  for (const path of tool.operands.length > 0 ? tool.operands : ['-']) {
    if (line.check) {
      yield* checkSums(tool, line, path, isLegacy);
      continue;
    }
    const fd = yield* tool.input(path);
    if (fd === null) continue;
    try {
      tool.out(shown(line, yield* digestOf(tool, fd, kind.start(line.bits)), path));
    } catch (error) {
      tool.fail(`${tool.path(path)}: ${systemError(error).text}`);
    }
    tool.close(fd);
  }
  return tool.status;
});
