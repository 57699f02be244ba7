/**
 * The files of Python's standard library, under the names they have on Debian 12, read from the package's archive.
 *
 * Byte code that Python compiles of them is kept for the life of the thread, as `__pycache__` would on a disk; it
 * depends on the sources alone, so no program sees what another did.
 * Source: the ZIP format (APPNOTE 4.3). Not covered: encrypted and 64-bit archives.
 */
import { inflateRawSync } from 'node:zlib';

/** Where Debian keeps the library. */
export const LIBRARY = '/usr/lib/python3.11';

/** A file, or a folder with its names. */
export type LibraryNode =
  | { readonly kind: 'file'; bytes: Uint8Array }
  | { readonly kind: 'directory'; readonly names: Set<string> };

/** Reads an archive into a tree below {@link LIBRARY}. */
export function readLibrary(archive: Uint8Array): Map<string, LibraryNode> {
  const tree = new Map<string, LibraryNode>([[LIBRARY, { kind: 'directory', names: new Set() }]]);
  for (const { name, bytes } of entriesOf(archive)) {
    if (!name.endsWith('/')) addFile(tree, `${LIBRARY}/${name}`, bytes);
  }
  return tree;
}

/** Adds a file and the folders above it. */
export function addFile(tree: Map<string, LibraryNode>, path: string, bytes: Uint8Array): void {
  tree.set(path, { kind: 'file', bytes });
  for (let at = path.lastIndexOf('/'); at >= LIBRARY.length; at = path.lastIndexOf('/', at - 1)) {
    const folder = path.slice(0, at);
    const name = path.slice(at + 1).split('/')[0] ?? '';
    const node = tree.get(folder) ?? { kind: 'directory', names: new Set() };
    if (node.kind === 'directory') node.names.add(name);
    tree.set(folder, node);
  }
}

function* entriesOf(archive: Uint8Array): Generator<{ name: string; bytes: Uint8Array }> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  let end = archive.length - 22;
  while (end > 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    const method = view.getUint16(at + 10, true);
    const packed = view.getUint32(at + 20, true);
    const nameSize = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameSize));
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const data = archive.subarray(start, start + packed);
    yield { name, bytes: method === 0 ? data : inflateRawSync(data) };
    at += 46 + nameSize + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}
