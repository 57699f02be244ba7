/**
 * How tar packs archives and reads packed ones, told by their first bytes.
 *
 * Source: tar(1).
 */
import { Exit } from '../../../kernel/index.js';
import { isBzip2, packBzip2, unpackBzip2 } from './bzip2-bytes.js';
import { isGzip, packGzip, unpackGzip } from './gzip-bytes.js';
import type { TarSettings } from './tar-settings.js';
import { isXz, packXz, unpackXz } from './xz-bytes.js';

const BZIP2_BROKEN =
  '\nbzip2: Compressed file ends unexpectedly;\n\tperhaps it is corrupted?  *Possible* reason follows.\n';

/** Packs an archive. */
export function packed(bytes: Uint8Array, how: 'gzip' | 'bzip2' | 'xz' | undefined): Uint8Array {
  if (how === 'gzip') return packGzip(bytes, { level: 6 });
  if (how === 'bzip2') return packBzip2(bytes, 9);
  return how === 'xz' ? packXz(bytes, 6, 'crc64') : bytes;
}

/** The packing that an archive's name asks for. */
export function byName(archive: string | undefined): 'gzip' | 'bzip2' | 'xz' | undefined {
  const name = archive ?? '';
  if (/\.(gz|tgz|taz)$/.test(name)) return 'gzip';
  if (/\.(bz2|tbz|tbz2|tz2)$/.test(name)) return 'bzip2';
  return /\.(xz|txz)$/.test(name) ? 'xz' : undefined;
}

/** The archive without its packing. `say` tells tar's messages, `err` those of a packer. */
export function unpackedArchive(
  bytes: Uint8Array,
  settings: TarSettings,
  { say, err }: { readonly say: (message: string) => void; readonly err: (message: string) => void },
): Uint8Array {
  const stop = (): never => {
    say('Error is not recoverable: exiting now');
    throw new Exit(2);
  };
  const broken = (message: string): never => {
    err(message);
    say('Unexpected EOF in archive');
    return stop();
  };
  const { compress, archive } = settings;
  const isPiped = archive === undefined || archive === '-';
  if (isGzip(bytes) && (!isPiped || compress === 'gzip'))
    return unpackGzip(bytes) ?? broken('\ngzip: stdin: unexpected end of file\n');
  if (isBzip2(bytes) && (!isPiped || compress === 'bzip2')) {
    const made = unpackBzip2(bytes);
    return made.problem === undefined || made.problem === 'trailing' ? made.bytes : broken(BZIP2_BROKEN);
  }
  if (isXz(bytes) && (!isPiped || compress === 'xz')) {
    const made = unpackXz(bytes);
    return made.problem === undefined ? made.bytes : broken('xz: (stdin): Unexpected end of input\n');
  }
  if (isPiped && compress === undefined) {
    const kind = isGzip(bytes) ? '-z' : isBzip2(bytes) ? '-j' : isXz(bytes) ? '-J' : undefined;
    if (kind !== undefined) {
      say(`Archive is compressed. Use ${kind} option`);
      stop();
    }
  }
  const foreign = {
    gzip: '\ngzip: stdin: not in gzip format\n',
    bzip2: 'bzip2: (stdin) is not a bzip2 file.\n',
    xz: 'xz: (stdin): File format not recognized\n',
  };
  if (compress === undefined) return bytes;
  err(foreign[compress]);
  say(`Child returned status ${compress === 'bzip2' ? 2 : 1}`);
  return stop();
}
