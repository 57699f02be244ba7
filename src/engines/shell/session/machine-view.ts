/**
 * A machine as rules see it under the name `state`.
 *
 * `user`, `host`, `cwd`, `screen`; `files`: path → text of every file that is not of the base image, as far as it is text
 * and short; binaries are no text; `entries`: path → kind, mode (octal text), owner, group, size of the same; `processes`: pid, ppid, command,
 * state. Files of the base image that were changed are there too, removed ones are not.
 */
import type { Json, JsonObject } from '../../../core/index.js';
import { type Inode, programName, sizeOf, toText } from '../kernel/index.js';
import { baseImage } from '../machine/debian-image.js';
import type { LiveMachine } from './live-machine.js';

/** Longer files have no text in the view. */
const MAX_TEXT_BYTES = 262_144;
const MAX_ENTRIES = 20_000;

/** The view. */
export function machineView(live: LiveMachine): JsonObject {
  const { kernel, machine, shell } = live;
  const { spec } = machine;
  const files: Record<string, string> = {};
  const entries: Record<string, Json> = {};
  for (const [path, inode] of ownFiles(live)) {
    entries[path] = entryOf(inode);
    const text = textOf(inode);
    if (text !== null) files[path] = text;
  }
  const processes = [...kernel.processes.values()].map((proc) => ({
    pid: proc.pid,
    ppid: proc.ppid,
    uid: proc.uid,
    command: proc.argv.join(' '),
    state: proc.isStopped ? 'stopped' : proc.state === 'zombie' ? 'zombie' : 'running',
  }));
  return {
    user: spec.user.name,
    host: spec.hostname,
    cwd: shell === undefined ? null : folderOf(live, shell.cwdIno),
    screen: live.screen.text(),
    files,
    entries,
    processes,
  };
}

function folderOf(live: LiveMachine, ino: number): string | null {
  try {
    return live.kernel.files.pathOf(ino);
  } catch {
    return null;
  }
}

function entryOf(inode: Inode): Json {
  const { kind, mode, uid, gid } = inode;
  const shown: JsonObject = { kind, mode: mode.toString(8).padStart(4, '0'), uid, gid, size: sizeOf(inode) };
  return inode.target === undefined ? shown : { ...shown, target: inode.target };
}

function textOf(inode: Inode): string | null {
  const { content } = inode;
  if (inode.kind !== 'file' || content === undefined || content.size > MAX_TEXT_BYTES) return null;
  if (programName(content.read(0, 256)) !== undefined) return null;
  const text = toText(content.read(0, content.size));
  // Bytes that are no UTF-8 are lone surrogates; such a file has no text.
  return /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text) ? null : text;
}

/** Every path whose inode is not the base image's, in order of walking. */
function* ownFiles(live: LiveMachine): Generator<readonly [string, Inode]> {
  const { files } = live.kernel;
  const base = new Map([...baseImage().table.all()].map((inode) => [inode.ino, inode]));
  const stack: (readonly [string, Inode])[] = [['', files.get(files.root)]];
  let count = 0;
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [path, directory] = top;
    for (const { name } of files.entriesOf(directory)) {
      const inode = files.find(directory, name);
      if (inode === undefined || inode.computed !== undefined) continue;
      const at = `${path}/${name}`;
      const known = base.get(inode.ino);
      const isNew =
        known === undefined ||
        known.mtimeUs !== inode.mtimeUs ||
        known.mode !== inode.mode ||
        known.uid !== inode.uid;
      if (isNew && count++ < MAX_ENTRIES) yield [at, inode];
      if (inode.kind === 'directory') stack.push([at, inode]);
    }
  }
}
