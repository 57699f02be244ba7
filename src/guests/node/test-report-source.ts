/**
 * How a run of tests is printed: TAP, or the tree of the `spec` reporter; and `node --test`, which runs files, in JavaScript
 * for the guest.
 *
 * A file under `node --test` is a process of its own that sends its events as lines; everything else that it prints becomes
 * comments. Durations are the machine's clock with a seeded fraction.
 * Source: recorded with Node 20.20 (TAP away from a terminal, `spec` on one). Not covered: colours inside errors, the
 * reporters `junit` and `lcov`, `--watch`, coverage; the internal lines of stacks are those of Node 20.
 */

/** JavaScript source; before it stands `test-source.ts`. */
export const TEST_REPORT = String.raw`
const __isChild = process.env.NODE_TEST_CONTEXT === 'child-v8';
const __testOptions = { reporter: null };
function __yaml(indent, name, value, seen) {
  if (value === undefined) return '';
  const prefix = indent + '  ' + name + ':';
  if (value === null) return prefix + ' ~\n';
  if (typeof value === 'string') { const lines = value.split(/\r?\n/); return lines.length === 1 ? prefix + ' ' + __inspect(value) + '\n' : prefix + ' |-\n' + lines.map((l) => indent + '    ' + l + '\n').join(''); }
  if (typeof value !== 'object') return prefix + ' ' + __inspect(value) + '\n';
  seen.add(value);
  let out = prefix + (value instanceof Date ? ' ' + value.toISOString() : '') + '\n';
  for (const [k, v] of Object.entries(value)) out += v !== null && typeof v === 'object' && seen.has(v) ? indent + '    ' + k + ': <Circular>\n' : __yaml(indent + '  ', k, v, seen);
  return out;
}
/** What reporters need of a failure, as text: the facts in YAML and the error as spec shows it. */
function __errorParts(e) {
  const given = e.isOwn ? undefined : e.given;
  const isError = given instanceof Error;
  const isAssertion = isError && given.code === 'ERR_ASSERTION';
  let yaml = __yaml('', 'failureType', e.failureType, new Set());
  if (e.exitCode !== undefined) yaml += __yaml('', 'exitCode', e.exitCode, new Set()) + __yaml('', 'signal', e.signal, new Set());
  yaml += __yaml('', 'error', isError ? given.message : e.message, new Set());
  yaml += __yaml('', 'code', (isError && given.code) || 'ERR_TEST_FAILURE', new Set());
  if (isError && given.name && given.name !== 'Error') yaml += __yaml('', 'name', given.name, new Set());
  if (isAssertion) for (const k of ['expected', 'actual', 'operator']) yaml += __yaml('', k, given[k], new Set());
  const frames = isError ? String(given.stack).split('\n').map((l) => /^\s+at\s+(.*)/.exec(l)).filter(Boolean).map((m) => m[1]) : e.frames || [];
  if (frames.length) yaml += '  stack: |-\n' + frames.map((f) => '    ' + f + '\n').join('');
  let shown = isError ? __inspect(given) : e.isOwn ? e.message : __inspect(given);
  if (isError && !isAssertion && given.name !== 'Error' && shown.startsWith(given.name + ':')) shown = given.name + ' [Error]' + shown.slice(given.name.length);
  return { yaml, shown: e.isOwn ? "'" + e.message + "'" : shown, type: e.failureType };
}
const __printer = (function () {
  let started = false, name;
  const tty = !!__start.tty[1];
  const paint = (code, text) => tty ? '\x1b[' + code + 'm' + text + '\x1b[39m' : text;
  const esc = (s) => String(s).replace(/\\/g, '\\\\').replace(/#/g, '\\#').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t');
  const failed = [];
  const open = [];
  const word = (one) => (one.skip !== undefined ? ' # SKIP' + (typeof one.skip === 'string' ? ' ' + esc(one.skip) : '') : one.todo !== undefined ? ' # TODO' + (typeof one.todo === 'string' ? ' ' + esc(one.todo) : '') : '');
  const begin = () => { if (started) return; started = true; name = __testOptions.reporter || (tty ? 'spec' : 'tap'); if (name === 'tap') __put(1, 'TAP version 13\n'); };
  const tap = (one) => {
    const pad = '    '.repeat(one.nesting || 0);
    switch (one.type) {
      case 'start': return pad + '# Subtest: ' + esc(one.name) + '\n';
      case 'plan': return pad + '1..' + one.count + '\n';
      case 'end': return pad + (one.ok ? 'ok ' : 'not ok ') + one.number + ' - ' + esc(one.name) + word(one) + '\n' + pad + '  ---\n' + pad + '  duration_ms: ' + one.durationMs + '\n' + (one.isSuite ? pad + "  type: 'suite'\n" : '') + (one.error ? pad + '  location: ' + __inspect(one.location) + '\n' + one.error.yaml.replace(/^(?=[^])/gm, pad).replace(new RegExp(pad + '$'), '') : '') + pad + '  ...\n';
      case 'diagnostic': return pad + '# ' + esc(one.text) + '\n';
      case 'output': return one.text.split('\n').filter((l) => l.trim() !== '').map((l) => '# ' + esc(l) + '\n').join('');
      case 'summary': return '1..' + one.count + '\n' + Object.entries(one.counts).map(([k, v]) => '# ' + k + ' ' + v + '\n').join('') + '# duration_ms ' + one.durationMs + '\n';
    }
  };
  const took = (one) => paint('90', '(' + one.durationMs + 'ms)');
  const block = (text, pad) => text.split('\n').map((l) => pad + '  ' + l).join('\n') + '\n\n';
  const head = (one, pad) => { const why = one.skip !== undefined ? ' # ' + (typeof one.skip === 'string' ? one.skip : 'SKIP') : one.todo !== undefined ? ' # ' + (typeof one.todo === 'string' ? one.todo : 'TODO') : ''; return pad + (one.skip !== undefined ? paint('90', '\ufe63 ' + one.name + ' ' + took(one) + why) : one.ok ? paint('32', '\u2714 ' + one.name + ' ' + took(one)) + why : paint('31', '\u2716 ' + one.name + ' ' + took(one)) + why); };
  const spec = (one) => {
    const pad = '  '.repeat(one.nesting || 0);
    switch (one.type) {
      case 'start': open.push({ pad, name: one.name, isShown: false }); return '';
      case 'plan': return '';
      case 'end': {
        open.pop();
        let out = '';
        for (const up of open) if (!up.isShown) { up.isShown = true; out += up.pad + '\u25b6 ' + up.name + '\n'; }
        out += head(one, pad) + '\n';
        if (one.error && one.error.type !== 'subtestsFailed') { out += block(one.error.shown, pad); failed.push(one); }
        return out;
      }
      case 'diagnostic': return pad + paint('34', '\u2139 ' + one.text) + '\n';
      case 'output': return one.text;
      case 'summary': { let out = Object.entries({ ...one.counts, duration_ms: one.durationMs }).map(([k, v]) => paint('34', '\u2139 ' + k + ' ' + v) + '\n').join(''); if (failed.length) out += '\n' + paint('31', '\u2716 failing tests:') + '\n' + failed.map((f) => '\ntest at ' + __builtin.path.relative(process.cwd(), f.location) + '\n' + head(f, '') + '\n' + block(f.error.shown, '').replace(/\n$/, '')).join(''); return out; }
    }
  };
  return (one) => { begin(); __put(1, (name === 'spec' ? spec : name === 'tap' ? tap : (o) => o.type === 'end' && !o.isSuite ? (o.ok ? '.' : 'X') : o.type === 'summary' ? '\n' : '')(one)); };
})();
function __report(one) { if (__isChild) __put(1, '\u0001T' + JSON.stringify(one) + '\n'); else __printer(one); }

/** The files that \`node --test\` runs without being told any: all below folders named test, and names that say so. */
function __testFiles(given) {
  const fs = __builtin.fs, path = __builtin.path;
  const out = [];
  const walk = (dir, all) => { for (const name of fs.readdirSync(dir).sort()) { const p = path.join(dir, name); const s = fs.statSync(p, { throwIfNoEntry: false }); if (!s) continue; if (s.isDirectory()) { if (name !== 'node_modules') walk(p, all || name === 'test'); } else if (/\.[cm]?js$/.test(name) && (all || /^test$|^test-.+|.+[._-]test$/.test(name.replace(/\.[cm]?js$/, '')))) out.push(p); } };
  if (given.length === 0) walk(process.cwd(), path.basename(process.cwd()) === 'test');
  for (const name of given) { const p = path.resolve(name); if (!fs.existsSync(p)) { __put(2, "Could not find '" + p + "'\n"); process.exit(1); } if (fs.statSync(p).isDirectory()) walk(p, path.basename(p) === 'test'); else out.push(p); }
  return [...new Set(out)].sort();
}
function __runTests(given, args) {
  const begun = __now();
  const total = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  let count = 0, isBad = false;
  __testFiles(given).forEach((file, index) => {
    const from = __now();
    const done = __builtin.child_process.spawnSync('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, ...args, file], { env: { ...process.env, NODE_TEST_CONTEXT: 'child-v8' }, encoding: 'utf8', stdio: ['inherit', 'pipe', 'inherit'] });
    let hasTests = false, hasFailed = false;
    const add = (counts) => { for (const k of Object.keys(total)) total[k] += counts[k]; };
    for (const line of String(done.stdout).split(/(?<=\n)/)) {
      const at = line.indexOf('\u0001T');
      if (at < 0) { __report({ type: 'output', text: line }); continue; }
      if (at > 0) __report({ type: 'output', text: line.slice(0, at) + '\n' });
      const one = __parse(line.slice(at + 2));
      if (one.type === 'summary') { add(one.counts); continue; }
      hasTests = hasTests || one.type === 'end';
      if (one.type === 'end' && one.nesting === 0) { one.number = ++count; if (one.failed) hasFailed = true; }
      __report(one);
    }
    const died = done.status !== 0 && !hasFailed;
    if (hasFailed || died) isBad = true;
    if (hasTests && !died) return;
    count++;
    add({ ...total, tests: 1, suites: 0, pass: died ? 0 : 1, fail: died ? 1 : 0, cancelled: 0, skipped: 0, todo: 0 });
    const error = Object.assign(new Error('test failed'), { isOwn: true, failureType: 'testCodeFailure', exitCode: done.status, signal: done.signal });
    __report({ type: 'start', nesting: 0, name: file });
    __report({ type: 'end', nesting: 0, name: file, number: index + 1, ok: !died, durationMs: Number((__now() - from + 41.3).toFixed(6)), location: file + ':1:1', error: died ? __errorParts(error) : undefined });
  });
  __report({ type: 'summary', count, counts: total, durationMs: Number((__now() - begun + 57.1).toFixed(6)) });
  process.exit(isBad ? 1 : 0);
}
`;
