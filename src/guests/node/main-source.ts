/**
 * How Node starts a program, loads modules, words errors and ends, in JavaScript for the guest.
 *
 * The engine's errors are worded as V8 does: from the kind of error and the source at its position. Programs see the
 * wording because `catch` clauses are rewritten to pass what they catch through it.
 * Source: Node 18.20 on Debian 12. Tests: see `test-source.ts`. Not covered: the prompt, source maps, `process.on('uncaughtException')` origins.
 */

/** JavaScript source; ends with the run of the program. */
export const MAIN = String.raw`
function __lack(what) { __sys('lacking', JSON.stringify([what])); throw new Error('lacking'); }
for (const name of ['URL', 'URLSearchParams', 'fetch', 'AbortController', 'Intl', 'WebAssembly', 'Worker']) Object.defineProperty(globalThis, name, { configurable: true, get() { return __lack(name); }, set(v) { Object.defineProperty(globalThis, name, { value: v, writable: true, configurable: true }); } });
const __sources = new Map();
let __phase = 'main', __lastTop = null;
const __shift = '(function __wrapper(exports, require, module, __filename, __dirname) {'.length;
const __fixed = new WeakSet();
function __rawFrames(e) {
  const out = [];
  for (const line of String(e.stack || '').split('\n')) {
    const m = /^    at (?:(.*?) \()?([^()]*?):(\d+)(?::(\d+))?\)?$/.exec(line);
    if (!m) { const n = /^    at (.*) \(native\)$/.exec(line); if (n) out.push({ name: n[1], native: true }); continue; }
    if (m[2] === '<node>' || m[2] === '<input>') { if (m[1] === '__callTest' && out.length) { if (out.length > 1 && out[out.length - 1].native) out.pop(); out[out.length - 1].isTest = true; } continue; }
    const f = { name: m[1] || '', file: m[2], line: Number(m[3]), col: Number(m[4] || 1) };
    if (f.line === 1 && __sources.get(f.file) && __sources.get(f.file).wrapped) f.col -= __shift;
    out.push(f);
  }
  return out;
}
function __lineOf(f) { const s = __sources.get(f.file); return s ? s.text.split('\n')[f.line - 1] || '' : ''; }
function __startOf(text, at) {
  let i = at;
  const back = () => {
    while (i > 0 && /\s/.test(text[i - 1])) i--;
    if (text[i - 1] === ')' || text[i - 1] === ']') { let depth = 0; do { i--; if (')]'.includes(text[i])) depth++; if ('(['.includes(text[i])) depth--; } while (depth > 0 && i > 0); }
    while (i > 0 && /[\w$]/.test(text[i - 1])) i--;
  };
  back();
  const last = i;
  while (i > 0 && (text[i - 1] === '.' || (text[i - 1] === '?' && text[i] === '.') || '(['.includes(text[i]))) { if ('(['.includes(text[i]) && text[i - 1] !== '.') { const was = i; back(); if (i === was) break; continue; } i--; if (text[i - 1] === '?') i--; back(); }
  return { whole: i, last };
}
function __place(f) {
  const text = __lineOf(f);
  let at = f.col - 1;
  if (f.assigns) { const m = /^[\w$]+\s*/.exec(text.slice(at)); if (m) at += m[0].length; }
  else if (text[at] === '.') at += 1;
  else if (text[at] === '?' && text[at + 1] === '.') at += 2;
  else if (text[at] === '(') {
    const { whole, last } = __startOf(text, at);
    const before = text.slice(0, whole);
    const made = /\bnew\s+$/.exec(before);
    if (made) at = made.index; else if (last < at && text[at - 1] !== ')') at = last;
    f.callee = text.slice(whole, f.col - 1).trim();
  }
  f.at = at + 1;
  return f;
}
function __words(e, f) {
  const m = e.message;
  let t;
  if (e instanceof TypeError) {
    if ((t = /^cannot read property '(.*)' of (null|undefined)$/s.exec(m))) return 'Cannot read properties of ' + t[2] + " (reading '" + t[1] + "')";
    if ((t = /^cannot set property '(.*)' of (null|undefined)$/s.exec(m))) return 'Cannot set properties of ' + t[2] + " (setting '" + t[1] + "')";
    if (m === 'not a function') { let c = f && f.callee; if (!c) return 'object is not a function'; if (/^\(.*\)$/.test(c)) c = /^\([\w$.'"]+\)$/.test(c) ? c.slice(1, -1) : '(intermediate value)'; c = c.replace(/\([^()]*\)/g, '(...)'); if (/^[[{(]/.test(c)) c = c.replace(/^(\[[^\]]*\]|\{[^}]*\}|\(.*?\))/, '(intermediate value)'); return c + ' is not a function'; }
    if (/^'(.*)' is read-only$/.test(m)) return 'Assignment to constant variable.';
    if (/^(.*) is not a constructor$/.test(m) || m === 'not a constructor') return ((f && f.callee) || 'object') + ' is not a constructor';
    if (m === 'value is not iterable') { const s = f ? __lineOf(f) : ''; const o = /\bof\s+([^)]+)\)/.exec(s) || /\]\s*=\s*([^;]+)/.exec(s); return (o ? o[1].trim() : 'object') + ' is not iterable'; }
    if (m === "class constructors must be invoked with 'new'") return 'Class constructor ' + ((f && f.callee) || '') + " cannot be invoked without 'new'";
    if (m === 'empty array') return 'Reduce of empty array with no initial value';
    if (m === 'circular reference') return 'Converting circular structure to JSON';
    if (/^cannot convert (to object|bigint to number)/.test(m)) return m.includes('object') ? 'Cannot convert undefined or null to object' : 'Cannot mix BigInt and other types, use explicit conversions';
    if (m === 'cannot convert symbol to string') return 'Cannot convert a Symbol value to a string';
  }
  if (e instanceof ReferenceError) { if ((t = /^'(.*)' is not defined$/.exec(m))) return t[1] + ' is not defined'; if ((t = /^(.*) is not initialized$/.exec(m))) return "Cannot access '" + t[1] + "' before initialization"; }
  if (e instanceof RangeError) { if (m === 'invalid array length') return 'Invalid array length'; if (/^toString\(\) radix/.test(m)) return 'toString() radix must be between 2 and 36'; if (m === 'invalid repeat count') { return 'Invalid count value: -1'; } if (m === 'invalid date' || /^Date value is NaN$/i.test(m)) return 'Invalid time value'; }
  if (e instanceof SyntaxError) {
    if ((t = /^unexpected token in expression: '(.*)'$/s.exec(m))) return t[1] === '' ? 'Unexpected end of input' : "Unexpected token '" + t[1] + "'";
    if (m === 'invalid bigint literal') return 'Cannot convert ' + ((f && /BigInt\(["']?([^"')]*)/.exec(__lineOf(f)) || [])[1] || '') + ' to a BigInt';
    if ((t = /^expecting '(.*)'$/.exec(m)) && f) { const rest = __lineOf(f).slice(f.col - 1).trim(); if (rest === '') return t[1] === ')' ? 'missing ) after argument list' : 'Unexpected end of input'; const w = /^[\w$]+/.exec(rest); if (t[1] === ')' || t[1] === ',') return 'missing ) after argument list'; return w ? (/^\d/.test(w[0]) ? 'Unexpected number' : 'Unexpected identifier') : /^["']/.test(rest) ? 'Unexpected string' : "Unexpected token '" + rest[0] + "'"; }
    if ((t = /^invalid redefinition of (?:lexical identifier|global identifier|parameter name|a variable)/.exec(m)) && f) return "Identifier '" + ((/[\w$]+/.exec(__lineOf(f).slice(f.col - 1)) || [''])[0]) + "' has already been declared";
    if (m === 'return not in a function') return 'Illegal return statement';
    if (/^(unexpected end of string|unterminated string)/.test(m)) return 'Invalid or unexpected token';
  }
  if (e instanceof URIError) return 'URI malformed';
  return m;
}
const __tail = {
  file: ['Module._compile (node:internal/modules/cjs/loader:1364:14)', 'Module._extensions..js (node:internal/modules/cjs/loader:1422:10)', 'Module.load (node:internal/modules/cjs/loader:1203:32)', 'Module._load (node:internal/modules/cjs/loader:1019:12)'],
  main: ['Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:128:12)', 'node:internal/main/run_main_module:28:49'],
  require: ['Module.require (node:internal/modules/cjs/loader:1231:19)', 'require (node:internal/modules/helpers:177:18)'],
  eval: ['runScriptInThisContext (node:internal/vm:143:10)', 'node:internal/process/execution:100:14', '[eval]-wrapper:6:24', 'runScript (node:internal/process/execution:83:62)', 'evalScript (node:internal/process/execution:114:10)', 'node:internal/main/eval_string:30:3'],
  timer: ['listOnTimeout (node:internal/timers:569:17)', 'process.processTimers (node:internal/timers:512:7)'],
  immediate: ['process.processImmediate (node:internal/timers:476:21)'],
};
function __frames(raw) {
  const user = raw.filter((f) => !f.native || !/^(parse|Array|call|apply|eval)$/.test(f.name));
  const out = [];
  const wrappers = user.filter((f) => f.name === '__wrapper').length;
  let seen = 0;
  let own = __test.now;
  user.forEach((f, i) => {
    if (f.native && __test.now && user.slice(0, i).some((one) => one.isTest)) return;
    if (f.native) { out.push({ text: (f.name === 'map' || f.name === 'forEach' || f.name === 'reduce' || f.name === 'filter' || f.name === 'sort' ? 'Array.' : '') + f.name + ' (<anonymous>)' }); return; }
    __place(f);
    const where = (__sources.get(f.file) && __sources.get(f.file).isEsm ? 'file://' : '') + f.file + ':' + f.line + ':' + f.at;
    if (__test.now && f.name !== '__wrapper' && (f.isTest || (i === user.length - 1 && __phase === 'test' && /^(<anonymous>)?$/.test(f.name)))) { out.push({ f, text: __test.kind + '.' + (f.name === '' ? '<anonymous>' : f.name) + ' (' + where + ')' }, ...(f.isTest ? (own && own.tail) || __test.tail : [__tickLine, ...__asyncTail]).map((text) => ({ text }))); if (own) own = own.parent; return; }
    const isLast = i === user.length - 1;
    if (f.name === '__wrapper') { seen++; out.push({ f, text: 'Object.<anonymous> (' + where + ')' }, ...__tail.file.map((text) => ({ text }))); out.push(...(seen < wrappers ? __tail.require : __tail.main).map((text) => ({ text }))); }
    else if (f.name === '<eval>' || f.name === '') { out.push({ f, text: where }); if (f.file === '[eval]' || f.file === '[stdin]') out.push(...__tail.eval.map((text) => ({ text: f.file === '[eval]' ? text : text.replace('[eval]', '[stdin]').replace('eval_string:30:3', 'eval_stdin:34:5') }))); }
    else { let name = f.name; const s = __sources.get(f.file); if (name !== '<anonymous>' && s && new RegExp('class\\s+' + name.replace(/\W/g, '\\$&') + '\\b').test(s.text)) name = 'new ' + name; const timer = isLast && __phase === 'timer'; const imm = isLast && __phase === 'immediate'; if (timer) name = 'Timeout._onTimeout'; if (imm) name = 'Immediate.<anonymous>'; out.push({ f, text: name === '<anonymous>' ? where : name + ' (' + where + ')' }); if (timer) out.push(...__tail.timer.map((text) => ({ text }))); if (imm) out.push(...__tail.immediate.map((text) => ({ text }))); }
  });
  return out;
}
function __jsonWords(text) {
  text = String(text);
  let i = 0;
  const ws = () => { while (i < text.length && ' \t\n\r'.includes(text[i])) i++; };
  const bad = () => { throw i; };
  const str = () => { i++; for (;;) { if (i >= text.length) bad(); const c = text[i]; if (c === '"') { i++; return; } if (c < ' ') bad(); if (c === '\\') { i++; if (i >= text.length) bad(); if (text[i] === 'u') { for (let k = 0; k < 4; k++) { i++; if (!/[0-9a-fA-F]/.test(text[i] || '')) bad(); } } else if (!'"\\/bfnrt'.includes(text[i])) bad(); } i++; } };
  const val = () => { ws(); const c = text[i]; if (c === '{') { i++; ws(); if (text[i] === '}') { i++; return; } for (;;) { ws(); if (text[i] !== '"') bad(); str(); ws(); if (text[i] !== ':') bad(); i++; val(); ws(); if (text[i] === ',') { i++; continue; } if (text[i] === '}') { i++; return; } bad(); } }
    if (c === '[') { i++; ws(); if (text[i] === ']') { i++; return; } for (;;) { val(); ws(); if (text[i] === ',') { i++; continue; } if (text[i] === ']') { i++; return; } bad(); } }
    if (c === '"') return str();
    for (const w of ['true', 'false', 'null']) if (c === w[0]) { for (const ch of w) { if (text[i] !== ch) bad(); i++; } return; }
    if (c === '-') i++;
    if (text[i] === '0') i++; else if (/[1-9]/.test(text[i] || '')) while (/\d/.test(text[i] || '')) i++; else bad();
    if (text[i] === '.') { i++; if (!/\d/.test(text[i] || '')) bad(); while (/\d/.test(text[i] || '')) i++; }
    if (/[eE]/.test(text[i] || '')) { i++; if (/[+-]/.test(text[i] || '')) i++; if (!/\d/.test(text[i] || '')) bad(); while (/\d/.test(text[i] || '')) i++; } };
  try { val(); ws(); if (i < text.length) bad(); } catch (at) { if (typeof at !== 'number') throw at; if (at >= text.length) return 'Unexpected end of JSON input'; const c = text[at]; return c === '"' ? 'Unexpected string in JSON at position ' + at : /[0-9-]/.test(c) ? 'Unexpected number in JSON at position ' + at : 'Unexpected token ' + c + ' in JSON at position ' + at; }
  return null;
}
const __parse = JSON.parse;
let __badJson = null;
JSON.parse = function parse(text, reviver) { try { return __parse(text, reviver); } catch (e) { const words = __jsonWords(text); if (words === null) throw e; const error = new SyntaxError(words); error.stack = '    at JSON.parse (<json>)\n' + String(error.stack).split('\n').filter((l) => !l.includes('<node>')).join('\n'); __badJson = { error, text: String(text) }; throw error; } };
function __fix(e) {
  if (!(e instanceof Error) || __fixed.has(e)) return e;
  __fixed.add(e);
  if (e.name === 'InternalError' && e.message === 'stack overflow') { Object.setPrototypeOf(e, RangeError.prototype); e.message = 'Maximum call stack size exceeded'; }
  const raw = __rawFrames(e);
  const json = String(e.stack).startsWith('    at JSON.parse (<json>)');
  if (e instanceof TypeError && /^'(.*)' is read-only$/.test(e.message) && raw[0]) raw[0].assigns = true;
  const frames = __frames(raw);
  const top = frames.find((one) => one.f);
  const words = __words(e, top && top.f);
  if (words !== e.message) Object.defineProperty(e, 'message', { value: words, writable: true, configurable: true, enumerable: false });
  const f = top ? top.f : raw.find((one) => one.file);
  const lines = frames.map((one) => one.text);
  if (json) lines.unshift('JSON.parse (<anonymous>)');
  if (e.__inner) lines.unshift(...e.__inner);
  const isAssertion = e.code === 'ERR_ASSERTION';
  let head; try { head = (isAssertion ? 'AssertionError [ERR_ASSERTION]' : typeof e.code === 'string' && /^ERR_/.test(e.code) ? e.name + ' [' + e.code + ']' : (e.constructor && e.constructor.name && e.name === 'Error' && e.constructor !== Error && e instanceof Error && e.constructor.name !== 'Error') ? e.name : String(e.name)) + (e.message === '' ? '' : ': ' + e.message); } catch (x) { head = 'Error'; }
  const limit = typeof Error.stackTraceLimit === 'number' ? Error.stackTraceLimit : 10;
  Object.defineProperty(e, 'stack', { value: head + lines.slice(0, limit).map((t) => '\n    at ' + t).join(''), writable: true, configurable: true, enumerable: false });
  Object.defineProperty(e, '__at', { value: f ? { file: f.file, line: f.line, at: f.at || f.col } : null, enumerable: false, configurable: true });
  return e;
}
Error.stackTraceLimit = 10;
Error.captureStackTrace = (o) => { if (!(o instanceof Error)) Object.defineProperty(o, 'stack', { value: '', writable: true, configurable: true }); };
{ const plain = __inspect; const then = Promise.prototype.then; Promise.prototype.then = function (ok, no) { return then.call(this, ok, typeof no === 'function' ? (e) => no(__fix(e)) : no); }; }
function __sourceOf(name) { const frames = __rawFrames(new Error('x')); const f = frames.find((one) => one.file && __sources.has(one.file)); if (!f) return null; const text = __lineOf(f); const at = text.indexOf(name); if (at < 0) return null; let depth = 0; for (let i = at; i < text.length; i++) { if (text[i] === '(') depth++; if (text[i] === ')' && --depth === 0) { let from = at; if (/require\(["']$/.test(text.slice(0, at))) { from = text.lastIndexOf('require', at); const open = text.indexOf('(', i + 1); if (open < 0) return null; depth = 0; for (i = open; i < text.length; i++) { if (text[i] === '(') depth++; if (text[i] === ')' && --depth === 0) break; } } return text.slice(from, i + 1); } } return null; }

/** Passes what catch clauses catch through __fix; strings, comments and regular expressions are skipped. */
function __patch(text) {
  if (!/\bcatch\s*\(/.test(text)) return text;
  return text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|\x60(?:\\[\s\S]|[^\x60\\])*\x60|([^.\w$])catch(\s*)\(\s*([\w$]+)\s*\)(\s*)\{/g, (all, before, a, name, b) => name === undefined ? all : before + 'catch' + a + '(' + name + ')' + b + '{__fix(' + name + ');');
}
function __esm(text, file) {
  let names = 0; const exported = [];
  text = text.replace(/(^|;)([ \t]*)import\s+([^'";]*?)\s*from\s*['"]([^'"]+)['"](?=;|$|\s)/gm, (all, lead, pad, what, from) => { pad = lead + pad; const id = '__m' + names++; let out = pad + 'const ' + id + ' = __import(' + JSON.stringify(from) + ');'; const m = /^([\w$]+)?\s*,?\s*(?:\{([^}]*)\}|\*\s+as\s+([\w$]+))?$/.exec(what.trim()); if (!m) return all; if (m[1]) out += ' const ' + m[1] + ' = ' + id + '.default;'; if (m[3]) out += ' const ' + m[3] + ' = ' + id + ';'; if (m[2]) { const list = m[2].split(',').map((s) => s.trim()).filter(Boolean).map((s) => s.replace(/\s+as\s+/, ': ')); out += ' const { ' + list.join(', ') + ' } = ' + id + ';'; } return out; })
    .replace(/^([ \t]*)import\s*['"]([^'"]+)['"];?/gm, '$1__import("$2");')
    .replace(/^([ \t]*)export\s+default\s+(async\s+function|function|class)\s+([\w$]+)/gm, (all, pad, kind, name) => { exported.push(['default', name]); return pad + kind + ' ' + name; })
    .replace(/^([ \t]*)export\s+default\s+/gm, '$1exports.default = ')
    .replace(/^([ \t]*)export\s+(async\s+function\*?|function\*?|class|const|let|var)\s+([\w$]+)/gm, (all, pad, kind, name) => { exported.push([name, name]); return pad + kind + ' ' + name; })
    .replace(/^([ \t]*)export\s*\{([^}]*)\};?/gm, (all, pad, list) => { for (const one of list.split(',')) { const [a, b] = one.trim().split(/\s+as\s+/); if (a) exported.push([b || a, a]); } return pad; })
    .replace(/\bimport\.meta\.url\b/g, '("file://" + __filename)').replace(/\bimport\(/g, '__dynamic(');
  return { text, exported };
}
const __cache = {};
function __wrap(text, file) { try { return __compileWrapped(text, file); } catch (e) { if (e instanceof SyntaxError) __syntax(e, file, false); throw e; } }
function __compileWrapped(text, file) { return __compile('(function __wrapper(exports, require, module, __filename, __dirname) {' + text + '\n})', file); }
class Module { constructor(id, parent) { this.id = id; this.path = __builtin.path.dirname(id); this.exports = {}; this.filename = id; this.loaded = false; this.children = []; this.paths = []; this.parent = parent; Object.defineProperty(this, 'parent', { enumerable: false }); } }
function __missing(name, stack) { const e = new Error("Cannot find module '" + name + "'" + (stack.length ? '\nRequire stack:\n- ' + stack.join('\n- ') : '')); e.code = 'MODULE_NOT_FOUND'; e.requireStack = stack; Object.defineProperty(e, '__inner', { value: ['Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)', 'Module._load (node:internal/modules/cjs/loader:981:27)', ...__tail.require], configurable: true }); return e; }
function __resolve(name, from, stack) {
  const fs = __builtin.fs, path = __builtin.path;
  const isFile = (p) => { try { return fs.statSync(p).isFile(); } catch (e) { return false; } };
  const asFile = (p) => [p, p + '.js', p + '.json', p + '.mjs', p + '.cjs'].find((q, i) => (i < 3 || false) && isFile(q)) || (isFile(p + '.cjs') ? undefined : undefined);
  const asFolder = (p) => { const pkg = p + '/package.json'; if (isFile(pkg)) { let o = {}; try { o = __parse(fs.readFileSync(pkg, 'utf8')); } catch (e) {} let main = o.main; const x = o.exports; if (x !== undefined) { const pick = (v) => typeof v === 'string' ? v : v && pick(v['.'] || v.require || v.node || v.default || v.import); main = pick(x) || main; } if (main) { const q = path.resolve(p, main); return asFile(q) || asFile(q + '/index'); } } return asFile(p + '/index'); };
  if (name.startsWith('/') || /^\.\.?(\/|$)/.test(name)) { const p = path.resolve(from, name); const found = (name.endsWith('/') ? undefined : asFile(p)) || asFolder(p); if (found) return fs.realpathSync(found); throw __missing(name, stack); }
  for (let dir = from; ; dir = path.dirname(dir)) { if (path.basename(dir) !== 'node_modules') { const p = path.join(dir, 'node_modules', name); const found = asFile(p) || asFolder(p); if (found) return fs.realpathSync(found); } if (dir === '/') break; }
  throw __missing(name, stack);
}
const __absent = ['http', 'https', 'net', 'stream', 'zlib', 'worker_threads', 'tls', 'dns', 'dgram', 'cluster', 'vm', 'v8', 'test', 'querystring', 'async_hooks', 'http2', 'inspector', 'repl', 'tty', 'stream/promises', 'util/types', 'diagnostics_channel'];
__builtin.module.builtinModules.push(...Object.keys(__builtin), ...__absent);
function __requireFrom(from, module) {
  const require = (name) => {
    if (typeof name !== 'string') { const e = new TypeError('The "id" argument must be of type string. Received ' + (name === undefined ? 'undefined' : __inspect(name))); e.code = 'ERR_INVALID_ARG_TYPE'; throw e; }
    const bare = name.replace(/^node:/, '');
    if (name === 'node:test') return __testing().tests.module;
    if (bare in __builtin) return __builtin[bare];
    if (__absent.includes(bare) && (name !== 'test')) return __lack('the module ' + name);
    const stack = []; for (let m = module; m; m = m.parent) stack.push(m.filename);
    return __load(__resolve(name, from, stack), module).exports;
  };
  require.resolve = (name) => name.replace(/^node:/, '') in __builtin ? name : __resolve(name, from, [module.filename]);
  require.cache = __cache; require.main = __mainModule;
  return require;
}
let __mainModule;
function __isEsm(file) { if (file.endsWith('.mjs')) return true; if (!file.endsWith('.js')) return false; for (let dir = __builtin.path.dirname(file); ; dir = __builtin.path.dirname(dir)) { const p = dir + '/package.json'; if (__builtin.fs.existsSync(p)) { try { return __parse(__builtin.fs.readFileSync(p, 'utf8')).type === 'module'; } catch (e) { return false; } } if (dir === '/') return false; } }
function __load(file, parent, isMain) {
  if (__cache[file]) return __cache[file];
  const module = new Module(isMain ? '.' : file, parent); module.filename = file; module.path = __builtin.path.dirname(file);
  if (isMain) __mainModule = module;
  __cache[file] = module;
  let text = __builtin.fs.readFileSync(file, 'utf8');
  if (file.endsWith('.json')) { try { module.exports = JSON.parse(text.replace(/^\ufeff/, '')); } catch (e) { delete __cache[file]; e.message = file + ': ' + e.message; throw e; } module.loaded = true; return module; }
  if (text.startsWith('#!')) text = '//' + text;
  __sources.set(file, { text, wrapped: true });
  try { __run(module, file, text); } catch (e) { delete __cache[file]; throw e; }
  module.loaded = true;
  return module;
}
function __run(module, file, text) {
  const dir = __builtin.path.dirname(file);
  const require = __requireFrom(dir, module);
  if (__isEsm(file)) {
    __sources.get(file).isEsm = true;
    const { text: body, exported } = __esm(text, file);
    const space = (v) => v && v.__esm ? v : new Proxy({}, { get: (_, k) => k === 'default' ? v : v[k], has: (_, k) => k === 'default' || k in v, ownKeys: () => ['default', ...Object.keys(v)], getOwnPropertyDescriptor: (_, k) => ({ value: k === 'default' ? v : v[k], enumerable: true, configurable: true }) });
    const load = (name) => space(require(name.replace(/^file:\/\//, '')));
    Object.defineProperty(module.exports, '__esm', { value: true, enumerable: false });
    const getters = exported.map(([out, name]) => 'Object.defineProperty(exports, ' + JSON.stringify(out) + ', { enumerable: true, get: () => ' + name + ' });').join('');
    const f = __compile('(async function __wrapper(exports, __import, __dynamic, __filename, require, module, __dirname) {"use strict";' + getters + __patch(body) + '\n})', file);
    const done = f.call(undefined, module.exports, load, async (name) => load(name), file);
    done.catch((e) => __uncaught(e));
    __drain();
    return;
  }
  const f = __wrap(__patch(text).replace(/(^|[^.\w$])import\(/g, '$1__dynamic('), file);
  globalThis.__dynamic = async (name) => { const v = require(name); return v && v.__esm ? v : { default: v, ...v }; };
  f.call(module.exports, module.exports, require, module, file, dir);
}
function __uncaught(e, fromPromise) {
  if (e instanceof Error && e.name === 'InternalError' && e.message === 'out of memory') { __put(2, 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n'); __sys('exit', JSON.stringify([{ signal: 6 }])); throw e; }
  __fix(e);
  if (__testsLoaded && __testsLoaded.tests.uncaught(e)) return;
  if (process.listenerCount('uncaughtException') > 0) { process.emit('uncaughtException', e, 'uncaughtException'); return; }
  let out = '';
  const isError = e instanceof Error;
  if (fromPromise && !isError) { out = 'node:internal/process/promises:288\n            triggerUncaughtException(err, true /* fromPromise */);\n            ^\n\n[UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "' + (typeof e === 'string' ? e : __inspect(e)) + '".] {\n  code: \'ERR_UNHANDLED_REJECTION\'\n}\n'; }
  else {
    const at = isError ? e.__at : __lastTop;
    if (isError && e.code === 'MODULE_NOT_FOUND') out = 'node:internal/modules/cjs/loader:1143\n  throw err;\n  ^\n\n';
    else if (isError && e.code === 'ERR_ASSERTION' ) out = (e.operator === '==' && e.expected === true ? 'node:assert:399\n    throw err;\n    ^\n\n' : 'node:assert:125\n  throw new AssertionError(obj);\n  ^\n\n');
    else if (isError && e.syscall && e.syscall !== 'spawn') out = 'node:internal/fs/utils:356\n    throw err;\n    ^\n\n';
    else if (__badJson && __badJson.error === e) out = 'undefined:1\n' + __badJson.text.split('\n')[0] + '\n' + (/position/.test(e.message) ? ' '.repeat(Math.min(Number(/position (\d+)/.exec(e.message)[1]), 200)) + '^\n' : '') + '\n';
    else if (at && __sources.has(at.file)) { const line = __lineOf(at); let col = at.at - 1; const thrown = fromPromise || e.__width !== undefined ? -1 : line.lastIndexOf('throw ', col); if (thrown >= 0 && /^throw\s+new\s/.test(line.slice(thrown)) && thrown + 6 >= col - 1) col = thrown; out = at.file + ':' + at.line + '\n' + line + '\n' + line.slice(0, col).replace(/[^\t]/g, ' ') + (e.__width !== undefined ? '^'.repeat(e.__width) : '^') + '\n\n'; }
    else if (!isError) { const found = [...__sources].map(([file, s]) => [file, s.text.split('\n').findIndex((l) => /\bthrow\b/.test(l)), s]).find(([, n]) => n >= 0); if (found) { const [file, n, s] = found; const line = s.text.split('\n')[n]; out = '\n' + file + ':' + (n + 1) + '\n' + line + '\n' + ' '.repeat(line.indexOf('throw')) + '^\n'; } }
    out = (isError ? out : out.startsWith('\n') || out === '' ? out : '\n' + out) + (isError ? __inspect(e) : (typeof e === 'string' ? e : __inspect(e)) + '\n(Use \x60node --trace-uncaught ...\x60 to show where the exception was thrown)') + '\n';
  }
  __put(2, out + '\nNode.js v18.20.4\n');
  process.exitCode = fromPromise && !isError ? 1 : 1;
  if (!process._exiting) { process._exiting = true; process.emit('exit', 1); }
  __sys('exit', JSON.stringify([{ code: 1 }]));
  throw new Error('left');
}
function __drain() { do { while (__ticks.length) { try { __ticks.shift()(); } catch (e) { __uncaught(e); } } __jobs(); } while (__ticks.length); const bad = __rejected(); if (bad.length) { if (process.listenerCount('unhandledRejection') > 0) process.emit('unhandledRejection', bad[0][0]); else __uncaught(bad[0][0], true); } }
function __loop() {
  for (;;) {
    __drain();
    if (__immediates.length) { const now = __immediates; __immediates = []; __phase = 'immediate'; for (const one of now) { try { one.f(...one.args); } catch (e) { __uncaught(e); } __drain(); } continue; }
    const waiting = __timers.filter((t) => t.refed);
    if (waiting.length === 0) { if (!process._before) { process._before = true; process.emit('beforeExit', process.exitCode || 0); continue; } return; }
    __timers.sort((a, b) => a.at - b.at || a.id - b.id);
    const first = __timers[0];
    const wait = first.at - __now();
    if (wait > 0) __call('sleep', Math.ceil(wait * 1000));
    __timers.shift();
    if (first.repeat) { first.at = Math.max(__now(), first.at) + first.ms; __timers.push(first); }
    __phase = 'timer';
    try { first.f(...first.args); } catch (e) { __uncaught(e); }
  }
}
function __syntax(e, file, isEval) {
  __fixed.add(e);
  const f = __rawFrames(e).find((one) => one.file);
  const at = f ? { file, line: f.line, at: f.col, col: f.col } : { file, line: 1, at: 1, col: 1 };
  const count = __sources.get(file).text.split('\n').length;
  let words;
  if (at.line > count || (at.line === count && !isEval && at.col > __lineOf(at).length + 1)) { at.line = count; at.at = at.col = __lineOf(at).length + 1; words = 'Unexpected end of input'; }
  else words = __words(e, at);
  const awaits = !isEval || /^\s*await\b/m.test(__lineOf(at)) ? /\bawait\b/.exec(__lineOf(at)) : null;
  if (awaits && awaits.index < at.at && /^Unexpected (identifier|number|string|token)/.test(words)) { words = 'await is only valid in async functions and the top level bodies of modules'; at.at = awaits.index + 1; }
  const imports = /^\s*import\s+[\w{*"']/.exec(__lineOf(at));
  if (imports && !isEval) { words = 'Cannot use import statement outside a module'; at.at = __lineOf(at).indexOf('import') + 1; }
  else if (imports) { words = 'Cannot use import statement outside a module'; at.at = __lineOf(at).indexOf('import') + 1; }
  Object.defineProperty(e, 'message', { value: words, writable: true, configurable: true, enumerable: false });
  const line = __lineOf(at);
  let col = at.at - 1;
  const token = /^Unexpected token '(.*)'$/s.exec(words);
  if (token && !line.startsWith(token[1], col)) { const near = line.lastIndexOf(token[1], col); if (near >= 0) col = near; }
  while (/Unexpected (identifier|string|number)/.test(words) && line[col] === ' ') col++;
  at.at = col + 1;
  const word = /^[\w$]+/.exec(line.slice(col));
  const width = token ? token[1].length : /Unexpected end/.test(words) ? 0 : word ? word[0].length : 1;
  Object.defineProperty(e, '__width', { value: width, enumerable: false });
  Object.defineProperty(e, '__at', { value: at, enumerable: false });
  const frames = isEval ? ['makeContextifyScript (node:internal/vm:122:14)', 'node:internal/process/execution:89:22', ...__tail.eval.slice(2)] : ['internalCompileFunction (node:internal/vm:76:18)', 'wrapSafe (node:internal/modules/cjs/loader:1283:20)', 'Module._compile (node:internal/modules/cjs/loader:1328:27)', ...__tail.file.slice(1), ...__tail.main];
  e.stack = 'SyntaxError: ' + words + frames.map((t) => '\n    at ' + t).join('');
  throw e;
}
function __evaluate(text, print, name) {
  __sources.set(name, { text, wrapped: false });
  const module = new Module(name); module.filename = __builtin.path.join(process.cwd(), name);
  globalThis.require = __requireFrom(process.cwd(), module); globalThis.module = module; globalThis.exports = module.exports; globalThis.__filename = name; globalThis.__dirname = '.';
  for (const n of Object.keys(__builtin)) if (/^[a-z_]+$/.test(n) && !(n in globalThis)) Object.defineProperty(globalThis, n, { value: __builtin[n], writable: true, configurable: true, enumerable: false });
  const result = __evaluateText(__patch(text), name);
  if (print) console.log(result);
}
(function () {
  const argv = __start.argv.slice(1);
  let code = null, print = false, i = 0, modules = [], check = false, tests = false;
  const passed = [];
  for (; i < argv.length; i++) {
    const a = argv[i];
    if (a === '-e' || a === '--eval' || a === '-p' || a === '-pe' || a === '--print') { code = argv[++i]; print = a.includes('p'); if (code === undefined) { __put(2, __start.argv[0] + ': ' + a + ' requires an argument\n'); process.exit(9); } continue; }
    if (a === '-v' || a === '--version') { console.log(process.version); process.exit(0); }
    if (a === '-c' || a === '--check') { check = true; continue; }
    if (a === '-r' || a === '--require') { modules.push(argv[++i]); continue; }
    if (a === '--') { i++; break; }
    if (a === '--test') { tests = true; continue; }
    const option = /^--test-(reporter|name-pattern)(?:=(.*))?$/s.exec(a);
    if (option) { const v = option[2] === undefined ? argv[++i] : option[2]; if (option[1] === 'reporter') { if (!['spec', 'tap', 'dot'].includes(v)) __lack('the test reporter ' + v); __testing().options.reporter = v; } else { const m = /^\/(.*)\/([a-z]*)$/s.exec(v); (__test.patterns = __test.patterns || []).push(m ? new RegExp(m[1], m[2]) : new RegExp(v)); passed.push('--test-name-pattern=' + v); } continue; }
    if (/^--test-concurrency/.test(a)) continue;
    if (/^--test-/.test(a) || a === '--watch' || a === '-i' || a === '--interactive' || a === '-h' || a === '--help' || a === '--inspect') __lack('node ' + a);
    if (a.startsWith('-') && a !== '-') { if (/^--(no-|trace-|max-|experimental|enable|unhandled|stack|use_|harmony|input-type)/.test(a)) continue; __put(2, __start.argv[0] + ': bad option: ' + a + '\n'); process.exit(9); }
    break;
  }
  const rest = argv.slice(i);
  try {
    if (tests && process.env.NODE_TEST_CONTEXT === 'child-v8') { __put(2, '(node:' + __start.pid + ') Warning: node:test run() is being called recursively within a test file. skipping running files.\n(Use \x60node --trace-warnings ...\x60 to show where the warning was created)\n'); process.exit(0); }
    if (tests) __testing().run(rest, passed);
    if (code !== null) { process.argv = [process.execPath, ...rest]; __evaluate(code, print, '[eval]'); }
    else if (rest.length === 0 || rest[0] === '-') {
      if (__start.tty[0]) __lack('the prompt of node');
      process.argv = [process.execPath, ...rest];
      __evaluate(__builtin.fs.readFileSync(0, 'utf8'), false, '[stdin]');
    } else {
      const file = __builtin.path.resolve(rest[0]);
      process.argv = [process.execPath, file, ...rest.slice(1)];
      let found;
      try { found = __resolve(file, process.cwd(), []); } catch (e) { if (e.code !== 'MODULE_NOT_FOUND') throw e; __fixed.add(e); e.stack = e.name + ': ' + e.message + ['Module._resolveFilename (node:internal/modules/cjs/loader:1140:15)', 'Module._load (node:internal/modules/cjs/loader:981:27)', ...__tail.main].map((t) => '\n    at ' + t).join(''); throw e; }
      process.argv[1] = found;
      for (const name of modules) __requireFrom(process.cwd(), { filename: found })(name);
      __load(found, null, true);
    }
  } catch (e) { __uncaught(e); }
  __loop();
  __leave();
})();
`;
