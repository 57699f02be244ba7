/**
 * Paths of file services: brought into one form, and told whether they lie in a folder that may be reached.
 *
 * A service with named roots has absolute paths, and relative ones count from its first root; one without has paths
 * relative to a folder that nobody names, so a leading slash means that folder. Not covered: drives, links, `~`.
 */

/** A path in the form in which files are kept, and whether it may be reached. */
export interface MeantPath {
  readonly path: string;
  readonly isInside: boolean;
}

/** The path that a caller means. */
export function meantPath(given: string, roots: readonly string[]): MeantPath {
  const [first] = roots;
  if (first === undefined) {
    const parts = partsOf(given);
    return { path: parts.names.join('/'), isInside: parts.above === 0 };
  }
  const path = `/${partsOf(given.startsWith('/') ? given : `${first}/${given}`).names.join('/')}`;
  return { path, isInside: roots.some((root) => isWithin(path, root)) };
}

function partsOf(path: string): { readonly names: readonly string[]; readonly above: number } {
  const names: string[] = [];
  let above = 0;
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') names.push(part);
    else if (names.pop() === undefined) above += 1;
  }
  return { names, above };
}

/** True if a path is a folder or lies in it at any depth. */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** The folder that holds a path; empty for what lies in the folder without a name. */
export function folderOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at < 0 ? '' : at === 0 ? '/' : path.slice(0, at);
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A path as seen from a folder that holds it. */
export function relativeTo(path: string, folder: string): string {
  if (folder === '' || path === folder) return path === folder ? '' : path;
  return path.slice(folder === '/' ? 1 : folder.length + 1);
}

/** A path in a folder. */
export function joined(folder: string, name: string): string {
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
