/**
 * `which` of debianutils 5.7: where a name would be found along PATH.
 *
 * Source: which(1). A name with a slash is looked at as it is. Status 0 if all names were found, 1 if some were not.
 */
import { type Command, type Process, SystemError } from '../../../kernel/index.js';

/** The command. */
export const which: Command = {
  name: 'which',
  path: '/usr/bin/which',
  sizeBytes: 946,
  run: function* (proc, io) {
    const names = proc.argv.slice(1);
    let isAll = false;
    while (names[0]?.startsWith('-') === true && names[0] !== '-') {
      const [flags = ''] = names.splice(0, 1);
      if (flags === '--') break;
      const bad = [...flags.slice(1)].find((flag) => flag !== 'a' && flag !== 's');
      if (bad !== undefined) {
        io.err(`Illegal option -${bad}\nUsage: ${proc.argv[0] ?? 'which'} [-as] args\n`);
        return 2;
      }
      isAll ||= flags.includes('a');
    }
    if (names.length === 0) return 1;
    let status = 0;
    for (const name of names) {
      const found = placesOf(proc, name);
      if (found.length === 0) status = 1;
      for (const path of isAll ? found : found.slice(0, 1)) io.out(`${path}\n`);
    }
    return status;
  },
};

function placesOf(proc: Process, name: string): readonly string[] {
  if (name.includes('/')) return isProgram(proc, name) ? [name] : [];
  const folders = (proc.env.get('PATH') ?? '').split(':');
  return folders
    .map((folder) => `${folder === '' ? '.' : folder}/${name}`)
    .filter((path) => name !== '' && isProgram(proc, path));
}

function isProgram(proc: Process, path: string): boolean {
  try {
    if (proc.stat(path).kind !== 'file') return false;
    proc.access(path, 1);
    return true;
  } catch (error) {
    if (error instanceof SystemError) return false;
    throw error;
  }
}
