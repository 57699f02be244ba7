/**
 * What a program finds in Node: `process`, `console`, `Buffer`, timers, and the modules `fs`, `path`, `os`, `util`, `assert`,
 * `events`, `child_process`, `url`, `string_decoder`, `readline`, `timers`, `perf_hooks`, in JavaScript for the guest.
 *
 * Source: the documentation of Node 18. Not covered: streams beyond the standard ones, `net`, `http`, `crypto` but
 * `randomUUID` and `randomBytes`, workers.
 */

/** JavaScript source; `__sys` is the machine. */
export const MODULES = String.raw`
var __builtin = {};
var __timers = [], __timerId = 1, __immediates = [], __ticks = [];
function __call(name, ...args) {
  const reply = JSON.parse(__sys(name, JSON.stringify(args)));
  if (reply.error) { const e = new Error(reply.error); e.code = reply.error; throw e; }
  return reply.value;
}
var __errnos = { EPERM: [1, 'operation not permitted'], ENOENT: [2, 'no such file or directory'], EACCES: [13, 'permission denied'], EEXIST: [17, 'file already exists'], ENOTDIR: [20, 'not a directory'], EISDIR: [21, 'illegal operation on a directory'], EINVAL: [22, 'invalid argument'], ENOSPC: [28, 'no space left on device'], EROFS: [30, 'read-only file system'], ENOTEMPTY: [39, 'directory not empty'], EPIPE: [32, 'broken pipe'], EBADF: [9, 'bad file descriptor'], ESRCH: [3, 'no such process'], ELOOP: [40, 'too many symbolic links encountered'] };
function __file(syscall, path, name, ...args) {
  try { return __call(name, ...args); } catch (e) {
    const [number, text] = __errnos[e.code] || [5, 'i/o error'];
    const dest = syscall === 'rename' || syscall === 'copyfile' || syscall === 'symlink' || syscall === 'link';
    const error = new Error(e.code + ': ' + text + ', ' + syscall + (path === undefined ? '' : dest ? " '" + path[0] + "' -> '" + path[1] + "'" : " '" + path + "'"));
    error.errno = -number; error.syscall = syscall; error.code = e.code;
    if (path !== undefined) { if (dest) { error.path = path[0]; error.dest = path[1]; } else error.path = path; }
    throw error;
  }
}
function __bytes(latin) { const out = new Uint8Array(latin.length); for (let i = 0; i < latin.length; i++) out[i] = latin.charCodeAt(i); return out; }
function __latin(bytes) { let out = ''; for (let i = 0; i < bytes.length; i += 8192) out += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192)); return out; }
function __utf8(text) {
  const out = [];
  for (const ch of String(text)) { let c = ch.codePointAt(0); if (c >= 0xd800 && c < 0xe000) c = 0xfffd;
    if (c < 128) out.push(c); else if (c < 2048) out.push(192 | c >> 6, 128 | c & 63); else if (c < 65536) out.push(224 | c >> 12, 128 | c >> 6 & 63, 128 | c & 63); else out.push(240 | c >> 18, 128 | c >> 12 & 63, 128 | c >> 6 & 63, 128 | c & 63); }
  return Uint8Array.from(out);
}
function __text(bytes) {
  let out = '';
  for (let i = 0; i < bytes.length;) { const b = bytes[i]; let n = b < 128 ? 0 : b >= 194 && b < 224 ? 1 : b >= 224 && b < 240 ? 2 : b >= 240 && b < 245 ? 3 : -1;
    if (n === 0) { out += String.fromCharCode(b); i++; continue; }
    let c = n < 0 ? 0 : b & (63 >> n), k = 1; for (; n > 0 && k <= n && (bytes[i + k] & 192) === 128; k++) c = c << 6 | bytes[i + k] & 63;
    if (n < 0 || k <= n) { out += '\ufffd'; i += n < 0 ? 1 : k; } else { out += String.fromCodePoint(c); i += k; } }
  return out;
}
{
  const Own = Date;
  const Now = function Date(...args) { if (!new.target) return new Own(Math.floor(__now())).toString(); return Reflect.construct(Own, args.length ? args : [Math.floor(__now())], new.target === Now ? Own : new.target); };
  Object.defineProperties(Now, { now: { value: () => Math.floor(__now()), writable: true, configurable: true }, parse: { value: Own.parse, writable: true, configurable: true }, UTC: { value: Own.UTC, writable: true, configurable: true }, length: { value: 7 }, prototype: { value: Own.prototype, writable: false } });
  Object.defineProperty(Own.prototype, 'constructor', { value: Now, writable: true, configurable: true });
  globalThis.Date = Now;
  const P = Own.prototype, zoned = (f) => function toString() { const t = f.call(this); return t === 'Invalid Date' ? t : t + ' (Coordinated Universal Time)'; };
  const put = (o, name, value) => Object.defineProperty(o, name, { value, writable: true, configurable: true });
  put(P, 'toString', zoned(P.toString)); put(P, 'toTimeString', zoned(P.toTimeString));
  const two = (n) => String(n).padStart(2, '0');
  const day = (d) => d.getMonth() + 1 + '/' + d.getDate() + '/' + d.getFullYear(), clock = (d) => (d.getHours() % 12 || 12) + ':' + two(d.getMinutes()) + ':' + two(d.getSeconds()) + (d.getHours() < 12 ? ' AM' : ' PM');
  const local = (f) => function (locale, options) { if (options !== undefined || (locale !== undefined && locale !== 'en-US')) __lack('Intl'); return Number.isNaN(this.getTime()) ? 'Invalid Date' : f(this); };
  put(P, 'toLocaleDateString', local(day)); put(P, 'toLocaleTimeString', local(clock)); put(P, 'toLocaleString', local((d) => day(d) + ', ' + clock(d)));
  put(Number.prototype, 'toLocaleString', function toLocaleString(locale, options) { if (options !== undefined || (locale !== undefined && locale !== 'en-US')) __lack('Intl'); const n = Math.round(Math.abs(this) * 1000) / 1000; if (!Number.isFinite(n)) return Number.isNaN(n) ? 'NaN' : this < 0 ? '-∞' : '∞'; const [whole, part] = String(n).split('.'); return (this < 0 ? '-' : '') + whole.replace(/\B(?=(\d{3})+$)/g, ',') + (part ? '.' + part : ''); });
  let state = __start.seed >>> 0, more = Math.floor(__start.seed / 2 ** 32) >>> 0;
  const next = () => { state = (state + 0x6d2b79f5 + more) >>> 0; let t = Math.imul(state ^ (state >>> 15), state | 1); t ^= t + Math.imul(t ^ (t >>> 7), t | 61); return (t ^ (t >>> 14)) >>> 0; };
  Math.random = function random() { return (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53; };
}
const __b64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
class Buffer extends Uint8Array {
  static from(v, encoding, length) {
    if (typeof v === 'string') { encoding = (encoding || 'utf8').toLowerCase();
      if (encoding === 'hex') return Buffer.copy(Uint8Array.from(v.match(/[0-9a-f]{2}/gi) || [], (h) => parseInt(h, 16)));
      if (encoding === 'base64' || encoding === 'base64url') { const out = []; let bits = 0, n = 0; for (const ch of v.replace(/-/g, '+').replace(/_/g, '/')) { const at = __b64.indexOf(ch); if (at < 0) continue; bits = bits << 6 | at; n += 6; if (n >= 8) { n -= 8; out.push(bits >> n & 255); } } return Buffer.copy(out); }
      if (encoding === 'latin1' || encoding === 'binary' || encoding === 'ascii') return Buffer.copy(__bytes(v));
      return Buffer.copy(__utf8(v)); }
    if (v instanceof ArrayBuffer) return new Buffer(v, encoding, length);
    return Buffer.copy(v);
  }
  static copy(list) { const out = new Buffer(list.length); out.set(list); return out; }
  static alloc(n, fill) { const out = new Buffer(n); if (fill !== undefined) out.fill(typeof fill === 'string' ? fill.charCodeAt(0) : fill); return out; }
  static allocUnsafe(n) { return new Buffer(n); }
  static isBuffer(v) { return v instanceof Buffer; }
  static byteLength(v) { return typeof v === 'string' ? __utf8(v).length : v.byteLength; }
  static concat(list) { const out = new Buffer(list.reduce((s, b) => s + b.length, 0)); let at = 0; for (const b of list) { out.set(b, at); at += b.length; } return out; }
  static get [Symbol.species]() { return Uint8Array; }
  toString(encoding, from = 0, to = this.length) { const b = this.subarray(from, to); switch ((encoding || 'utf8').toLowerCase()) {
    case 'hex': return Array.from(b, (n) => n.toString(16).padStart(2, '0')).join('');
    case 'base64': case 'base64url': { let out = ''; for (let i = 0; i < b.length; i += 3) { const n = b[i] << 16 | (b[i + 1] || 0) << 8 | (b[i + 2] || 0); out += __b64[n >> 18] + __b64[n >> 12 & 63] + (i + 1 < b.length ? __b64[n >> 6 & 63] : '=') + (i + 2 < b.length ? __b64[n & 63] : '='); } return encoding.toLowerCase() === 'base64url' ? out.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '') : out; }
    case 'latin1': case 'binary': case 'ascii': return __latin(b);
    default: return __text(b); } }
  toJSON() { return { type: 'Buffer', data: Array.from(this) }; }
  equals(o) { return this.length === o.length && this.every((n, i) => n === o[i]); }
  slice(a, b) { return this.subarray(a, b); }
  subarray(a, b) { const s = Uint8Array.prototype.subarray.call(new Uint8Array(this.buffer, this.byteOffset, this.length), a, b); return new Buffer(s.buffer, s.byteOffset, s.length); }
  write(text, at = 0) { const b = __utf8(text); this.set(b.subarray(0, this.length - at), at); return b.length; }
  readUInt8(i = 0) { return this[i]; } readUInt16BE(i = 0) { return this[i] << 8 | this[i + 1]; } readUInt32BE(i = 0) { return (this[i] * 2 ** 24) + (this[i + 1] << 16 | this[i + 2] << 8 | this[i + 3]); }
  [Symbol.for('nodejs.util.inspect.custom')]() { const b = Array.from(this.subarray(0, 50), (n) => n.toString(16).padStart(2, '0')).join(' '); return '<Buffer' + (b ? ' ' + b : '') + (this.length > 50 ? ' ... ' + (this.length - 50) + ' more byte' + (this.length > 51 ? 's' : '') : '') + '>'; }
}
globalThis.Buffer = Buffer;
globalThis.TextEncoder = class TextEncoder { encode(t = '') { return __utf8(t); } };
globalThis.TextDecoder = class TextDecoder { decode(b = new Uint8Array(0)) { return __text(new Uint8Array(b.buffer || b, b.byteOffset || 0, b.byteLength)); } };
globalThis.btoa = (t) => Buffer.from(t, 'latin1').toString('base64'); globalThis.atob = (t) => Buffer.from(t, 'base64').toString('latin1');
globalThis.global = globalThis;
globalThis.queueMicrotask = (f) => { Promise.resolve().then(f); };
globalThis.structuredClone = (v) => { const seen = new Map(); const copy = (x) => { if (typeof x !== 'object' || x === null) return x; if (seen.has(x)) return seen.get(x); let out; if (Array.isArray(x)) out = []; else if (x instanceof Date) return new Date(x); else if (x instanceof Map) { out = new Map(); seen.set(x, out); for (const [k, w] of x) out.set(copy(k), copy(w)); return out; } else if (x instanceof Set) { out = new Set(); seen.set(x, out); for (const w of x) out.add(copy(w)); return out; } else out = {}; seen.set(x, out); for (const k of Object.keys(x)) out[k] = copy(x[k]); return out; }; return copy(v); };
class Timeout { constructor(f, ms, args, repeat) { this.id = __timerId++; this.f = f; this.ms = Math.max(1, Number(ms) || 1); this.args = args; this.repeat = repeat; this.refed = true; this.at = __now() + this.ms; __timers.push(this); } ref() { this.refed = true; return this; } unref() { this.refed = false; return this; } hasRef() { return this.refed; } refresh() { this.at = __now() + this.ms; return this; } [Symbol.toPrimitive]() { return this.id; } }
globalThis.setTimeout = (f, ms, ...args) => new Timeout(f, ms, args, false);
globalThis.setInterval = (f, ms, ...args) => new Timeout(f, ms, args, true);
globalThis.clearTimeout = globalThis.clearInterval = (t) => { __timers = __timers.filter((one) => one !== t && one.id !== t); };
globalThis.setImmediate = (f, ...args) => { const one = { f, args }; __immediates.push(one); return one; };
globalThis.clearImmediate = (one) => { __immediates = __immediates.filter((o) => o !== one); };
function __put(fd, text) { const bytes = typeof text === 'string' ? __utf8(text) : text; for (let at = 0; at < bytes.length; at += 262144) { const r = JSON.parse(__sys('write', JSON.stringify([fd]), __latin(bytes.subarray(at, at + 262144)))); if (r.error) { if (r.error === 'EPIPE') { __sys('exit', JSON.stringify([{ code: fd === 2 ? 1 : 0 }])); } return false; } } return true; }

class EventEmitter {
  _list(n) { if (!Object.prototype.hasOwnProperty.call(this, '_events')) Object.defineProperty(this, '_events', { value: Object.create(null), writable: true, enumerable: false, configurable: true }); return (this._events[n] = this._events[n] || []); }
  on(n, f) { this._list(n).push(f); return this; } addListener(n, f) { return this.on(n, f); } prependListener(n, f) { this._list(n).unshift(f); return this; }
  once(n, f) { const g = (...a) => { this.off(n, g); return f.apply(this, a); }; g.listener = f; return this.on(n, g); }
  off(n, f) { const l = this._list(n); const at = l.findIndex((g) => g === f || g.listener === f); if (at >= 0) l.splice(at, 1); return this; } removeListener(n, f) { return this.off(n, f); }
  removeAllListeners(n) { if (n === undefined) this._events = Object.create(null); else delete this._list(n) && (this._events[n] = []); return this; }
  emit(n, ...a) { const l = [...this._list(n)]; if (n === 'error' && l.length === 0) { if (a[0] instanceof Error) throw a[0]; const e = new Error('Unhandled error. (' + __inspect(a[0]) + ')'); e.code = 'ERR_UNHANDLED_ERROR'; throw e; } for (const f of l) f.apply(this, a); return l.length > 0; }
  listenerCount(n) { return this._list(n).length; } listeners(n) { return this._list(n).map((g) => g.listener || g); } eventNames() { return Object.keys(this._events || {}); } setMaxListeners() { return this; }
}
EventEmitter.EventEmitter = EventEmitter; EventEmitter.once = (em, n) => new Promise((ok, no) => { em.once(n, (...a) => ok(a)); if (n !== 'error') em.once('error', no); });
__builtin.events = EventEmitter;

class Output extends EventEmitter { constructor(fd) { super(); this.fd = fd; this.isTTY = __start.tty[fd] ? true : undefined; this.writable = true; if (this.isTTY) { this.columns = 80; this.rows = 40; } } write(text, enc, done) { __put(this.fd, text); if (typeof enc === 'function') done = enc; if (done) process.nextTick(done); return true; } end(text) { if (text !== undefined) this.write(text); } }
class Input extends EventEmitter {
  constructor() { super(); this.fd = 0; this.isTTY = __start.tty[0] ? true : undefined; }
  _start() { if (this._going) return; this._going = true; const step = () => { const b = __read(0, 65536); if (b.length === 0) { this.emit('end'); this.emit('close'); return; } this.emit('data', this.enc ? __text(b) : Buffer.copy(b)); setImmediate(step); }; setImmediate(step); }
  on(n, f) { super.on(n, f); if (n === 'data' || n === 'end' || n === 'readable') this._start(); return this; }
  setEncoding(e) { this.enc = e; return this; } resume() { this._start(); return this; } pause() { return this; } unref() { return this; } ref() { return this; }
  async *[Symbol.asyncIterator]() { for (;;) { const b = __read(0, 65536); if (b.length === 0) return; yield this.enc ? __text(b) : Buffer.copy(b); } }
}
function __read(fd, n) { const r = JSON.parse(__sys('read', JSON.stringify([fd, n]))); if (r.error) { const e = new Error(r.error); e.code = r.error; throw e; } return __bytes(r.bytes); }
const process = globalThis.process = Object.assign(new EventEmitter(), {
  title: 'node', version: 'v18.20.4', versions: { node: '18.20.4', v8: '10.2.154.26-node.36' }, arch: 'x64', platform: 'linux', release: { name: 'node', lts: 'Hydrogen' }, pid: __start.pid, ppid: __start.ppid, execPath: __start.executable, execArgv: [], argv: [], env: { ...__start.env }, exitCode: undefined, config: {}, features: {},
  cwd: () => __file('uv_cwd', undefined, 'getcwd'), chdir: (p) => { __file('chdir', p, 'chdir', -100, p); }, umask: (m) => __call('umask', m === undefined ? 18 : m), getuid: () => __start.uid, geteuid: () => __start.euid, getgid: () => __start.gid, getegid: () => __start.egid,
  uptime: () => (__now() - __start.nowUs / 1000) / 1000 + 0.03, hrtime: Object.assign((b) => { const t = __now() * 1e6 - (b ? b[0] * 1e9 + b[1] : 0); return [Math.floor(t / 1e9), Math.floor(t % 1e9)]; }, { bigint: () => BigInt(Math.round(__now() * 1e6)) }),
  memoryUsage: Object.assign(() => ({ rss: 43000000, heapTotal: 6000000, heapUsed: 5000000, external: 400000, arrayBuffers: 17000 }), { rss: () => 43000000 }), cpuUsage: () => ({ user: 30000, system: 9000 }), kill: (p, s) => { __call('kill', p, typeof s === 'number' ? s : { SIGINT: 2, SIGKILL: 9, SIGTERM: 15, SIGHUP: 1 }[s || 'SIGTERM'] || 0); return true; },
  nextTick: (f, ...a) => { __ticks.push(() => f(...a)); }, exit: (code) => { if (code !== undefined) process.exitCode = code; __leave(); }, abort: () => { __sys('exit', JSON.stringify([{ signal: 6 }])); }, emitWarning: (w) => { process.stderr.write('(node:' + __start.pid + ') ' + (w.name || 'Warning') + ': ' + (w.message || w) + '\n(Use \x60node --trace-warnings ...\x60 to show where the warning was created)\n'); }, binding: () => ({}),
});
process.stdout = new Output(1); process.stderr = new Output(2); process.stdin = new Input();
Object.defineProperty(process, Symbol.toStringTag, { value: 'process' });
function __leave() { if (!process._exiting) { process._exiting = true; process.emit('exit', process.exitCode === undefined ? 0 : process.exitCode); } __sys('exit', JSON.stringify([{ code: Number(process.exitCode || 0) & 255 }])); throw new Error('left'); }
let __indent = '';
const __say = (fd, args) => { let t = __format(...args); if (__indent) t = __indent + t.replace(/\n/g, '\n' + __indent); __put(fd, t + '\n'); };
const __counts = {}, __times = {};
const console = globalThis.console = {
  log: (...a) => __say(1, a), info: (...a) => __say(1, a), debug: (...a) => __say(1, a), error: (...a) => __say(2, a), warn: (...a) => __say(2, a), trace: (...a) => __say(2, ['Trace: ' + __format(...a)]), dir: (v, o) => __say(1, [__inspect(v, o)]),
  assert: (v, ...a) => { if (!v) __say(2, a.length ? ['Assertion failed: ' + __format(...a)] : ['Assertion failed']); }, group: (...a) => { if (a.length) __say(1, a); __indent += '  '; }, groupEnd: () => { __indent = __indent.slice(2); }, count: (l = 'default') => { __counts[l] = (__counts[l] || 0) + 1; __say(1, [l + ': ' + __counts[l]]); }, countReset: (l = 'default') => { __counts[l] = 0; },
  time: (l = 'default') => { __times[l] = __now(); }, timeEnd: (l = 'default') => { __say(1, [l + ': ' + (__now() - __times[l]).toFixed(3) + 'ms']); }, timeLog: (l = 'default') => { __say(1, [l + ': ' + (__now() - __times[l]).toFixed(3) + 'ms']); },
  table: (rows) => { if (typeof rows !== 'object' || rows === null) return __say(1, [rows]); const list = Object.entries(rows); const cols = []; let values = false; for (const [, r] of list) if (typeof r === 'object' && r !== null) { for (const k of Object.keys(r)) if (!cols.includes(k)) cols.push(k); } else values = true; const head = ['(index)', ...cols, ...(values ? ['Values'] : [])]; const one = (v) => __inspect(v, { depth: 0 }); const body = list.map(([k, r]) => [k, ...cols.map((c) => typeof r === 'object' && r !== null && c in r ? one(r[c]) : ''), ...(values ? [typeof r === 'object' && r !== null ? '' : one(r)] : [])]); const w = head.map((h, i) => Math.max(h.length, ...body.map((b) => b[i].length)) + 2); const mid = (t, n) => { const l = Math.floor((n - t.length) / 2); return ' '.repeat(l) + t + ' '.repeat(n - t.length - l); }; const line = (a, b, c) => a + w.map((n) => '─'.repeat(n)).join(b) + c; const row = (cells) => '│' + cells.map((t, i) => mid(t, w[i])).join('│') + '│'; __say(1, [[line('┌', '┬', '┐'), row(head), line('├', '┼', '┤'), ...body.map(row), line('└', '┴', '┘')].join('\n')]); },
};
`;
