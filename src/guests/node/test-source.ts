/**
 * `node:test`: tests, suites, hooks and mocks in the order in which Node runs them, in JavaScript for the guest.
 *
 * Tests at the top of a file wait until the file is loaded and run one after the other; `t.test` starts at once. What a test
 * left open when nothing can go on any more is cancelled. A run reports by events, which `test-report-source.ts` prints; a
 * file that `node --test` started sends them to its parent as lines.
 * Source: the documentation and the behaviour of Node 20.20. Not covered: concurrency (one after the other, which prints the
 * same), `only`, `signal`, timers of `mock`, snapshots, coverage, watching.
 */

/** JavaScript source, compiled when a program asks for it; `__test` and the rest of `main-source.ts` are there. */
export const TEST_RUNNER = String.raw`
const __line = (name, at) => name + ' (node:' + at + ')';
const __asyncTail = ['async ' + __line('Test.run', 'internal/test_runner/test:797:9'), 'async ' + __line('Test.processPendingSubtests', 'internal/test_runner/test:526:7')];
const __tickLine = __line('process.processTicksAndRejections', 'internal/process/task_queues:95:5');
function __callTest(f, self, args) { return f.apply(self, args); }
const __tests = (function () {
  const RUN = [__line('Test.runInAsyncScope', 'async_hooks:206:9'), __line('Test.run', 'internal/test_runner/test:796:25')];
  const own = (t) => t.isSuite ? 'Suite' : 'Test';
  const tailOf = (t, how) => {
    if (how === 'start') return [...RUN, __line('Test.start', 'internal/test_runner/test:702:17'), ...(t.parent.isSuite ? [] : [__line('TestContext.test', 'internal/test_runner/test:292:20')])];
    if (!t.previous) return t.parent.parent ? [...RUN, __line('Test.start', 'internal/test_runner/test:702:17'), 'node:internal/test_runner/test:1133:71', 'node:internal/per_context/primordials:482:82', 'new Promise (<anonymous>)', 'new SafePromise (node:internal/per_context/primordials:450:29)', 'node:internal/per_context/primordials:482:9', 'Array.map (<anonymous>)'] : [...RUN, __line('Test.processPendingSubtests', 'internal/test_runner/test:526:18'), 'node:internal/test_runner/harness:255:12', 'node:internal/process/task_queues:140:7', __line('AsyncResource.runInAsyncScope', 'async_hooks:206:9'), __line('AsyncResource.runMicrotask', 'internal/process/task_queues:137:8'), __tickLine];
    const parent = own(t.parent), previous = own(t.previous);
    return [...RUN, __line(parent + '.processPendingSubtests', 'internal/test_runner/test:526:18'), __line(previous + '.postRun', 'internal/test_runner/test:889:19'), __line(previous + '.run', 'internal/test_runner/test:' + (t.previous.isSuite ? '1150:10' : '835:12')), ...(__test.ticks ? [__tickLine] : []), ...(t.parent.isSuite ? ['async Promise.all (index 0)', 'async ' + __line('Suite.run', 'internal/test_runner/test:1135:7')] : []), 'async ' + __line('Test.processPendingSubtests', 'internal/test_runner/test:526:7')];
  };
  let noise = Math.floor(__start.nowUs / 1000) % 233280;
  const grain = () => { noise = (noise * 9301 + 49297) % 233280; return noise / 233280; };
  const since = (t) => t.startedAt === undefined ? 0 : Number((__now() - t.startedAt + 0.15 + grain()).toFixed(6));
  class Failure extends Error { constructor(message, type, cause) { super(message); this.code = 'ERR_TEST_FAILURE'; this.failureType = type; if (cause) this.given = cause[0]; this.isOwn = !cause; } }
  const failure = (type, e) => { __fix(e); return new Failure(e && e.message !== undefined ? e.message : typeof e === 'string' ? e : __inspect(e), type, [e]); };
  const placeOf = () => { const f = __frames(__rawFrames(new Error('x'))).find((one) => one.f); return f ? f.f.file + ':' + f.f.line + ':' + f.f.at : undefined; };
  const read = (name, options, fn) => { if (typeof name === 'function') { fn = name; name = undefined; options = {}; } else if (name !== null && typeof name === 'object') { fn = options; options = name; name = undefined; } else if (typeof options === 'function') { fn = options; options = {}; } return [name === undefined ? (fn && fn.name) || '<anonymous>' : String(name), options || {}, typeof fn === 'function' ? fn : null]; };
  const mocks = [];
  const mocked = (original, implementation, times) => {
    let left = times === undefined ? Infinity : times, current = implementation;
    const calls = [], once = new Map();
    const fn = function (...args) { const n = calls.length; const target = once.has(n) ? once.get(n) : n < left ? current : original; once.delete(n); const call = { arguments: args, error: undefined, result: undefined, stack: new Error(), target: new.target, this: this }; calls.push(call); try { return (call.result = new.target ? Reflect.construct(target, args, new.target) : target.apply(this, args)); } catch (e) { call.error = e; throw e; } };
    Object.defineProperty(fn, 'name', { value: original.name, configurable: true });
    fn.mock = { get calls() { return calls.slice(); }, callCount: () => calls.length, mockImplementation: (f) => { current = f; }, mockImplementationOnce: (f, n) => once.set(n === undefined ? calls.length : n, f), resetCalls: () => { calls.length = 0; }, restore: () => { current = original; } };
    return fn;
  };
  const tracker = () => ({
    fn(original = function () {}, implementation = original, options) { if (implementation !== null && typeof implementation === 'object') { options = implementation; implementation = original; } const made = mocked(original, implementation, options && options.times); mocks.push(made.mock); return made; },
    method(object, name, implementation, options) { if (implementation !== null && typeof implementation === 'object') { options = implementation; implementation = undefined; } const d = (() => { for (let o = object; o; o = Object.getPrototypeOf(o)) { const one = Object.getOwnPropertyDescriptor(o, name); if (one) return one; } })(); const way = options && options.getter ? 'get' : options && options.setter ? 'set' : 'value'; const original = d && d[way]; if (typeof original !== 'function') { const e = new TypeError("The property 'methodName' must be a method. Received " + __inspect(original)); e.code = 'ERR_INVALID_ARG_VALUE'; throw e; } const made = mocked(original, implementation || original, options && options.times); const had = Object.getOwnPropertyDescriptor(object, name); Object.defineProperty(object, name, { ...d, configurable: true, [way]: made }); const undo = () => { if (had) Object.defineProperty(object, name, had); else delete object[name]; }; made.mock.restore = undo; mocks.push(made.mock); return made; },
    getter(object, name, f) { return this.method(object, name, f, { getter: true }); }, setter(object, name, f) { return this.method(object, name, f, { setter: true }); },
    reset() { this.restoreAll(); mocks.length = 0; }, restoreAll() { for (const one of mocks) one.restore(); }, get timers() { return __lack('mock.timers of node:test'); }, module() { return __lack('mock.module of node:test'); },
  });
  class Test {
    constructor(parent, name, options, fn, isSuite) { Object.assign(this, { parent, name, options, fn, isSuite, subtests: [], pending: [], before: [], after: [], beforeEach: [], afterEach: [], failed: null, diagnostics: [], nesting: parent ? parent.nesting + (parent.parent ? 1 : 0) : 0 }); this.skipped = options.skip; this.todo = options.todo !== undefined ? options.todo : isSuite || !parent ? undefined : undefined; this.done = new Promise((ok) => { this.settle = ok; }); if (parent) { this.location = placeOf(); parent.subtests.push(this); } }
    get wants() { return { skip: this.skipped !== undefined && this.skipped !== false ? this.skipped : undefined, todo: this.todo !== undefined && this.todo !== false ? this.todo : undefined }; }
    get context() {
      const t = this;
      return { name: t.name, get fullName() { const names = []; for (let one = t; one.parent; one = one.parent) names.unshift(one.name); return names.join(' > '); }, get filePath() { return t.location && t.location.replace(/:\d+:\d+$/, ''); }, mock: (t.mock = t.mock || tracker()), test: (...a) => t.add(read(...a), false, true), diagnostic: (m) => { t.diagnostics.push(String(m)); }, skip: (m) => { t.skipped = m === undefined ? true : m; }, todo: (m) => { t.todo = m === undefined ? true : m; }, before: (f) => { t.before.push(f); }, after: (f) => { t.after.push(f); }, beforeEach: (f) => { t.beforeEach.push(f); }, afterEach: (f) => { t.afterEach.push(f); }, plan: (n) => { t.plan = n; }, runOnly: () => {}, get signal() { return __lack('the signal of node:test'); }, get assert() { return __builtin.assert; } };
    }
    add([name, options, fn], isSuite, now) {
      const t = new Test(this, name, options, fn, isSuite);
      const pattern = __test.patterns;
      if (this.isOver) { t.startedAt = __now(); t.failed = new Failure('test could not be started because its parent finished', 'parentAlreadyFinished'); t.finish(); return t.done; }
      if (pattern && !isSuite && !pattern.some((p) => p.test(name))) t.skipped = 'test name does not match pattern';
      if (isSuite && fn && t.wants.skip === undefined) { const was = __test.suite, now = __test.now; __test.suite = __test.now = t; __test.kind = 'SuiteContext'; t.tail = __test.tail = [__line('Suite.runInAsyncScope', 'async_hooks:206:9'), __line('new Suite', 'internal/test_runner/test:1087:26'), __line((this.isSuite ? 'Suite' : 'Test') + '.createSubtest', 'internal/test_runner/test:590:18'), __line('run', 'internal/test_runner/harness:265:28'), __line('test', 'internal/test_runner/harness:278:12')]; try { const made = __callTest(fn, { name }, [{ name }]); if (made && typeof made.then === 'function') t.loading = made; } catch (e) { t.failed = failure('testCodeFailure', e); t.subtests = []; t.pending = []; } finally { __test.suite = was; __test.now = now; __test.kind = 'TestContext'; } }
      t.previous = this.last; this.last = t;
      if (now && !this.busy) { this.busy = t; t.run('start').then(() => this.next()); } else this.pending.push(t);
      return t.done;
    }
    next() { const t = this.pending.shift(); this.busy = t || null; if (!t) { if (this.idle) this.idle(); return; } t.run('next').then(() => this.next()); }
    drain() { return new Promise((ok) => { if (!this.busy && this.pending.length === 0) return ok(); this.idle = ok; if (!this.busy) this.next(); }); }
    async hooks(kind, t) { for (const hook of this[kind]) { try { const made = __callTest(hook, t.context, [t.context]); if (made && typeof made.then === 'function') await made; } catch (e) { throw failure('hookFailed', e); } } }
    async each(kind, t) { const line = []; for (let one = this; one; one = one.parent) line[kind === 'beforeEach' ? 'unshift' : 'push'](one); for (const one of line) if (one[kind].length) await one.hooks(kind, t); }
    async run(how) {
      this.startedAt = __now();
      const up = this.parent;
      __test.now = this; __phase = 'test'; __test.tail = this.tail = tailOf(this, how);
      const { skip } = this.wants;
      try {
        if (this.failed) { /* the suite could not be read */ }
        else if (skip !== undefined || (!this.fn && !this.isSuite)) { /* nothing runs */ }
        else if (this.isSuite) { if (this.loading) await this.loading; if (this.before.length) await this.hooks('before', this); await this.drain(); if (this.after.length) await this.hooks('after', this); }
        else {
          let lacksHooks = true;
          for (let one = up; one; one = one.parent) if (one.beforeEach.length) lacksHooks = false;
          if (!lacksHooks) { await up.each('beforeEach', this); __test.now = this; __test.tail = this.tail = [__line('Test.runInAsyncScope', 'async_hooks:206:9'), __line('Test.run', 'internal/test_runner/test:796:25'), 'async ' + __line(own(up) + '.processPendingSubtests', 'internal/test_runner/test:526:7')]; }
          try {
            if (this.fn.length > 1) { __test.ticks = true; await new Promise((ok, no) => { __callTest(this.fn, this.context, [this.context, (e) => e ? no(e) : ok()]); }); }
            else { const made = __callTest(this.fn, this.context, [this.context]); if (made && typeof made.then === 'function') { __test.ticks = true; await (this.options.timeout === undefined || this.options.timeout === Infinity ? made : Promise.race([made, new Promise((_, no) => { this.timer = setTimeout(() => no(new Failure('test timed out after ' + this.options.timeout + 'ms', 'testTimeoutFailure')), this.options.timeout); })])); } }
          } catch (e) { this.failed = this.failed || (e instanceof Failure ? e : failure('testCodeFailure', e)); }
          clearTimeout(this.timer);
          if (this.plan !== undefined && !this.failed && this.plan !== this.subtests.length) this.failed = new Failure('plan expected ' + this.plan + ' assertions but received ' + this.subtests.length, 'testCodeFailure');
          for (const one of this.subtests) if (!one.isOver) one.cancel('test did not finish before its parent and was cancelled');
          if (this.after.length) await this.hooks('after', this);
          for (let one = up; one; one = one.parent) if (one.afterEach.length) { await up.each('afterEach', this); break; }
        }
      } catch (e) { this.failed = this.failed || (e instanceof Failure ? e : failure('testCodeFailure', e)); if (this.isSuite) for (const one of this.subtests) if (!one.isOver) one.cancel('test did not finish before its parent and was cancelled'); }
      this.finish();
    }
    cancel(words) { const atEnd = /^Promise/.test(words); for (const one of this.subtests) if (!one.isOver) one.cancel(atEnd ? words : 'test did not finish before its parent and was cancelled'); this.failed = new Failure(words, 'cancelledByParent'); if (atEnd) this.failed.frames = ['process.emit (node:events:524:28)']; this.cancelled = true; this.pending = []; this.finish(); }
    finish() {
      if (this.isOver) return;
      this.isOver = true;
      if (this.mock) this.mock.restoreAll();
      const bad = this.subtests.filter((one) => one.failed && one.wants.todo === undefined).length;
      if (!this.failed && bad > 0) this.failed = new Failure(bad + ' subtest' + (bad > 1 ? 's' : '') + ' failed', 'subtestsFailed');
      this.durationMs = since(this);
      this.settle();
      for (const one of __test.roots) one.flush();
    }
  }
  /** The file's own test: its children are what is told, each when all before it are over. */
  class Root extends Test {
    constructor() { super(null, '<root>', {}, null, false); this.told = 0; this.counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }; __test.roots.push(this); this.startedAt = __now(); }
    flush() { while (this.told < this.subtests.length && this.subtests[this.told].isOver) { const t = this.subtests[this.told++]; this.tell(t, this.told, 0); } }
    tell(t, number, nesting) {
      const { skip, todo } = t.wants;
      __report({ type: 'start', nesting, name: t.name });
      t.subtests.forEach((one, i) => this.tell(one, i + 1, nesting + 1));
      if (t.subtests.length) __report({ type: 'plan', nesting: nesting + 1, count: t.subtests.length });
      const ok = !t.failed;
      const c = this.counts;
      if (t.isSuite) c.suites++; else { c.tests++; if (skip !== undefined) c.skipped++; else if (todo !== undefined) c.todo++; else if (t.cancelled) c.cancelled++; else if (ok) c.pass++; else c.fail++; }
      __report({ type: 'end', nesting, name: t.name, number, ok, skip, todo, isSuite: t.isSuite, hasSubtests: t.subtests.length > 0, durationMs: t.durationMs, location: t.location, error: t.failed ? __errorParts(t.failed) : undefined, failed: !ok && todo === undefined });
      for (const text of t.diagnostics) __report({ type: 'diagnostic', nesting, text });
    }
    start() { if (this.started) return; this.started = true; this.begun = true; process.nextTick(() => Promise.resolve().then(() => { if (!this.busy) this.next(); })); process.on('beforeExit', () => this.close()); process.on('exit', () => this.close()); }
    close() {
      if (this.isClosed) return;
      this.isClosed = true;
      for (const one of this.subtests) if (!one.isOver) one.cancel('Promise resolution is still pending but the event loop has already resolved');
      this.flush();
      __report({ type: 'summary', count: this.subtests.length, counts: this.counts, durationMs: Number((__now() - __start.nowUs / 1000 + 22 + grain()).toFixed(6)) });
      if (this.subtests.some((one) => one.failed && one.wants.todo === undefined) || this.failed) process.exitCode = 1;
    }
  }
  const root = () => { if (!__test.root) __test.root = new Root(); __test.root.start(); return __test.root; };
  const here = () => __test.suite || root();
  const def = (isSuite, more) => (...a) => { const [name, options, fn] = read(...a); const parent = here(); return parent.add([name, { ...options, ...more }, fn], isSuite, false); };
  const kinds = (isSuite) => Object.assign(def(isSuite, {}), { skip: def(isSuite, { skip: true }), todo: def(isSuite, { todo: true }), only: def(isSuite, {}) });
  const test = kinds(false), describe = kinds(true);
  const hook = (kind) => (f) => { here()[kind].push(f); };
  Object.assign(test, { test, it: kinds(false), describe, suite: describe, before: hook('before'), after: hook('after'), beforeEach: hook('beforeEach'), afterEach: hook('afterEach'), mock: tracker(), run: () => __lack('run of node:test') });
  return { module: test, uncaught(e) { const t = __test.now; if (!t || t.isOver) return false; t.failed = failure('uncaughtException', e); t.finish(); if (t.parent && t.parent.busy === t) t.parent.next(); return true; } };
})();
`;
