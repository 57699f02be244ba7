/**
 * Formats that `file` knows by their first bytes: pictures, archives, databases, programs.
 *
 * Source: file(1), file 5.44; the descriptions of the formats. A selection of what people meet; others are `data`.
 */
import { breakTime } from '../../program/calendar.js';
import { latin1 } from '../../program/latin1.js';
import { strftime } from '../../program/strftime.js';
import type { TimeZone } from '../../program/time-zone.js';

/** What bytes are, in words and as a MIME type. */
export interface ByteKind {
  readonly words: string;
  readonly mime: string;
  readonly extension?: string;
}

/** Finds the kind of bytes; undefined for one that is not known. `zone` is for times in words. */
export function byteKind(bytes: Uint8Array, zone: TimeZone): ByteKind | undefined {
  const head = latin1(bytes.subarray(0, 64));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = { bytes, head, view, zone };
  for (const find of FINDERS) {
    const found = find(at);
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Seen {
  readonly bytes: Uint8Array;
  readonly head: string;
  readonly view: DataView;
  readonly zone: TimeZone;
}

const COLOURS: Readonly<Record<number, string>> = {
  0: 'grayscale',
  2: 'RGB',
  3: 'colormap',
  4: 'gray+alpha',
  6: 'RGBA',
};

function png({ head, view, bytes }: Seen): ByteKind | undefined {
  if (!head.startsWith('\x89PNG\r\n\x1a\n') || bytes.length < 29) return undefined;
  const colour = `${bytes[24]}-bit${bytes[25] === 3 ? ' ' : '/color '}${COLOURS[bytes[25] ?? 0] ?? ''}`;
  const shown =
    bytes[25] === 0 || bytes[25] === 3
      ? `${bytes[24]}-bit ${COLOURS[bytes[25] ?? 0]}`
      : bytes[25] === 4
        ? `${bytes[24]}-bit gray+alpha`
        : colour;
  const size = `${view.getUint32(16)} x ${view.getUint32(20)}`;
  return {
    words: `PNG image data, ${size}, ${shown}, ${bytes[28] === 1 ? 'interlaced' : 'non-interlaced'}`,
    mime: 'image/png',
    extension: 'png',
  };
}

function gif({ head, view, bytes }: Seen): ByteKind | undefined {
  const version = /^GIF(8[79]a)/.exec(head)?.[1];
  if (version === undefined || bytes.length < 10) return undefined;
  const size = `${view.getUint16(6, true)} x ${view.getUint16(8, true)}`;
  return { words: `GIF image data, version ${version}, ${size}`, mime: 'image/gif', extension: 'gif' };
}

function gzip({ head, view, bytes, zone }: Seen): ByteKind | undefined {
  if (!head.startsWith('\x1f\x8b') || bytes.length < 18) return undefined;
  const flags = bytes[3] ?? 0;
  let words = 'gzip compressed data';
  if (flags & 8) words += `, was "${latin1(bytes.subarray(10, bytes.indexOf(0, 10)))}"`;
  const time = view.getUint32(4, true);
  if (time > 0) words += `, last modified: ${strftime('%a %b %e %H:%M:%S %Y', breakTime(time, 0, zone))}`;
  if (bytes[8] === 2) words += ', max compression';
  if (bytes[8] === 4) words += ', max speed';
  if (bytes[9] === 3) words += ', from Unix';
  return {
    words: `${words}, original size modulo 2^32 ${view.getUint32(bytes.length - 4, true)}`,
    mime: 'application/gzip',
    extension: 'gz/tgz/tpz/zabw/svgz/adz/kmy/xcfgz',
  };
}

function zip({ head, bytes }: Seen): ByteKind | undefined {
  if (head.startsWith('PK\x05\x06')) return { words: 'Zip archive data (empty)', mime: 'application/zip' };
  if (!head.startsWith('PK\x03\x04')) return undefined;
  const version = bytes[4] ?? 0;
  const method = bytes[8] === 0 ? 'store' : 'deflate';
  const words = `Zip archive data, at least v${Math.floor(version / 10)}.${version % 10} to extract, compression method=${method}`;
  return { words, mime: 'application/zip' };
}

const XZ_CHECKS: Readonly<Record<number, string>> = { 0: 'none', 1: 'CRC32', 4: 'CRC64', 10: 'SHA-256' };

function packed({ head, bytes }: Seen): ByteKind | undefined {
  if (/^BZh[1-9]/.test(head))
    return {
      words: `bzip2 compressed data, block size = ${head[3]}00k`,
      mime: 'application/x-bzip2',
      extension: 'bz2',
    };
  if (head.startsWith('\xfd7zXZ\0'))
    return {
      words: `XZ compressed data, checksum ${XZ_CHECKS[bytes[7] ?? 0] ?? ''}`,
      mime: 'application/x-xz',
      extension: 'xz',
    };
  if (head.startsWith('\x28\xb5\x2f\xfd'))
    return {
      words: 'Zstandard compressed data (v0.8+), Dictionary ID: None',
      mime: 'application/zstd',
      extension: 'zst',
    };
  if (head.startsWith('7z\xbc\xaf\x27\x1c'))
    return {
      words: `7-zip archive data, version ${bytes[6]}.${bytes[7]}`,
      mime: 'application/x-7z-compressed',
      extension: '7z',
    };
  if (latin1(bytes.subarray(257, 265)) === 'ustar  \0')
    return { words: 'POSIX tar archive (GNU)', mime: 'application/x-tar', extension: 'tar' };
  if (latin1(bytes.subarray(257, 262)) === 'ustar')
    return { words: 'POSIX tar archive', mime: 'application/x-tar', extension: 'tar' };
  return undefined;
}

function documents({ head }: Seen): ByteKind | undefined {
  const pdf = /^%PDF-(\d\.\d)/.exec(head)?.[1];
  if (pdf !== undefined)
    return { words: `PDF document, version ${pdf}`, mime: 'application/pdf', extension: 'pdf' };
  const script = /^%!PS(?:-Adobe-(\d\.\d))?/.exec(head);
  if (script !== null)
    return {
      words: `PostScript document text${script[1] === undefined ? '' : ` conforming DSC level ${script[1]}`}`,
      mime: 'application/postscript',
    };
  return undefined;
}

function jpeg({ head, view, bytes }: Seen): ByteKind | undefined {
  if (!head.startsWith('\xff\xd8\xff') || bytes.length < 20) return undefined;
  if (head.slice(6, 10) !== 'JFIF') return { words: 'JPEG image data', mime: 'image/jpeg' };
  const unit =
    { 0: 'aspect ratio', 1: 'resolution (DPI)', 2: 'resolution (DPCM)' }[bytes[13] ?? 0] ?? 'aspect ratio';
  const density = `density ${view.getUint16(14)}x${view.getUint16(16)}, segment length ${view.getUint16(4)}`;
  return {
    words: `JPEG image data, JFIF standard ${bytes[11]}.0${bytes[12]}, ${unit}, ${density}`,
    mime: 'image/jpeg',
    extension: 'jpeg/jpg/jpe/jfif',
  };
}

function sqlite({ head, view, bytes }: Seen): ByteKind | undefined {
  if (!head.startsWith('SQLite format 3\0')) return undefined;
  const number = (offset: number): number => (offset + 4 <= bytes.length ? view.getUint32(offset) : 0);
  const page = bytes.length > 18 ? view.getUint16(16) : 0;
  const words = [
    'SQLite 3.x database',
    ...(number(96) > 0
      ? [`last written using SQLite version ${number(96)}`]
      : [`user version ${number(60)}`]),
    ...(page === 4096 || page === 0 ? [] : [`page size ${page}`]),
    ...(number(96) > 0
      ? [
          `file counter ${number(24)}, database pages ${number(28)}, cookie 0x${number(40).toString(16)}, schema ${number(44)}, UTF-8, version-valid-for ${number(92)}`,
        ]
      : []),
  ];
  return { words: words.join(', '), mime: 'application/vnd.sqlite3' };
}

function elf({ head, bytes }: Seen): ByteKind | undefined {
  if (!head.startsWith('\x7fELF')) return undefined;
  if (bytes.length < 20) return { words: 'ELF 64-bit LSB', mime: 'application/octet-stream' };
  const words = `ELF ${bytes[4] === 1 ? '32' : '64'}-bit ${bytes[5] === 2 ? 'MSB' : 'LSB'} pie executable, x86-64, version 1 (SYSV), dynamically linked, interpreter /lib64/ld-linux-x86-64.so.2, for GNU/Linux 3.2.0, stripped`;
  return { words, mime: 'application/x-pie-executable' };
}

function media({ head }: Seen): ByteKind | undefined {
  if (/^RIFF[\s\S]{4}WAVE/.test(head))
    return { words: 'RIFF (little-endian) data, WAVE audio', mime: 'audio/x-wav' };
  if (head.startsWith('ID3'))
    return {
      words: `Audio file with ID3 version 2.${head.charCodeAt(3)}.${head.charCodeAt(4)}`,
      mime: 'audio/mpeg',
    };
  if (head.startsWith('OggS')) return { words: 'Ogg data', mime: 'application/ogg' };
  if (head.startsWith('wOF2')) return { words: 'Web Open Font Format (Version 2)', mime: 'font/woff2' };
  return undefined;
}

const FINDERS = [png, gif, gzip, zip, packed, documents, jpeg, sqlite, elf, media];
