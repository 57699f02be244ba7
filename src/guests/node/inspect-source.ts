/**
 * `util.inspect` and `util.format`, in JavaScript for the guest.
 *
 * Source: the behaviour of Node 18 (depth 2, lines of 72 to 80 columns, arrays of more than six in columns). Not covered:
 * colours, getters' values, proxies, typed views of other realms.
 */

/** JavaScript source that defines `__inspect` and `__format`. */
export const INSPECT = String.raw`
var __inspect, __format;
(function () {
  'use strict';
  const custom = Symbol.for('nodejs.util.inspect.custom');
  const isId = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
  const escapes = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '\\': '\\\\' };
  function quote(text) {
    let mark = "'";
    if (text.includes("'")) { if (!text.includes('"')) mark = '"'; else if (!text.includes('\x60') && !text.includes('\x24{')) mark = '\x60'; }
    let out = mark;
    for (const ch of text) {
      const code = ch.codePointAt(0);
      if (ch === mark) out += '\\' + ch;
      else if (escapes[ch]) out += escapes[ch];
      else if (code < 32 || code === 127 || (code > 127 && code < 160)) out += '\\x' + code.toString(16).toUpperCase().padStart(2, '0');
      else if (code >= 0xd800 && code <= 0xdfff) out += '\\u' + code.toString(16).toUpperCase();
      else out += ch;
    }
    return out + mark;
  }
  const number = (n) => Object.is(n, -0) ? '-0' : String(n);
  function primitive(v, ctx) {
    switch (typeof v) {
      case 'string':
        if (ctx.compact !== true && v.length > 16 && v.length > ctx.width - ctx.indent - 4 && v.includes('\n'))
          return v.split(/(?<=\n)/).map(quote).join(' +\n' + ' '.repeat(ctx.indent + 2));
        return quote(v);
      case 'number': return number(v);
      case 'bigint': return v + 'n';
      case 'symbol': return v.toString();
      default: return String(v);
    }
  }
  function nameOf(v) {
    let p = v;
    while (p !== null) {
      const d = Object.getOwnPropertyDescriptor(p, 'constructor');
      if (d && typeof d.value === 'function' && d.value.name !== '' && (v instanceof d.value || p === v.constructor.prototype)) return d.value.name;
      p = Object.getPrototypeOf(p);
    }
    return null;
  }
  function prefix(name, tag, fallback, size) {
    let out = name === null ? '[' + fallback + (size === undefined ? '' : '(' + size + ')') + ': null prototype] ' : name + (size === undefined ? '' : '(' + size + ')') + ' ';
    if (tag && tag !== name) out += '[' + tag + '] ';
    return out;
  }
  const key = (k) => typeof k === 'symbol' ? '[' + k.toString() + ']' : isId.test(k) ? k : quote(k);
  function property(ctx, v, k, depth, isArray) {
    const d = Object.getOwnPropertyDescriptor(v, k) || { value: v[k], enumerable: true };
    let text;
    if (d.get) text = d.set ? '[Getter/Setter]' : '[Getter]';
    else if (d.set) text = '[Setter]';
    else { ctx.indent += isArray ? 0 : 2; text = value(ctx, d.value, depth + 1); ctx.indent -= isArray ? 0 : 2; }
    if (isArray === 'item') return text;
    return (d.enumerable === false ? '[' + String(k) + ']' : key(k)) + ': ' + text;
  }
  function group(ctx, out, extra, v) {
    let total = 0, max = 0, i = 0;
    let length = out.length - (extra ? 1 : 0);
    const lens = [];
    for (; i < length; i++) { const n = out[i].length; lens[i] = n; total += n + 2; if (max < n) max = n; }
    const actual = max + 2;
    if (actual * 3 + ctx.indent < ctx.width && (total / actual > 5 || max <= 6)) {
      const bias = Math.sqrt(actual - total / out.length);
      const columns = Math.min(Math.round(Math.sqrt(2.5 * Math.max(bias, 1) * length) / Math.max(bias, 1)), Math.floor((ctx.width - ctx.indent) / actual), 3 * 4, 15);
      if (columns <= 1) return out;
      const made = [], widths = [];
      for (let c = 0; c < columns; c++) { let w = 0; for (let j = c; j < out.length; j += columns) if (lens[j] > w) w = lens[j]; widths.push(w + 2); }
      let pad = 'padStart';
      if (v !== undefined) for (let j = 0; j < out.length; j++) if (typeof v[j] !== 'number' && typeof v[j] !== 'bigint') { pad = 'padEnd'; break; }
      for (let j = 0; j < length; j += columns) {
        const end = Math.min(j + columns, length);
        let text = '', at = j;
        for (; at < end - 1; at++) text += (out[at] + ', ')[pad](widths[at - j], ' ');
        text += pad === 'padStart' ? out[at].padStart(widths[at - j] - 2, ' ') : out[at];
        made.push(text);
      }
      if (extra) made.push(out[length]);
      out = made;
    }
    return out;
  }
  function join(ctx, out, base, braces, isList, depth, v, extra) {
    const entries = out.length;
    if (isList && entries > 6 && ctx.compact !== false) out = group(ctx, out, extra, v);
    if (ctx.compact !== false && ctx.depthNow - depth < 3 && entries === out.length) {
      const start = out.length + ctx.indent + braces[0].length + base.length + 10;
      let total = out.length + start;
      let fits = total + out.length <= ctx.width;
      if (fits) { for (const one of out) total += one.length; fits = total <= ctx.width; }
      if (fits && (base === '' || !base.includes('\n'))) {
        const text = out.join(', ');
        if (!text.includes('\n')) return (base ? base + ' ' : '') + braces[0] + ' ' + text + ' ' + braces[1];
      }
    }
    const pad = '\n' + ' '.repeat(ctx.indent);
    return (base ? base + ' ' : '') + braces[0] + pad + '  ' + out.join(',' + pad + '  ') + pad + braces[1];
  }
  function classText(v) {
    const src = Function.prototype.toString.call(v);
    if (!src.startsWith('class') || !src.endsWith('}')) return null;
    const parent = Object.getPrototypeOf(v);
    return '[class ' + (v.name || '(anonymous)') + (parent && parent.name ? ' extends ' + parent.name : '') + ']';
  }
  function functionText(v) {
    const cls = classText(v);
    if (cls) return cls;
    const kind = Object.prototype.toString.call(v).slice(8, -1);
    const type = kind === 'Function' ? 'Function' : kind;
    return '[' + type + (v.name ? ': ' + v.name : ' (anonymous)') + ']';
  }
  function errorText(ctx, v, keys) {
    let stack = typeof v.stack === 'string' && v.stack ? v.stack : '[' + Error.prototype.toString.call(v) + ']';
    const at = keys.indexOf('stack'); if (at >= 0) keys.splice(at, 1);
    for (const name of ['name', 'message']) { const i = keys.indexOf(name); if (i >= 0 && stack.includes(String(v[name]))) keys.splice(i, 1); }
    if ('cause' in v && !keys.includes('cause')) keys.push('cause');
    if (ctx.indent) stack = stack.split('\n').join('\n' + ' '.repeat(ctx.indent));
    return stack;
  }
  function value(ctx, v, depth) {
    if (v === null || (typeof v !== 'object' && typeof v !== 'function')) return primitive(v, ctx);
    if (typeof v[custom] === 'function' && v[custom] !== __inspect) {
      const made = v[custom](ctx.depth - depth, { depth: ctx.depth - depth }, __inspect);
      if (typeof made !== 'object' || made === null) return String(made);
      if (made !== v) return value(ctx, made, depth);
    }
    if (ctx.seen.includes(v)) { if (!ctx.circular.has(v)) ctx.circular.set(v, ctx.circular.size + 1); return '[Circular *' + ctx.circular.get(v) + ']'; }
    return object(ctx, v, depth);
  }
  function object(ctx, v, depth) {
    const name = nameOf(v);
    let tag = v[Symbol.toStringTag];
    if (typeof tag !== 'string' || tag === '' || tag === name) tag = '';
    let keys = Object.keys(v).concat(Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s)));
    if (ctx.showHidden) keys = Object.getOwnPropertyNames(v).filter((k) => !(Array.isArray(v) && (k === 'length' || /^\d+$/.test(k)))).concat(Object.getOwnPropertySymbols(v));
    let base = '', braces = ['{', '}'], isList = false, fill = () => [];
    if (Array.isArray(v)) {
      keys = keys.filter((k) => typeof k === 'symbol' || !/^\d+$/.test(k));
      const pre = name !== 'Array' || tag ? prefix(name, tag, 'Array', v.length) : '';
      braces = [pre + '[', ']'];
      if (v.length === 0 && keys.length === 0) return braces[0] + ']';
      isList = true;
      fill = () => {
        const out = []; let i = 0;
        for (; i < v.length && out.length < 100; i++) {
          if (!Object.prototype.hasOwnProperty.call(v, i)) { let n = 0; while (i + n < v.length && !Object.prototype.hasOwnProperty.call(v, i + n)) n++; out.push('<' + n + ' empty item' + (n > 1 ? 's' : '') + '>'); i += n - 1; }
          else { ctx.indent += 2; out.push(property(ctx, v, i, depth, 'item')); ctx.indent -= 2; }
        }
        if (i < v.length) { out.push('... ' + (v.length - i) + ' more item' + (v.length - i > 1 ? 's' : '')); ctx.more = true; }
        return out;
      };
    } else if (v instanceof Set) {
      const pre = prefix(name, tag, 'Set', v.size); braces = [pre + '{', '}'];
      if (v.size === 0 && keys.length === 0) return pre + '{}';
      fill = () => { ctx.indent += 2; const out = [...v].map((one) => value(ctx, one, depth + 1)); ctx.indent -= 2; return out; };
    } else if (v instanceof Map) {
      const pre = prefix(name, tag, 'Map', v.size); braces = [pre + '{', '}'];
      if (v.size === 0 && keys.length === 0) return pre + '{}';
      fill = () => { ctx.indent += 2; const out = [...v].map(([a, b]) => value(ctx, a, depth + 1) + ' => ' + value(ctx, b, depth + 1)); ctx.indent -= 2; return out; };
    } else if (ArrayBuffer.isView(v) && !(v instanceof DataView)) {
      keys = keys.filter((k) => typeof k === 'symbol' || !/^\d+$/.test(k));
      braces = [prefix(name, tag === name ? '' : tag === 'Uint8Array' && name === 'Buffer' ? '' : tag, 'TypedArray', v.length) + '[', ']'];
      if (v.length === 0 && keys.length === 0) return braces[0] + ']';
      isList = true;
      fill = () => { const out = Array.from(v.slice(0, 100), (n) => primitive(n, ctx)); if (v.length > 100) { out.push('... ' + (v.length - 100) + ' more item' + (v.length - 100 > 1 ? 's' : '')); ctx.more = true; } return out; };
    } else if (typeof v === 'function') {
      base = functionText(v);
      if (keys.length === 0) return base;
    } else if (v instanceof RegExp) { base = RegExp.prototype.toString.call(v); if (keys.length === 0) return base; }
    else if (v instanceof Date) { base = Number.isNaN(v.getTime()) ? 'Invalid Date' : v.toISOString(); if (keys.length === 0) return base; }
    else if (v instanceof Error) { base = errorText(ctx, v, keys); if (keys.length === 0) return base; }
    else if (v instanceof Promise) {
      braces[0] = 'Promise {';
      fill = () => { const [state, result] = __promiseState(v); if (state === 'pending') return ['<pending>']; ctx.indent += 2; const text = value(ctx, result, depth + 1); ctx.indent -= 2; return [state === 'rejected' ? '<rejected> ' + text : text]; };
    } else if (v instanceof WeakMap || v instanceof WeakSet) return prefix(name, tag, 'Weak') + '{ <items unknown> }';
    else if (v instanceof ArrayBuffer) { braces[0] = 'ArrayBuffer {'; fill = () => ['[Uint8Contents]: <' + Array.from(new Uint8Array(v).slice(0, 50), (n) => n.toString(16).padStart(2, '0')).join(' ') + '>', 'byteLength: ' + v.byteLength]; }
    else if (v instanceof Number || v instanceof String || v instanceof Boolean) { base = '[' + name + ': ' + primitive(v.valueOf(), ctx) + ']'; keys = keys.filter((k) => !/^\d+$/.test(k)); if (keys.length === 0) return base; }
    else if (Object.prototype.toString.call(v) === '[object Arguments]') { braces = ['[Arguments] [', ']']; isList = true; keys = []; fill = () => Array.from(v, (one) => value(ctx, one, depth + 1)); }
    else if (tag === 'Module' && name === null) { braces[0] = '[Module: null prototype] {'; if (keys.length === 0) return braces[0] + '}'; }
    else {
      if (name !== 'Object' || tag) braces[0] = prefix(name, tag, 'Object') + '{';
      if (keys.length === 0) return braces[0] + '}';
    }
    if (depth > ctx.depth && ctx.depth !== null) {
      const shown = (name === null ? prefix(name, tag, 'Object').slice(0, -1) : name);
      return Array.isArray(v) ? '[Array]' : '[' + shown + ']';
    }
    ctx.seen.push(v);
    ctx.depthNow = depth;
    ctx.more = false;
    const out = fill();
    const extra = ctx.more;
    if (ctx.sorted) keys.sort();
    for (const k of keys) out.push(property(ctx, v, k, depth, false));
    ctx.seen.pop();
    const mark = ctx.circular.get(v);
    if (mark !== undefined) { if (base) base = '<ref *' + mark + '> ' + base; else braces[0] = '<ref *' + mark + '> ' + braces[0]; }
    if (base && out.length === 0) return base;
    return join(ctx, out, base, braces, isList, depth, Array.isArray(v) || ArrayBuffer.isView(v) ? v : undefined, extra);
  }
  __inspect = function inspect(v, options) {
    const o = typeof options === 'object' && options !== null ? options : {};
    return value({ depth: o.depth === undefined ? 2 : o.depth === Infinity ? null : o.depth, width: o.breakLength || 80, indent: 0, seen: [], circular: new Map(), depthNow: 0, compact: o.compact, sorted: o.sorted, showHidden: o.showHidden, more: false }, v, 0);
  };
  __inspect.custom = custom;
  __format = function format(...args) {
    if (args.length === 0) return '';
    if (typeof args[0] !== 'string') return args.map((one) => typeof one === 'string' ? one : __inspect(one)).join(' ');
    let at = 1;
    let out = args.length === 1 ? args[0] : args[0].replace(/%[sdifjoOc%]/g, (mark) => {
      if (mark === '%%') return '%';
      if (at >= args.length) return mark;
      const v = args[at++];
      switch (mark[1]) {
        case 's': return typeof v === 'string' ? v : typeof v === 'bigint' ? v + 'n' : typeof v === 'number' ? number(v) : typeof v === 'object' && v !== null && !(v.toString !== Object.prototype.toString && v.toString !== Error.prototype.toString && !Array.isArray(v) && !(v instanceof Date)) ? __inspect(v, { depth: 0 }) : v instanceof Error ? String(v) : String(v);
        case 'd': return typeof v === 'bigint' ? v + 'n' : typeof v === 'symbol' ? 'NaN' : typeof v === 'object' ? number(Number(v)) : number(Number(v));
        case 'i': return typeof v === 'bigint' ? v + 'n' : typeof v === 'object' ? 'NaN' : number(parseInt(v));
        case 'f': return typeof v === 'symbol' ? 'NaN' : number(parseFloat(v));
        case 'j': try { return JSON.stringify(v); } catch (e) { return '[Circular]'; }
        case 'o': return __inspect(v, { depth: 4, showHidden: true });
        case 'O': return __inspect(v);
        default: return '';
      }
    });
    for (; at < args.length; at++) out += ' ' + (typeof args[at] === 'string' ? args[at] : __inspect(args[at]));
    return out;
  };
})();
`;
