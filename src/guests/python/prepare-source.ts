/**
 * What is done to the interpreter once, in Python: it becomes Debian's.
 *
 * The library is imported anew from where Debian has it, so that tracebacks name those files; numbers of errors and
 * versions are Debian's; programs are started through the machine. What is left of the package that brought the
 * interpreter is taken out of sight.
 */

/** Python source; `_facts` holds what the other side knows. */
export const PREPARE = String.raw`
import sys, gc, builtins, posix, errno, time
_F = _facts
import _asyncio
_asyncio._set_running_loop(None)

_lib = _F['library']
sys.modules['_frozen_importlib']._get_module_not_found_error = lambda name: ModuleNotFoundError('No module named %r' % name, name=name)
sys.meta_path[:] = [f for f in sys.meta_path if isinstance(f, type) and f.__module__.startswith('_frozen_importlib')]
sys.path_hooks[:] = [h for h in sys.path_hooks if 'zipimport' in repr(h) or 'FileFinder' in repr(h)]
sys.path_importer_cache.clear()
sys.path[:] = [_lib]
_keep = set('''__main__ _abc _codecs _frozen_importlib _frozen_importlib_external _imp _io _signal
 _thread _warnings _weakref builtins encodings encodings.aliases encodings.utf_8 marshal posix sys time zipimport codecs io abc
 stat _stat _collections_abc posixpath genericpath os.path os _sitebuiltins site errno'''.split())
for _n in list(sys.modules):
    if _n not in _keep:
        del sys.modules[_n]
import os
for _m in ('abc', 'codecs', 'io', 'os', 'stat', 'posixpath', 'genericpath', '_collections_abc', '_sitebuiltins', 'site'):
    if _m in sys.modules:
        sys.modules[_m].__file__ = _lib + '/' + _m + '.py'
for _m in ('encodings', 'encodings.aliases', 'encodings.utf_8'):
    _mod = sys.modules[_m]
    _mod.__file__ = _lib + '/' + _m.replace('.', '/') + ('/__init__.py' if _m == 'encodings' else '.py')
    if _m == 'encodings':
        _mod.__path__[:] = [_lib + '/encodings']
for _n in ('__PYVENV_LAUNCHER__',):
    os.environ.pop(_n, None)
sys.dont_write_bytecode = False

import ctypes
_classes = ctypes.cast(_F['classes'], ctypes.py_object).value
_by_name = {v: k for k, v in errno.errorcode.items()}
_moved = {}
for _number, _name in _F['errors']:
    if _name in _by_name and _by_name[_name] in _classes:
        _moved[_number] = _classes[_by_name[_name]]
_moved[27] = InterruptedError
_moved[6] = BlockingIOError
_classes.clear()
_classes.update(_moved)
errno.errorcode.clear()
for _name in list(vars(errno)):
    if _name.startswith('E') and _name.isupper():
        delattr(errno, _name)
for _number, _name in _F['errors']:
    errno.errorcode[_number] = _name
    setattr(errno, _name, _number)
errno.EWOULDBLOCK = errno.EAGAIN
errno.EDEADLOCK = errno.EDEADLK

def _poke_version():
    address = id(sys.version_info)
    items = ctypes.cast(address + 12, ctypes.POINTER(ctypes.c_void_p))
    items[2] = id(2)
_poke_version()
sys.version = '3.11.2 (main, Mar 13 2023, 12:18:29) [GCC 12.2.0]'
sys.hexversion = 0x030b02f0
sys.implementation.hexversion = sys.hexversion
sys.implementation._multiarch = 'x86_64-linux-gnu'
sys.platform = 'linux'
sys.maxsize = 2**63 - 1
sys.abiflags = ''
sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = '/usr'
sys.platlibdir = 'lib'
sys._base_executable = sys.executable = '/usr/bin/python3'
sys._framework = ''


import json as _json
import types as _types

def _sys_call(*request, _write=posix.write, _read=posix.read, _dumps=_json.dumps, _loads=_json.loads, _fd=_F['device'], _numbers={n: k for k, n in _F['errors']}):
    _write(_fd, _dumps(request).encode('utf-8', 'surrogateescape'))
    parts = []
    while True:
        piece = _read(_fd, 1 << 20)
        if not piece:
            break
        parts.append(piece)
    reply = _loads(b''.join(parts))
    if 'error' in reply:
        number = _numbers.get(reply['error'], 5)
        raise OSError(number, posix.strerror(number))
    return reply['value']

_machine = _types.ModuleType('_machine')
_machine.call = _sys_call
`;
