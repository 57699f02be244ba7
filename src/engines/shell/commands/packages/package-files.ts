/**
 * The files of an unpacked Python package, in the order in which a wheel has them.
 */
import type { PythonRelease } from '../../kernel/package-index.js';

/** A file: its text, or so many bytes of which nobody knows what they are. */
interface PackageFile {
  readonly path: string;
  readonly text: string;
  /** 0 for a text. */
  readonly sizeBytes: number;
}

/** The library that stands for sources that nobody has. */
export function libraryOf(module: string): string {
  return `${module}/_${module}.cpython-311-x86_64-linux-gnu.so`;
}

/** Files by path below the folder of packages. */
export function packageFiles(name: string, release: PythonRelease): readonly PackageFile[] {
  const { module, version, summary, requires, tags, installedBytes } = release;
  const info = `${name.replace(/[-.]+/g, '_')}-${version}.dist-info`;
  const sources = release.files ?? { [`${module}/__init__.py`]: '' };
  const files: PackageFile[] = Object.entries(sources).map(([path, text]) => ({ path, text, sizeBytes: 0 }));
  if (release.files === undefined)
    files.push({ path: libraryOf(module), text: '', sizeBytes: installedBytes });
  const head = ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`, `Summary: ${summary}`];
  const needs = requires.map((one) => `Requires-Dist: ${one}`);
  const wheel = ['Wheel-Version: 1.0', 'Generator: bdist_wheel', `Root-Is-Purelib: ${tags.endsWith('any')}`];
  const own: readonly (readonly [string, string])[] = [
    ['METADATA', `${[...head, ...needs].join('\n')}\n\n`],
    ['INSTALLER', 'pip\n'],
    ['WHEEL', `${[...wheel, `Tag: ${tags}`].join('\n')}\n`],
    ['top_level.txt', `${module}\n`],
  ];
  for (const [file, text] of own) files.push({ path: `${info}/${file}`, text, sizeBytes: 0 });
  const record = `${info}/RECORD`;
  const text = [...files.map(({ path }) => path), record].map((path) => `${path},,\n`).join('');
  return [...files, { path: record, text, sizeBytes: 0 }];
}
