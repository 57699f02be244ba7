/**
 * Which interpreters there are, which packages they come from, and whether these are installed.
 *
 * Packages are optional: they are looked up when a program first needs one. Outside Node there are no threads, and so
 * no guests.
 */

/** An interpreter. */
export type GuestKind = 'python' | 'node';

/** The package of each, and the version that was tried. */
const PACKAGES: Readonly<Record<GuestKind, { readonly name: string; readonly version: string }>> = {
  python: { name: 'pyodide', version: '0.25.1' },
  node: { name: 'quickjs-emscripten', version: '0.32.0' },
};

interface NodeModules {
  readonly threads: typeof import('node:worker_threads');
  readonly modules: typeof import('node:module');
}

interface ProcessLike {
  getBuiltinModule?(name: string): unknown;
}

let loaded: NodeModules | undefined;

/** The parts of Node that threads need. Raises where there are none; ask {@link whyMissing} first. */
export function nodeModules(): NodeModules {
  if (loaded === undefined) {
    const { process } = globalThis as { process?: ProcessLike };
    const load = <T>(name: string): T => {
      const found = process?.getBuiltinModule?.(name);
      if (found === undefined) throw new Error(`there is no ${name} here`);
      return found as T;
    };
    loaded = { threads: load('node:worker_threads'), modules: load('node:module') };
  }
  return loaded;
}

const missing = new Map<GuestKind, string | null>();

/** Why an interpreter cannot be used here, with what to do; null where it can. */
export function whyMissing(kind: GuestKind): string | null {
  let why = missing.get(kind);
  if (why === undefined) {
    why = lookUp(kind);
    missing.set(kind, why);
  }
  return why;
}

/** Remembers that an installed interpreter did not load, so that nobody waits for it again. */
export function noteFailure(kind: GuestKind, failure: string): void {
  const { name, version } = PACKAGES[kind];
  missing.set(
    kind,
    `the package ${name} did not load (${failure}); version ${version} is the one that was tried`,
  );
}

function lookUp(kind: GuestKind): string | null {
  const { name, version } = PACKAGES[kind];
  try {
    const { modules } = nodeModules();
    modules.createRequire(import.meta.url).resolve(name);
    return null;
  } catch {
    return `programs of ${kind} are computed with the package ${name}, which is not installed: npm install ${name}@${version}`;
  }
}
