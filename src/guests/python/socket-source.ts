/**
 * Python's `_socket`: stream sockets of the machine, names and addresses.
 *
 * The library's `socket` is its own; this module in place of the one in C speaks to the machine, in Linux's numbers.
 * Source: `Modules/socketmodule.c` of CPython 3.11, getaddrinfo(3). Not covered: datagrams and raw sockets, control messages;
 * a program that wants those, or a host that the machine does not know, is not computed unless the machine has no network.
 */

/** Python source, run before the library's `socket` is imported; uses `call` and `_start` of the machine's source. */
export const SOCKETS = String.raw`
_sock = types.ModuleType('_socket')
_sock.error = OSError
_sock.timeout = TimeoutError
class herror(OSError): pass
class gaierror(OSError): pass
for _c in (herror, gaierror):
    _c.__module__ = 'socket'
    setattr(_sock, _c.__name__, _c)
_sock.has_ipv6 = True
_sock.__dict__.update(dict(AF_UNSPEC=0, AF_UNIX=1, AF_INET=2, AF_INET6=10, AF_NETLINK=16, AF_PACKET=17, AF_VSOCK=40,
    SOCK_STREAM=1, SOCK_DGRAM=2, SOCK_RAW=3, SOCK_RDM=4, SOCK_SEQPACKET=5, SOCK_NONBLOCK=2048, SOCK_CLOEXEC=524288,
    SOL_SOCKET=1, SOL_IP=0, SOL_TCP=6, SOL_UDP=17, SO_DEBUG=1, SO_REUSEADDR=2, SO_TYPE=3, SO_ERROR=4, SO_DONTROUTE=5, SO_BROADCAST=6,
    SO_SNDBUF=7, SO_RCVBUF=8, SO_KEEPALIVE=9, SO_OOBINLINE=10, SO_PRIORITY=12, SO_LINGER=13, SO_REUSEPORT=15, SO_PASSCRED=16,
    SO_PEERCRED=17, SO_RCVLOWAT=18, SO_SNDLOWAT=19, SO_RCVTIMEO=20, SO_SNDTIMEO=21, SO_BINDTODEVICE=25, SO_ACCEPTCONN=30, SO_PROTOCOL=38,
    SO_DOMAIN=39, SOMAXCONN=4096, TCP_NODELAY=1, TCP_MAXSEG=2, TCP_CORK=3, TCP_KEEPIDLE=4, TCP_KEEPINTVL=5, TCP_KEEPCNT=6, TCP_SYNCNT=7,
    TCP_LINGER2=8, TCP_DEFER_ACCEPT=9, TCP_WINDOW_CLAMP=10, TCP_INFO=11, TCP_QUICKACK=12, TCP_CONGESTION=13, TCP_USER_TIMEOUT=18,
    TCP_FASTOPEN=23, IPPROTO_IP=0, IPPROTO_ICMP=1, IPPROTO_TCP=6, IPPROTO_UDP=17, IPPROTO_IPV6=41, IPPROTO_RAW=255, IPV6_V6ONLY=26,
    IPV6_UNICAST_HOPS=16, IPV6_MULTICAST_HOPS=18, IPV6_JOIN_GROUP=20, IP_TOS=1, IP_TTL=2, IP_MULTICAST_IF=32, IP_MULTICAST_TTL=33,
    IP_MULTICAST_LOOP=34, IP_ADD_MEMBERSHIP=35, MSG_OOB=1, MSG_PEEK=2, MSG_DONTROUTE=4, MSG_CTRUNC=8, MSG_TRUNC=32, MSG_DONTWAIT=64,
    MSG_WAITALL=256, MSG_NOSIGNAL=16384, MSG_MORE=32768, SHUT_RD=0, SHUT_WR=1, SHUT_RDWR=2, AI_PASSIVE=1, AI_CANONNAME=2,
    AI_NUMERICHOST=4, AI_V4MAPPED=8, AI_ALL=16, AI_ADDRCONFIG=32, AI_NUMERICSERV=1024, EAI_BADFLAGS=-1, EAI_NONAME=-2, EAI_AGAIN=-3,
    EAI_FAIL=-4, EAI_NODATA=-5, EAI_FAMILY=-6, EAI_SOCKTYPE=-7, EAI_SERVICE=-8, EAI_ADDRFAMILY=-9, EAI_MEMORY=-10, EAI_SYSTEM=-11,
    NI_NUMERICHOST=1, NI_NUMERICSERV=2, NI_NOFQDN=4, NI_NAMEREQD=8, NI_DGRAM=16, NI_MAXHOST=1025, NI_MAXSERV=32, INADDR_ANY=0,
    INADDR_BROADCAST=0xffffffff, INADDR_LOOPBACK=0x7f000001, INADDR_NONE=0xffffffff))

_GAI = {-2: 'Name or service not known', -3: 'Temporary failure in name resolution', -5: 'No address associated with hostname',
    -6: 'ai_family not supported', -7: 'ai_socktype not supported', -8: 'Servname not supported for ai_socktype', -9: 'Address family for hostname not supported'}
def _gai(number): return gaierror(number, _GAI[number])
_FAMILIES = {1: 'unix', 2: 'inet', 10: 'inet6'}
_default_timeout = [None]

def _again(*request):
    while True:
        try:
            return call(*request)
        except InterruptedError:
            pass

def _is_v4(text):
    parts = text.split('.')
    return len(parts) == 4 and all(p.isascii() and p.isdigit() and len(p) < 4 and int(p) < 256 for p in parts)

def _is_v6(text):
    if ':' not in text: return False
    try: _pack6(text)
    except OSError: return False
    return True

def _names(host, family):
    if isinstance(host, (bytes, bytearray)): host = bytes(host).decode('utf-8', 'surrogateescape')
    if '\0' in host: raise ValueError('embedded null character')
    try: host = host.encode('idna').decode('ascii') if host and not host.isascii() else host
    except UnicodeError: raise UnicodeError("encoding with 'idna' codec failed") from None
    if _is_v4(host): found = [(2, host)]
    elif _is_v6(host.partition('%')[0]): found = [(10, _text6(_pack6(host.partition('%')[0])))]
    else:
        kind, rows = _again('resolve', host)
        if kind == 'lacks': call('lacking', 'the network beyond this machine: the host ' + host)
        if kind == 'none': raise _gai(rows)
        found = [(10 if ':' in one else 2, one) for one in rows]
        if family and not any(f == family for f, _ in found): raise _gai(-5)
    if family and not any(f == family for f, _ in found): raise _gai(-9)
    return [(f, one) for f, one in found if family in (0, f)]

def _pack6(text):
    import ipaddress
    try: return ipaddress.IPv6Address(text).packed
    except ValueError: raise OSError('illegal IP address string passed to inet_pton') from None
def _text6(packed):
    import ipaddress
    return str(ipaddress.IPv6Address(packed))

class socket:
    __slots__ = ('_fd', '_family', '_type', '_proto', '_timeout')
    def __init__(self, family=-1, type=-1, proto=-1, fileno=None):
        self._fd = -1
        self._timeout = _default_timeout[0]
        if fileno is not None:
            if isinstance(fileno, float): raise TypeError('integer argument expected, got float')
            fd = fileno.__index__()
            if fd < 0: raise ValueError('negative file descriptor')
            own = _again('sockname', fd)
            if family == -1: family = {'unix': 1, 'inet': 2, 'inet6': 10}[own[0]]
            self._family, self._type, self._proto = int(family), 1 if type == -1 else int(type), 0 if proto == -1 else proto
            self._fd = fd
        else:
            family, type, proto = int(2 if family == -1 else family), int(1 if type == -1 else type), 0 if proto == -1 else proto
            if family not in _FAMILIES: raise OSError(97, 'Address family not supported by protocol')
            if type & 15 != 1: call('lacking', 'sockets that are no streams')
            if proto not in (0, 6): raise OSError(93, 'Protocol not supported')
            self._fd = _again('socket', _FAMILIES[family])
            self._family, self._type, self._proto = family, type & 15, proto
            if type & 2048: self._timeout = 0.0
        self._block()
    family = property(lambda self: self._family)
    type = property(lambda self: self._type)
    proto = property(lambda self: self._proto)
    timeout = property(lambda self: self._timeout)
    def _block(self):
        if self._fd >= 0: _again('nonblock', self._fd, self._timeout is not None)
    def fileno(self): return self._fd
    def __repr__(self):
        return '<socket object, fd=%d, family=%d, type=%d, proto=%d>' % (self._fd, self._family, self._type, self._proto)
    def __del__(self):
        if getattr(self, '_fd', -1) >= 0:
            fd, self._fd = self._fd, -1
            try: posix.close(fd)
            except OSError: pass
    def close(self):
        fd, self._fd = self._fd, -1
        if fd >= 0:
            try: posix.close(fd)
            except ConnectionResetError: pass
    def detach(self):
        fd, self._fd = self._fd, -1
        return fd
    def settimeout(self, value, /):
        if value is not None:
            value = float(value)
            if value < 0: raise ValueError('Timeout value out of range')
        self._timeout = value
        self._block()
    def gettimeout(self): return self._timeout
    def setblocking(self, flag, /):
        self._timeout = None if flag else 0.0
        self._block()
    def getblocking(self): return self._timeout != 0.0

    def _wait(self, events):
        if self._timeout == 0.0: return
        end = None if self._timeout is None else time.monotonic() + self._timeout
        if end is None and not _servers: return
        while True:
            left = -1 if end is None else max(0, (end - time.monotonic()) * 1000)
            asked = [[self._fd, events]] + [[s.fileno(), 1] for s in _servers]
            found = _again('poll', asked, left)
            if found[0]: return
            if not any(found): raise TimeoutError('timed out')
            _serve(found[1:])
    def _address(self, address, caller):
        if self._family == 1:
            if isinstance(address, str): address = os.fsencode(address)
            elif not isinstance(address, (bytes, bytearray)): raise TypeError("a bytes-like object is required, not '%s'" % builtins.type(address).__name__)
            if len(address) > 108: raise OSError('AF_UNIX path too long')
            return os.fsdecode(bytes(address)), 0
        name = 'AF_INET' if self._family == 2 else 'AF_INET6'
        if not isinstance(address, tuple): raise TypeError('%s(): %s address must be tuple, not %s' % (caller, name, builtins.type(address).__name__))
        if self._family == 2 and len(address) != 2: raise TypeError('AF_INET address must be a pair (host, port)')
        if len(address) < 2 or len(address) > 4: raise TypeError('AF_INET6 address must be a tuple (host, port[, flowinfo[, scopeid]])')
        host, port = address[0], address[1]
        if not isinstance(host, (str, bytes, bytearray)): raise TypeError('str, bytes or bytearray expected, not %s' % builtins.type(host).__name__)
        if not hasattr(port, '__index__'): raise TypeError("'%s' object cannot be interpreted as an integer" % builtins.type(port).__name__)
        port = port.__index__()
        if not 0 <= port <= 65535: raise OverflowError('%s(): port must be 0-65535.' % caller)
        if host in ('', b''): return ('0.0.0.0' if self._family == 2 else '::'), port
        return _names(host, self._family)[0][1], port
    def _shown(self, row):
        family, host, port = row
        if family == 'unix': return host.encode() if host.startswith('\0') else host
        return (host, port) if family == 'inet' else (host, port, 0, 0)

    def bind(self, address, /): _again('bind', self._fd, *self._address(address, 'bind'))
    def listen(self, backlog=128, /): _again('listen', self._fd, max(0, backlog))
    def _accept(self):
        if len(_idents) > 1 and self._timeout != 0.0 and not _again('poll', [[self._fd, 1]], 0)[0]: call('lacking', 'threads that wait for one another')
        self._wait(1)
        fd, row = _again('accept', self._fd)
        return fd, self._shown(row)
    def connect(self, address, /):
        host, port = self._address(address, 'connect')
        try:
            lacks = _again('connect', self._fd, host, port)
            if lacks: call('lacking', lacks)
        except BlockingIOError:
            if self._timeout == 0.0: raise
            self._wait(4)
            number = _again('getsockopt', self._fd, 1, 4)
            if number: raise OSError(number, posix.strerror(number)) from None
    def connect_ex(self, address, /):
        try: self.connect(address)
        except TimeoutError: return 11
        except gaierror: raise
        except OSError as error: return error.errno
        return 0
    def getsockname(self): return self._shown(_again('sockname', self._fd))
    def getpeername(self): return self._shown(_again('peername', self._fd))
    def shutdown(self, how, /): _again('shutdown', self._fd, int(how))
    def setsockopt(self, level, name, value, *rest):
        if isinstance(value, (bytes, bytearray)): value = int.from_bytes(bytes(value)[:4], 'little')
        _again('setsockopt', self._fd, int(level), int(name), 0 if value is None else int(value))
    def getsockopt(self, level, name, size=0, /):
        value = _again('getsockopt', self._fd, int(level), int(name))
        return value.to_bytes(8, 'little')[:size].ljust(size, b'\0') if size else value

    def send(self, data, flags=0, /):
        self._wait(4)
        try: return posix.write(self._fd, data)
        except BlockingIOError: raise BlockingIOError(11, posix.strerror(11)) from None
    def sendall(self, data, flags=0, /):
        view = memoryview(data).cast('B')
        while view:
            view = view[self.send(view, flags):]
    def sendto(self, data, *rest): return self.send(data)
    def sendmsg(self, buffers, *rest): return self.send(b''.join(bytes(b) for b in buffers))
    def recv(self, size, flags=0, /):
        if size < 0: raise ValueError('negative buffersize in recv')
        flags = int(flags)
        if flags & ~64 & ~16384 or flags & 64:
            if not flags & 64: self._wait(1)
            got = b''
            while True:
                got += _again('recv', self._fd, size - len(got), flags).encode('latin-1')
                if not flags & 256 or len(got) >= size: return got
                if not _again('recv', self._fd, 1, 2): return got
        self._wait(1)
        try: return posix.read(self._fd, size)
        except BlockingIOError: raise BlockingIOError(11, posix.strerror(11)) from None
    def recv_into(self, buffer, size=0, flags=0, /):
        view = memoryview(buffer).cast('B')
        if size < 0: raise ValueError('negative buffersize in recv_into')
        data = self.recv(min(size, len(view)) if size else len(view), flags)
        view[:len(data)] = data
        return len(data)
    def recvfrom(self, size, flags=0, /): return self.recv(size, flags), None
    def recvfrom_into(self, buffer, size=0, flags=0, /): return self.recv_into(buffer, size, flags), None
    def recvmsg(self, size, ancillary=0, flags=0, /): return self.recv(size, flags), [], 0, None
socket.__module__ = '_socket'
_sock.socket = _sock.SocketType = socket

def _fd_socket(name):
    def give(function):
        function.__name__ = function.__qualname__ = name
        setattr(_sock, name, function)
        return function
    return give
def socketpair(family=1, type=1, proto=0, /):
    return tuple(socket(1, 1, 0, fd) for fd in _again('socketpair'))
def close(fd, /): posix.close(fd)
def dup(fd, /): return _again('dup', fd, 0)
def getdefaulttimeout(): return _default_timeout[0]
def setdefaulttimeout(timeout, /): _default_timeout[0] = None if timeout is None else float(timeout)
def gethostname(): return _start['host']
def sethostname(name, /): raise PermissionError(1, posix.strerror(1))
def if_nameindex(): return [(1, 'lo')]
def htons(x, /): return ((x & 0xff) << 8) | (x >> 8 & 0xff)
def htonl(x, /): return int.from_bytes((x & 0xffffffff).to_bytes(4, 'little'), 'big')
def CMSG_LEN(n, /): return n + 16
def CMSG_SPACE(n, /): return (n + 7) // 8 * 8 + 16
def inet_aton(text, /):
    parts = text.split('.')
    if not 0 < len(parts) <= 4: raise OSError('illegal IP address string passed to inet_aton')
    try: numbers = [int(p, 8 if len(p) > 1 and p[0] == '0' and p[1] not in 'xX' else 0) for p in parts]
    except ValueError: raise OSError('illegal IP address string passed to inet_aton') from None
    last = numbers.pop()
    if any(n > 255 or n < 0 for n in numbers) or last >= 256 ** (4 - len(numbers)): raise OSError('illegal IP address string passed to inet_aton')
    return bytes(numbers) + last.to_bytes(4 - len(numbers), 'big')
def inet_ntoa(packed, /):
    packed = bytes(packed)
    if len(packed) != 4: raise OSError('packed IP wrong length')
    return '.'.join(map(str, packed))
def inet_pton(family, text, /):
    if family == 2:
        if not _is_v4(text): raise OSError('illegal IP address string passed to inet_pton')
        return bytes(map(int, text.split('.')))
    if family != 10: raise OSError(97, posix.strerror(97))
    return _pack6(text)
def inet_ntop(family, packed, /):
    packed = bytes(packed)
    if family not in (2, 10): raise ValueError('unknown address family %d' % family)
    if len(packed) != (4 if family == 2 else 16): raise ValueError('invalid length of packed IP address string')
    return '.'.join(map(str, packed)) if family == 2 else _text6(packed)

_SERVICES = {'ftp': 21, 'ssh': 22, 'telnet': 23, 'smtp': 25, 'domain': 53, 'http': 80, 'pop3': 110, 'ntp': 123, 'imap2': 143, 'snmp': 161, 'ldap': 389,
    'https': 443, 'imaps': 993, 'pop3s': 995, 'mysql': 3306, 'postgresql': 5432, 'http-alt': 8080}
_PROTOCOLS = {'ip': 0, 'icmp': 1, 'tcp': 6, 'udp': 17, 'ipv6': 41}
def getservbyname(name, protocol=None, /):
    if name not in _SERVICES: raise OSError('service/proto not found')
    return _SERVICES[name]
def getservbyport(port, protocol=None, /):
    for name, number in _SERVICES.items():
        if number == port: return name
    raise OSError('port/proto not found')
def getprotobyname(name, /):
    if name not in _PROTOCOLS: raise OSError('protocol not found')
    return _PROTOCOLS[name]
def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):
    family, type, flags = int(family), int(type), int(flags)
    if port is None: number = 0
    elif isinstance(port, int): number = port & 0xffff
    else:
        port = port.decode() if isinstance(port, bytes) else port
        if not isinstance(port, str): raise OSError('Int or String expected')
        if port.isascii() and port.isdigit(): number = int(port) & 0xffff
        elif port in _SERVICES and not flags & 1024: number = _SERVICES[port]
        else: raise _gai(-8 if not flags & 1024 else -2)
    if family not in (0, 2, 10): raise _gai(-6)
    if host is not None and not isinstance(host, (str, bytes)): raise TypeError('getaddrinfo() argument 1 must be string or None')
    if not host:
        if host is None and port is None: raise _gai(-2)
        if host == '': raise _gai(-2)
        found = [(2, '0.0.0.0'), (10, '::')] if flags & 1 else [(2, '127.0.0.1'), (10, '::1')]
        found = [one for one in found if family in (0, one[0])]
    elif flags & 4:
        if not _is_v4(host) and not _is_v6(host): raise _gai(-2)
        found = _names(host, family)
    else: found = _names(host, family)
    kinds = [(1, 6), (2, 17), (3, 0)]
    kinds = [(t, p) for t, p in kinds if type in (0, t) and proto in (0, p)]
    if not kinds: raise _gai(-7 if type not in (0, 1, 2, 3) else -8)
    name = host if flags & 2 and host else ''
    rows = []
    for f, one in found:
        for t, p in kinds:
            rows.append((f, t, p or proto, name, (one, number) if f == 2 else (one, number, 0, 0)))
            name = ''
    return rows
def gethostbyname(host, /):
    if host == '': return '0.0.0.0'
    return _names(host, 2)[0][1]
def gethostbyname_ex(host, /): return (host, [], [one for _, one in _names(host, 2)])
def gethostbyaddr(host, /):
    address = _names(host, 0)[0][1]
    names = _again('hostname', address)
    if not names: raise herror(1, 'Unknown host')
    return (names[0], names[1:], [address])
def getnameinfo(address, flags, /):
    host, port = address[0], address[1]
    names = [] if flags & 1 else _again('hostname', host)
    if not names and flags & 8: raise _gai(-2)
    service = str(port)
    if not flags & 2:
        for name, number in _SERVICES.items():
            if number == port: service = name
    return (names[0] if names else host, service)
for _f in (socketpair, close, dup, getdefaulttimeout, setdefaulttimeout, gethostname, sethostname, if_nameindex, CMSG_LEN, CMSG_SPACE, inet_aton, inet_ntoa,
           inet_pton, inet_ntop, getservbyname, getservbyport, getprotobyname, getaddrinfo, gethostbyname, gethostbyname_ex, gethostbyaddr, getnameinfo):
    setattr(_sock, _f.__name__, _f)
_sock.htons = _sock.ntohs = htons
_sock.htonl = _sock.ntohl = htonl
sys.modules['_socket'] = _sock

# Servers that a thread serves: their turn is whenever another thread waits.
_servers = []
def _of_thread(ident):
    for server in _servers:
        if server._thread_ident == ident: return server
def _turn(ms):
    try: _serve(call('poll', [[server.fileno(), 1] for server in _servers], ms))
    except InterruptedError: pass
def _serve(found):
    for server, events in zip(list(_servers), found):
        if events and server in _servers:
            _idents.append(server._thread_ident)
            try: server._handle_request_noblock(); server.service_actions()
            finally: _idents.pop()
`;
