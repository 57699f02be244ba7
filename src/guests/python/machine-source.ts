/**
 * Python's view of the machine: processes, signals, threads, accounts.
 *
 * `subprocess` is the library's own; only the call that starts a program is the machine's. A thread runs to its end when it
 * is started, because the interpreter has one thread; a program whose threads wait for one another is not computed. But
 * a thread that serves (`serve_forever` of `socketserver`) gets its turn whenever another one waits.
 * Source: `_posixsubprocess`, `_thread`, `pwd`, `grp`, `fcntl` of CPython 3.11.
 */

import { SOCKETS } from './socket-source.js';

/** Python source, run once before the first program. */
export const MACHINE = String.raw`
import sys, os, io, posix, builtins, types, gc, time, _thread, errno
_start = {'host': 'localhost', 'pid': 1, 'login': 'root'}
_machine.call.__code__ = _machine.call.__code__.replace(co_filename='<runner>')
call = _machine.call

def _simple(name, key):
    def get(): return _start[key]
    get.__name__ = get.__qualname__ = name
    return get

def _post(name, value):
    setattr(posix, name, value)
    setattr(os, name, value)
    if name not in os.__all__:
        os.__all__.append(name)

for _name, _key in (('getpid', 'pid'), ('getppid', 'ppid'), ('getuid', 'uid'), ('geteuid', 'euid'), ('getgid', 'gid'),
                    ('getegid', 'egid'), ('getgroups', 'groups'), ('getpgrp', 'pgid')):
    _post(_name, _simple(_name, _key))

def getlogin(): return _start['login']
def uname():
    return os.uname_result(('Linux', _start['host'], '6.1.0-18-amd64', '#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)', 'x86_64'))
def kill(pid, signal, /): call('kill', pid, int(signal))
def killpg(pgid, signal, /): call('kill', -pgid, int(signal))
def waitpid(pid, options, /):
    while _servers and not options & 1:
        found, status = call('wait', pid, options | 1)
        if found: return (found, status)
        _turn(1)
    found, status = call('wait', pid, options)
    return (found, status)
def wait(): return waitpid(-1, 0)
def system(command):
    pid = call('spawn', {'args': ['sh', '-c', os.fsdecode(command)], 'paths': ['/bin/sh']})
    return waitpid(pid, 0)[1]
def cpu_count(): return 2
def abort(): call('exit', {'signal': 6})
def getloadavg(): return (0.0, 0.0, 0.0)
def umask(mask, /): return call('umask', mask)
def link(src, dst, *, src_dir_fd=None, dst_dir_fd=None, follow_symlinks=True):
    try:
        call('link', -100, os.fsdecode(src), -100, os.fsdecode(dst))
    except OSError as error:
        raise OSError(error.errno, error.strerror, src, None, dst) from None
def sched_getaffinity(pid, /): return {0, 1}
def statvfs(path):
    return os.statvfs_result(call('statvfs', path if isinstance(path, int) else os.fsdecode(path)))
for _f in (getlogin, uname, kill, killpg, waitpid, wait, system, cpu_count, abort, getloadavg, umask, link, sched_getaffinity, statvfs):
    _post(_f.__name__, _f)

_open = posix.open
_open_any = _facts_['any']
def open(path, flags, mode=0o777, *, dir_fd=None):
    return _open(path, flags | _open_any, mode, dir_fd=dir_fd)
os.supports_dir_fd.discard(_open)
os.supports_dir_fd.add(open)
_post('open', open)
open = io.open

def sleep(seconds, /):
    if seconds < 0: raise ValueError('sleep length must be non-negative')
    end = time.monotonic() + seconds
    while True:
        try:
            while _servers and time.monotonic() < end:
                _turn(max(0, (end - time.monotonic()) * 1000))
            call('sleep', max(0, round((end - time.monotonic()) * 1e6)))
            return
        except InterruptedError:
            pass
time.sleep = sleep

def fork_exec(args, executable_list, close_fds, pass_fds, cwd, env, p2cread, p2cwrite, c2pread, c2pwrite, errread, errwrite,
              errpipe_read, errpipe_write, restore_signals, start_new_session, process_group, gid, groups, uid, umask, preexec_fn, allow_vfork):
    if preexec_fn is not None:
        call('lacking', 'preexec_fn of subprocess')
    return call('spawn', {'args': [os.fsdecode(a) for a in args], 'paths': [os.fsdecode(p) for p in executable_list],
        'cwd': None if cwd is None else os.fsdecode(cwd), 'env': None if env is None else [os.fsdecode(e) for e in env],
        'close': bool(close_fds), 'keep': list(pass_fds), 'fds': [p2cread, c2pwrite, errwrite], 'error': errpipe_write,
        'session': bool(start_new_session), 'group': process_group})
_sub = types.ModuleType('_posixsubprocess')
_sub.fork_exec = fork_exec
sys.modules['_posixsubprocess'] = _sub

_idents = [1]
_sentinels = [[]]
_count = [1]
_thread.get_ident = lambda: _idents[-1] + 140000000000000
_thread.get_native_id = lambda: _start.get('pid', 1) + _idents[-1] - 1

class lock:
    __slots__ = ('_held', '__weakref__')
    def __init__(self): self._held = False
    def acquire(self, blocking=True, timeout=-1):
        while blocking and self._held and _servers and (timeout is None or timeout < 0):
            _turn(-1)
        if not self._held:
            self._held = True
            return True
        if not blocking: return False
        if timeout is not None and timeout >= 0:
            sleep(timeout)
            return lock.acquire(self, False)
        call('lacking', 'threads that wait for one another')
    acquire_lock = acquire
    def release(self):
        if not self._held: raise RuntimeError('release unlocked lock')
        self._held = False
    release_lock = release
    def locked(self): return self._held
    locked_lock = locked
    def _at_fork_reinit(self): self._held = False
    def __enter__(self): return self.acquire()
    def __exit__(self, *args): self.release()
    def __repr__(self): return '<%s _thread.lock object at 0x%x>' % ('locked' if self._held else 'unlocked', id(self))
lock.__module__ = '_thread'

class RLock(lock):
    __slots__ = ('_owner', '_times')
    def __init__(self): self._owner = None; self._times = 0; self._held = False
    def acquire(self, blocking=True, timeout=-1):
        if self._owner == _idents[-1] and self._times:
            self._times += 1
            return True
        if not lock.acquire(self, blocking, timeout): return False
        self._owner = _idents[-1]; self._times = 1
        return True
    __enter__ = acquire
    def release(self):
        if self._owner != _idents[-1] or not self._times: raise RuntimeError('cannot release un-acquired lock')
        self._times -= 1
        if not self._times:
            self._owner = None; self._held = False
    def __exit__(self, *args): self.release()
    def _is_owned(self): return self._times > 0 and self._owner == _idents[-1]
    def _release_save(self):
        state = (self._times, self._owner); self._times = 0; self._owner = None; self._held = False
        return state
    def _acquire_restore(self, state):
        lock.acquire(self); self._times, self._owner = state
RLock.__module__ = '_thread'

_thread.allocate_lock = _thread.allocate = lock
_thread.RLock = RLock
def _set_sentinel():
    one = lock()
    _sentinels[-1].append(one)
    return one
_thread._set_sentinel = _set_sentinel
def start_new_thread(function, args, kwargs={}, /):
    _count[0] += 1
    ident = _count[0]
    _idents.append(ident); _sentinels.append([])
    call('thread', True)
    try:
        function(*args, **kwargs)
    except SystemExit:
        pass
    finally:
        _idents.pop()
        call('thread', len(_idents) > 1)
        left = _sentinels.pop()
        server = _of_thread(ident)
        if server is None: _release(left)
        else: server._thread_sentinels = left
    return ident
def _release(sentinels):
    for one in sentinels:
        if one.locked(): one.release()
_thread.start_new_thread = _thread.start_new = start_new_thread

def _account_module(name, path, fields, title):
    module = types.ModuleType(name)
    kind = os.stat_result.__class__
    import collections
    record = collections.namedtuple(title, fields)
    record.__module__ = name
    def read():
        with open(path) as file:
            for line in file:
                parts = line.rstrip('\n').split(':')
                if name == 'pwd' and len(parts) == 7: yield record(parts[0], parts[1], int(parts[2]), int(parts[3]), *parts[4:])
                elif name == 'grp' and len(parts) == 4: yield record(parts[0], parts[1], int(parts[2]), [m for m in parts[3].split(',') if m])
    short = 'pw' if name == 'pwd' else 'gr'
    def by_name(wanted, /):
        for one in read():
            if one[0] == wanted: return one
        raise KeyError('get%snam(): name not found: %r' % (short, wanted))
    def by_id(wanted, /):
        for one in read():
            if one[2] == wanted: return one
        raise KeyError('get%s%sid(): %sid not found: %s' % (short, 'u' if name == 'pwd' else 'g', 'u' if name == 'pwd' else 'g', wanted))
    setattr(module, 'get%snam' % short, by_name)
    setattr(module, 'getpwuid' if name == 'pwd' else 'getgrgid', by_id)
    setattr(module, 'get%sall' % short, lambda: list(read()))
    setattr(module, title, record)
    return module
sys.modules['pwd'] = _account_module('pwd', '/etc/passwd', 'pw_name pw_passwd pw_uid pw_gid pw_gecos pw_dir pw_shell', 'struct_passwd')
sys.modules['grp'] = _account_module('grp', '/etc/group', 'gr_name gr_passwd gr_gid gr_mem', 'struct_group')

_fcntl = types.ModuleType('fcntl')
for _name, _value in dict(F_DUPFD=0, F_GETFD=1, F_SETFD=2, F_GETFL=3, F_SETFL=4, F_GETLK=5, F_SETLK=6, F_SETLKW=7, FD_CLOEXEC=1, LOCK_SH=1, LOCK_EX=2, LOCK_NB=4, LOCK_UN=8).items():
    setattr(_fcntl, _name, _value)
def _fd_of(file): return file if isinstance(file, int) else file.fileno()
_fcntl.flock = lambda fd, operation, /: None
_fcntl.lockf = lambda fd, operation, len=0, start=0, whence=0, /: None
_fcntl.fcntl = lambda fd, command, argument=0, /: call('fcntl', _fd_of(fd), command, argument)
def _ioctl(fd, request, *rest):
    raise OSError(25, posix.strerror(25))
_fcntl.ioctl = _ioctl
sys.modules['fcntl'] = _fcntl
${SOCKETS}
_LACKING = set('''sqlite3 _sqlite3 ssl _ssl lzma _lzma curses _curses readline termios tty pty resource syslog spwd
 multiprocessing _multiprocessing dbm _dbm nis ossaudiodev crypt socket _posixshmem mmap'''.split()) - {'socket', 'crypt', 'mmap'}

class _Lacking:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.split('.')[0] not in _LACKING:
            return None
        frame = sys._getframe(1)
        while frame is not None and 'importlib' in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is None or frame.f_code.co_filename.startswith((_lib, '<frozen', '<runner>')):
            return None
        call('lacking', 'the module ' + name)
sys.meta_path.append(_Lacking)

_sourceless = {}
class _Sourceless:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in _sourceless:
            for place in sys.path:
                if os.path.exists(place + '/' + _sourceless[name]):
                    call('lacking', 'the sources of the package ' + name)
                if os.path.exists(place + '/' + name) or os.path.exists(place + '/' + name + '.py'):
                    return None
sys.meta_path.insert(0, _Sourceless)

sys.argv = ['']
import traceback, linecache, re, json, collections, functools, itertools, datetime, random, argparse, subprocess, pathlib, typing
import dataclasses, enum, string, math, csv, textwrap, contextlib, copy, tempfile, shutil, glob, hashlib, base64, struct, operator
import heapq, bisect, logging, uuid, locale, platform, warnings, threading, signal, inspect, weakref, decimal, fractions, statistics
import atexit, runpy, codeop, unittest, queue, shlex, fnmatch, calendar, pprint, difflib, configparser, urllib.parse, secrets, abc
import asyncio, asyncio.selector_events, socketserver, ast, tokenize, keyword, zipfile, types, numbers, html, select, selectors, importlib.util, importlib.machinery
_preloaded_tops = {n.split('.')[0] for n in sys.modules} - set(sys.builtin_module_names) - {'os', 'io', 'abc', 'codecs', 'site', 'stat', 'posixpath', 'genericpath', 'encodings'}
_initial = set(_keep) | {'_posixsubprocess', 'pwd', 'grp', 'fcntl', '_socket', 'importlib._bootstrap', 'importlib._bootstrap_external'}
_filters = warnings.filters[:]

_forever, _shut = socketserver.BaseServer.serve_forever, socketserver.BaseServer.shutdown
def serve_forever(self, poll_interval=0.5):
    if len(_idents) < 2: return _forever(self, poll_interval)
    self._thread_ident = _idents[-1]
    _servers.append(self)
def shutdown(self):
    if self not in _servers: return _shut(self)
    _servers.remove(self)
    _release(getattr(self, '_thread_sentinels', ()))
socketserver.BaseServer.serve_forever, socketserver.BaseServer.shutdown = serve_forever, shutdown

_loop = asyncio.selector_events.BaseSelectorEventLoop
async def _getaddrinfo(self, host, port, *, family=0, type=0, proto=0, flags=0):
    import socket
    return socket.getaddrinfo(host, port, family, type, proto, flags)
async def _getnameinfo(self, sockaddr, flags=0):
    import socket
    return socket.getnameinfo(sockaddr, flags)
_loop.getaddrinfo, _loop.getnameinfo = _getaddrinfo, _getnameinfo

_walk = traceback._walk_tb_with_full_positions
def _walk_shown(tb):
    for one in _walk(tb):
        if one[0].f_code.co_filename != '<runner>': yield one
traceback._walk_tb_with_full_positions = _walk_shown

_set_signal = signal.signal
def _signal(signalnum, handler):
    before = _set_signal(signalnum, handler)
    number = int(signalnum)
    call('sigaction', number, 'ignore' if handler == signal.SIG_IGN else 'default' if handler == signal.SIG_DFL else 'handle')
    return before
_signal.__name__ = _signal.__qualname__ = 'signal'
signal.signal = _signal

_get_limit, _set_limit = sys.getrecursionlimit, sys.setrecursionlimit
_extra = [0]
def _limit(extra):
    _extra[0] = extra
    _set_limit(1000 + extra)
def getrecursionlimit(): return _get_limit() - _extra[0]
def setrecursionlimit(limit, /): _set_limit(limit + _extra[0])
sys.getrecursionlimit, sys.setrecursionlimit = getrecursionlimit, setrecursionlimit

def _begin_machine(start):
    _start.clear()
    _start.update(start)
    platform._uname_cache = None
`;
