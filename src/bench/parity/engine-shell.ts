/**
 * The engine's shell as something that parity can be measured of: each command in a fresh machine with the setup's files.
 *
 * The machine's clock starts two years after the files' time, so that listings show years as they did when the cases
 * were recorded. It has the host's name that the recorder uses.
 */
import { DEFAULT_SPEC, type MachineFile, type MachineSpec, runShell } from '../../engines/index.js';
import type { ParitySetup } from './parity-case.js';
import type { ShellRunner } from './run-parity.js';

const TWO_YEARS_MS = 2 * 365 * 24 * 3600 * 1000;

/** A runner of the engine's shell. */
export function createEngineShell(): ShellRunner {
  const specs = new Map<ParitySetup, MachineSpec>();
  return (setup, command) => {
    let spec = specs.get(setup);
    if (spec === undefined) {
      spec = machineOf(setup);
      specs.set(setup, spec);
    }
    const ran = runShell(spec, command);
    const problem = ran.crashes[0] ?? (ran.isCut ? 'the limit of time or output was reached' : undefined);
    const { stdout, stderr, merged, exitCode } = ran;
    return { stdout, stderr, merged, exitCode, ...(problem !== undefined && { failed: problem }) };
  };
}

function machineOf(setup: ParitySetup): MachineSpec {
  const startMs = Date.parse(setup.mtime);
  const owner = setup.user;
  const folders = new Set<string>([setup.cwd]);
  const files: MachineFile[] = [];
  for (const [name, file] of Object.entries(setup.files)) {
    const path = `${setup.cwd}/${name}`;
    const mtimeMs = file.mtime === undefined ? startMs : Date.parse(file.mtime);
    for (let at = path.lastIndexOf('/'); at > setup.cwd.length; at = path.lastIndexOf('/', at - 1))
      folders.add(path.slice(0, at));
    if (file.directory === true) folders.add(path);
    else if (file.link !== undefined)
      files.push({ path, kind: 'symlink', target: file.link, owner, mtimeMs });
    else {
      const mode = Number.parseInt(file.mode ?? '644', 8);
      files.push({ path, content: contentOf(file), mode, owner, mtimeMs });
    }
  }
  // Folders come before their files, and once more after them: laying a file touches its folder.
  const laid = [...folders].sort().map((path): MachineFile => {
    return { path, kind: 'directory', owner, mtimeMs: startMs };
  });
  return {
    ...DEFAULT_SPEC,
    hostname: 'host',
    cwd: setup.cwd,
    env: setup.env,
    files: [...laid, ...files, ...laid],
    startMs: startMs + TWO_YEARS_MS,
  };
}

function contentOf(file: {
  readonly content?: string | undefined;
  readonly base64?: string | undefined;
}): Uint8Array {
  if (file.base64 === undefined) return new TextEncoder().encode(file.content ?? '');
  return Uint8Array.from(atob(file.base64), (one) => one.charCodeAt(0));
}
