/**
 * `python3 -m venv`: a virtual environment with its configuration, activation script and pip.
 *
 * Source: CPython 3.11's `venv` on Debian 12 (with python3-venv). Computed where the world has an index of packages. Not
 * covered: `--copies`, `--prompt`, `--upgrade`, scripts of other shells.
 */
import { type Io, type Process, type Running, SystemError, strerror } from '../../kernel/index.js';
import { layPackage, makeFolders, writeFile } from './python-site.js';

const OPTIONS = new Set(['--clear', '--without-pip', '--system-site-packages', '--symlinks']);
const TOOLS = [
  {
    name: 'pip',
    version: '23.0.1',
    bytes: 8_400_000,
    summary: 'The PyPA recommended tool for installing Python packages.',
  },
  {
    name: 'setuptools',
    version: '66.1.1',
    bytes: 4_100_000,
    summary: 'Easily download, build, install, upgrade, and uninstall Python packages',
  },
];

/** Makes environments; the status, or null for arguments that are not computed. */
export function* makeVenv(proc: Process, io: Io, args: readonly string[]): Running<number | null> {
  const flags = args.filter((one) => one.startsWith('-'));
  const folders = args.filter((one) => !one.startsWith('-'));
  if (flags.some((flag) => !OPTIONS.has(flag))) return null;
  if (folders.length === 0) {
    io.err(USAGE);
    return 2;
  }
  for (const folder of folders) {
    const path = folder.startsWith('/') ? folder : `${proc.getcwd()}/${folder.replace(/^\.\//, '')}`;
    try {
      yield* lay(proc, path.replace(/\/+$/, ''), new Set(flags));
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      io.err(`Error: [Errno ${error.code === 'EACCES' ? 13 : 28}] ${strerror(error.code)}: '${path}'\n`);
      return 1;
    }
  }
  return 0;
}

function* lay(proc: Process, root: string, flags: ReadonlySet<string>): Running<void> {
  const target = `${root}/lib/python3.11/site-packages`;
  for (const folder of [`${root}/include/python3.11`, target, `${root}/bin`]) makeFolders(proc, folder);
  const link = (to: string, path: string): void => {
    if (!proc.exists(path)) proc.symlink(to, path);
  };
  link('lib', `${root}/lib64`);
  link('/usr/bin/python3', `${root}/bin/python3`);
  link('python3', `${root}/bin/python`);
  link('python3', `${root}/bin/python3.11`);
  yield* writeFile(
    proc,
    `${root}/pyvenv.cfg`,
    `home = /usr/bin\ninclude-system-site-packages = ${flags.has('--system-site-packages')}\nversion = 3.11.2\nexecutable = /usr/bin/python3.11\ncommand = /usr/bin/python3 -m venv ${root}\n`,
  );
  yield* writeFile(proc, `${root}/bin/activate`, activation(root));
  if (flags.has('--without-pip')) return;
  yield* proc.sleep(2_300_000);
  for (const { name, version, bytes, summary } of TOOLS) {
    const release = {
      version,
      sizeBytes: bytes,
      installedBytes: bytes,
      requires: [],
      summary,
      tags: 'py3-none-any',
      module: name,
    };
    yield* layPackage(proc, target, { name, release });
  }
  for (const name of ['pip', 'pip3', 'pip3.11']) {
    yield* writeFile(proc, `${root}/bin/${name}`, script(root));
    proc.chmod(`${root}/bin/${name}`, 0o755);
  }
}

/** The line by which a script is known to be pip's. */
export const PIP_SCRIPT_MARK = 'from pip._internal.cli.main import main\n';

function script(root: string): string {
  return `#!${root}/bin/python3
# -*- coding: utf-8 -*-
import re
import sys
${PIP_SCRIPT_MARK}if __name__ == '__main__':
    sys.argv[0] = re.sub(r'(-script\\.pyw|\\.exe)?$', '', sys.argv[0])
    sys.exit(main())
`;
}

const USAGE =
  'usage: venv [-h] [--system-site-packages] [--symlinks | --copies] [--clear]\n            [--upgrade] [--without-pip] [--prompt PROMPT] [--upgrade-deps]\n            ENV_DIR [ENV_DIR ...]\nvenv: error: the following arguments are required: ENV_DIR\n';

function activation(root: string): string {
  const name = root.replace(/^.*\//, '');
  return `# This file must be used with "source bin/activate" *from bash*
# you cannot run it directly

deactivate () {
    # reset old environment variables
    if [ -n "\${_OLD_VIRTUAL_PATH:-}" ] ; then
        PATH="\${_OLD_VIRTUAL_PATH:-}"
        export PATH
        unset _OLD_VIRTUAL_PATH
    fi
    if [ -n "\${_OLD_VIRTUAL_PYTHONHOME:-}" ] ; then
        PYTHONHOME="\${_OLD_VIRTUAL_PYTHONHOME:-}"
        export PYTHONHOME
        unset _OLD_VIRTUAL_PYTHONHOME
    fi

    # This should detect bash and zsh, which have a hash command that must
    # be called to get it to forget past commands.  Without forgetting
    # past commands the $PATH changes we made may not be respected
    if [ -n "\${BASH:-}" -o -n "\${ZSH_VERSION:-}" ] ; then
        hash -r 2> /dev/null
    fi

    if [ -n "\${_OLD_VIRTUAL_PS1:-}" ] ; then
        PS1="\${_OLD_VIRTUAL_PS1:-}"
        export PS1
        unset _OLD_VIRTUAL_PS1
    fi

    unset VIRTUAL_ENV
    unset VIRTUAL_ENV_PROMPT
    if [ ! "\${1:-}" = "nondestructive" ] ; then
    # Self destruct!
        unset -f deactivate
    fi
}

# unset irrelevant variables
deactivate nondestructive

VIRTUAL_ENV="${root}"
export VIRTUAL_ENV

_OLD_VIRTUAL_PATH="$PATH"
PATH="$VIRTUAL_ENV/bin:$PATH"
export PATH

# unset PYTHONHOME if set
# this will fail if PYTHONHOME is set to the empty string (which is bad anyway)
# could use \`if (set -u; : $PYTHONHOME) ;\` in bash
if [ -n "\${PYTHONHOME:-}" ] ; then
    _OLD_VIRTUAL_PYTHONHOME="\${PYTHONHOME:-}"
    unset PYTHONHOME
fi

if [ -z "\${VIRTUAL_ENV_DISABLE_PROMPT:-}" ] ; then
    _OLD_VIRTUAL_PS1="\${PS1:-}"
    PS1="(${name}) \${PS1:-}"
    export PS1
    VIRTUAL_ENV_PROMPT="(${name}) "
    export VIRTUAL_ENV_PROMPT
fi

# This should detect bash and zsh, which have a hash command that must
# be called to get it to forget past commands.  Without forgetting
# past commands the $PATH changes we made may not be respected
if [ -n "\${BASH:-}" -o -n "\${ZSH_VERSION:-}" ] ; then
    hash -r 2> /dev/null
fi
`;
}
