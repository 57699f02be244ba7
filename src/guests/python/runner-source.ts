/**
 * What runs a program, in Python: the command line, streams, the end of a program, as CPython's own start does it.
 *
 * Evaluates to the address of a function without arguments that runs one program and returns its status; a negative one
 * is the signal it ends by.
 * Source: CPython 3.11, `Modules/main.c`, `Python/pylifecycle.c`, `Lib/site.py`; Debian's `sys.path`.
 */
import { MACHINE } from './machine-source.js';

const OPTIONS = String.raw`
_USAGE = '''usage: python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...
Options (and corresponding environment variables):
'''

class _Options:
    def __init__(self):
        self.mode = 'stdin'; self.target = None; self.args = []; self.unbuffered = False; self.inspect = False
        self.no_site = False; self.no_env = False; self.quiet = False; self.isolated = False; self.optimize = 0
        self.warnings = []; self.no_bytecode = False; self.no_user = False

def _read_options(argv):
    o = _Options(); i = 1
    while i < len(argv):
        arg = argv[i]
        if arg == '-' or not arg.startswith('-'):
            break
        if arg == '--':
            i += 1
            break
        if arg in ('--version', '--help'):
            return (o, arg)
        if arg.startswith('--'):
            return (o, arg)
        j = 1
        while j < len(arg):
            letter = arg[j]; j += 1
            if letter in 'cmWX':
                value = arg[j:]
                if not value:
                    i += 1
                    if i >= len(argv):
                        return (o, '!' + letter)
                    value = argv[i]
                if letter == 'c':
                    o.mode, o.target, o.args = 'code', value, ['-c'] + argv[i + 1:]
                    return (o, None)
                if letter == 'm':
                    o.mode, o.target, o.args = 'module', value, ['-m'] + argv[i + 1:]
                    return (o, None)
                if letter == 'W':
                    o.warnings.append(value)
                break
            if letter == 'V': return (o, '--version')
            elif letter == 'h': return (o, '--help')
            elif letter == 'u': o.unbuffered = True
            elif letter == 'i': o.inspect = True
            elif letter == 'B': o.no_bytecode = True
            elif letter == 'S': o.no_site = True
            elif letter == 's': o.no_user = True
            elif letter == 'E': o.no_env = True
            elif letter == 'I': o.isolated = o.no_env = o.no_user = True
            elif letter == 'O': o.optimize += 1
            elif letter == 'q': o.quiet = True
            elif letter == 'P': o.isolated = True
            elif letter in 'bdvxR': pass
            else: return (o, '?' + letter)
        i += 1
    if i < len(argv):
        o.args = argv[i:]
        if argv[i] != '-':
            o.mode, o.target = 'file', argv[i]
    else:
        o.args = ['']
    return (o, None)
`;

const STREAMS = String.raw`
def _stream(fd, mode, name, options, errors, line):
    try:
        posix.fstat(fd)
    except OSError:
        return None
    encoding = 'utf-8'
    given = '' if options.no_env else os.environ.get('PYTHONIOENCODING', '')
    if given:
        encoding, _, wanted = given.partition(':')
        encoding = encoding or 'utf-8'
        errors = wanted or ('strict' if fd < 2 else errors)
        if fd == 2: errors = 'backslashreplace'
    raw = io.open(fd, mode, buffering=-1, closefd=False) if not (options.unbuffered and fd) else io.open(fd, mode, buffering=0, closefd=False)
    (raw.raw if hasattr(raw, 'raw') else raw).name = name
    tty = raw.isatty()
    stream = io.TextIOWrapper(raw, encoding, errors, newline='\n' if fd else None, line_buffering=(tty or line) and fd > 0, write_through=bool(options.unbuffered and fd))
    stream.mode = 'r' if fd == 0 else 'w'
    return stream

def _open_streams(options):
    strict = 'surrogateescape'
    sys.stdin = sys.__stdin__ = _stream(0, 'rb', '<stdin>', options, strict, False)
    sys.stdout = sys.__stdout__ = _stream(1, 'wb', '<stdout>', options, strict, False)
    sys.stderr = sys.__stderr__ = _stream(2, 'wb', '<stderr>', options, 'backslashreplace', True)

def _say(text):
    if sys.stderr is not None:
        sys.stderr.write(text)
        sys.stderr.flush()

def _flush():
    status = 0
    out = sys.stdout
    if out is not None and not getattr(out, 'closed', False):
        try:
            out.flush()
        except BaseException as error:
            _say("Exception ignored in: %r\n" % (out,))
            _say("%s: %s\n" % (type(error).__name__, error))
            status = -1
    err = sys.stderr
    if err is not None and not getattr(err, 'closed', False):
        try: err.flush()
        except BaseException: status = -1
    return status
`;

const PATHS = String.raw`
def _set_path(options, executable):
    version = 'python3.11'
    home = os.path.dirname(executable)
    config = os.path.join(os.path.dirname(home), 'pyvenv.cfg')
    places = ['/usr/lib/python311.zip', _lib, _lib + '/lib-dynload']
    sys.prefix = sys.exec_prefix = '/usr'
    packages = []
    system = True
    if executable.startswith('/') and not executable.startswith('/usr/bin/') and os.path.exists(config):
        prefix = os.path.dirname(home)
        sys.prefix = sys.exec_prefix = prefix
        packages.append(prefix + '/lib/' + version + '/site-packages')
        with open(config) as file:
            system = any(line.replace(' ', '').strip().lower() == 'include-system-site-packages=true' for line in file)
    if system:
        if sys.prefix != '/usr' or not options.no_user:
            user = os.path.expanduser('~/.local/lib/' + version + '/site-packages')
            if not options.no_user and os.path.isdir(user):
                packages.append(user)
        packages += ['/usr/local/lib/' + version + '/dist-packages', '/usr/lib/python3/dist-packages']
    extra = '' if options.no_env else os.environ.get('PYTHONPATH', '')
    sys.path[:] = [p if p else os.getcwd() for p in extra.split(':')] if extra else []
    sys.path += places
    if not options.no_site:
        sys.path += [p for p in packages if os.path.isdir(p)]

def _first_path(options):
    if options.isolated:
        return None
    if options.mode == 'file':
        target = options.target
        try:
            link = os.readlink(target)
            target = os.path.join(os.path.dirname(target), link)
        except OSError:
            pass
        return os.path.dirname(os.path.abspath(target))
    if options.mode == 'module':
        return os.getcwd()
    return ''

def _hide_shadowed(folder):
    try:
        names = {name.split('.')[0] for name in posix.listdir(folder or '.')}
    except OSError:
        return
    if names & _preloaded_tops:
        for name in list(sys.modules):
            if name not in _initial:
                del sys.modules[name]
`;

const PROGRAM = String.raw`
def _main_module(options):
    import importlib.machinery as machinery
    module = types.ModuleType('__main__')
    space = module.__dict__
    space['__annotations__'] = {}
    space['__builtins__'] = builtins
    space['__loader__'] = machinery.BuiltinImporter
    sys.modules['__main__'] = module
    return module

def _strip(error):
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == '<runner>':
        trace = trace.tb_next
    error.__traceback__ = trace
    _hide(error, set())
    return error.__traceback__

def _hide(error, seen):
    if error is None or id(error) in seen: return
    seen.add(id(error))
    first = error.__traceback__
    while first is not None and first.tb_frame.f_code.co_filename == '<runner>': first = first.tb_next
    trace = first
    while trace is not None:
        after = trace.tb_next
        while after is not None and after.tb_frame.f_code.co_filename == '<runner>': after = after.tb_next
        if after is not trace.tb_next: trace.tb_next = after
        trace = after
    if first is not error.__traceback__: error.__traceback__ = first
    _hide(error.__cause__, seen)
    _hide(error.__context__, seen)

def _report(error):
    trace = _strip(error)
    try:
        sys.stdout.flush()
    except BaseException:
        pass
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    hook = sys.excepthook
    try:
        hook(type(error), error, trace)
    except SystemExit as leave:
        return _leave(leave)
    except BaseException as second:
        _say('Error in sys.excepthook:\n')
        sys.__excepthook__(type(second), second, second.__traceback__.tb_next)
        _say('\nOriginal exception was:\n')
        sys.__excepthook__(type(error), error, trace)
    return 1

def _leave(error):
    code = error.code
    if code is None: return 0
    if isinstance(code, int): return code & 0xff
    try:
        sys.stdout.flush()
    except BaseException: pass
    _say(str(code) + '\n')
    return 1

def _guard(body, *args):
    try:
        body(*args)
        return 0
    except SystemExit as error:
        return _leave(error)
    except KeyboardInterrupt as error:
        _report(error)
        return -2
    except BaseException as error:
        return _report(error)

def _compile(source, name, optimize):
    return compile(source, name, 'exec', dont_inherit=True, optimize=optimize or -1)

def _run_code(options, space):
    source = options.target + '\n'
    exec(_compile(source, '<string>', options.optimize), space)

def _run_file(options, space):
    path = os.path.abspath(options.target)
    import importlib.machinery as machinery
    space['__file__'] = path
    space['__cached__'] = None
    space['__loader__'] = machinery.SourceFileLoader('__main__', path)
    with io.open_code(path) as file:
        data = file.read()
    if data[:2] == b'\xa7\r':
        import marshal
        code = marshal.loads(data[16:])
    else:
        code = _compile(data, path, options.optimize)
    exec(code, space)

def _run_stdin(options, space):
    data = sys.stdin.buffer.read()
    exec(_compile(data, '<stdin>', options.optimize), space)

def _run_module(options, space):
    import runpy
    runpy._run_module_as_main(options.target, True)

def _run_folder(options, space):
    import runpy
    sys.path.insert(0, os.path.abspath(options.target))
    runpy._run_module_as_main('__main__', False)

def _shown(argv0):
    return sys.executable if '/' not in argv0 else argv0

def _interact(options, space):
    import code as _code, codeop
    if not options.quiet and not options.inspect:
        _say('Python %s on %s\nType "help", "copyright", "credits" or "license" for more information.\n' % (sys.version, sys.platform))
    sys.ps1 = getattr(sys, 'ps1', '>>> '); sys.ps2 = getattr(sys, 'ps2', '... ')
    compiler = codeop.CommandCompiler()
    lines = []
    status = 0
    while True:
        try:
            sys.stdout.flush()
            _say(str(sys.ps2 if lines else sys.ps1))
            line = sys.stdin.readline()
            if not line:
                _say('\n')
                break
            lines.append(line.rstrip('\n'))
            text = '\n'.join(lines)
            try:
                made = compiler(text, '<stdin>', 'single')
            except (OverflowError, SyntaxError, ValueError) as error:
                error.__traceback__ = None
                lines = []
                sys.excepthook(type(error), error, None)
                continue
            if made is None:
                continue
            lines = []
            exec(made, space)
        except SystemExit as error:
            return _leave(error)
        except KeyboardInterrupt:
            lines = []
            _say('\nKeyboardInterrupt\n')
        except BaseException as error:
            lines = []
            _report(error)
    return status
`;

const START = String.raw`
def _version_or_usage(what, argv0):
    if what == '--version':
        sys.stdout.write('Python 3.11.2\n'); sys.stdout.flush()
        return 0
    if what == '--help':
        return _machine.call('help')
    if what.startswith('!'):
        _say('Argument expected for the -%s option\n' % what[1:])
    elif what.startswith('?'):
        _say('Unknown option: -%s\n' % what[1:])
    else:
        _say('unknown option %s\n' % what)
    _say('usage: %s [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry \x60python -h\x27 for more information.\n' % argv0)
    return 2

def _cannot_open(argv0, path, error):
    _say("%s: can't open file '%s': [Errno %d] %s\n" % (argv0, os.path.abspath(path), error.errno, error.strerror))
    return 2

def _choose(options, argv0):
    if options.mode == 'file':
        try:
            if os.path.isdir(options.target):
                folder = os.path.abspath(options.target)
                if not os.path.exists(folder + '/__main__.py'):
                    _say("%s: can't find '__main__' module in '%s'\n" % (sys.executable, folder))
                    return 1
                return _run_folder
            io.open_code(options.target).close()
        except OSError as error:
            return _cannot_open(argv0, options.target, error)
        return _run_file
    return {'code': _run_code, 'module': _run_module, 'stdin': _run_stdin}[options.mode]

def _begin(start):
    for name in list(os.environ._data):
        os.environ._data.pop(name)
    for name, value in start['env'].items():
        if '=' not in name and name:
            os.environ[name] = value
    sys.executable = sys._base_executable = start['executable']
    _begin_machine(start)
    random.seed(start['seed'])
    warnings.filters[:] = _filters[:]
    sys.orig_argv = list(start['argv'])

def _finish(status, module):
    threading._shutdown()
    try:
        atexit._run_exitfuncs()
    except BaseException as error:
        _report(error)
    if _flush() < 0:
        status = 120
    space = module.__dict__
    try:
        for pick in (lambda n: n.startswith('_') and n[1:2] != '_', lambda n: n != '__builtins__'):
            for name in list(space):
                if pick(name) and space.get(name) is not None:
                    space[name] = None
        sys.last_value = sys.last_traceback = sys.last_type = None
        gc.collect()
    except BaseException:
        pass
    if _flush() < 0:
        status = 120
    return status

def _entry():
    start = _machine.call('start')
    argv = start['argv']
    _begin(start)
    _sourceless.update(start.get('sourceless') or {})
    options, other = _read_options(argv)
    _open_streams(options)
    if other is not None:
        return _version_or_usage(other, argv[0])
    _set_path(options, start['executable'])
    sys.argv = list(options.args)
    if options.no_bytecode or (not options.no_env and os.environ.get('PYTHONDONTWRITEBYTECODE')):
        sys.dont_write_bytecode = True
    for option in options.warnings:
        warnings._processoptions([option])
    if not options.no_env and os.environ.get('PYTHONWARNINGS'):
        warnings._processoptions(os.environ['PYTHONWARNINGS'].split(','))
    body = _choose(options, argv[0])
    if isinstance(body, int):
        return body
    module = _main_module(options)
    first = _first_path(options)
    if first is not None and body is not _run_folder:
        sys.path.insert(0, first)
    _hide_shadowed(first)
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth += 1
        frame = frame.f_back
    _limit(depth + 3)
    interactive = body is _run_stdin and sys.stdin is not None and (sys.stdin.isatty() or options.inspect)
    if interactive:
        status = _interact(options, module.__dict__)
    else:
        status = _guard(body, options, module.__dict__)
        if options.inspect and body is not _run_stdin:
            status = _interact(options, sys.modules['__main__'].__dict__)
    return _finish(status, sys.modules.get('__main__', module))

def _answer():
    try:
        return _entry()
    except SystemExit as error:
        return _leave(error)
`;

/** Python source. */
export const RUNNER = `
_space = {'_facts_': _F, '_machine': _machine, '_lib': _lib, '__name__': '_runner', '_keep': _keep}
exec(compile(${JSON.stringify(MACHINE + OPTIONS + STREAMS + PATHS + PROGRAM + START)}, '<runner>', 'exec'), _space)
gc.collect()
gc.freeze()
id(_space['_answer'])
`;
