/**
 * One program of Node on QuickJS: a fresh runtime, a few functions of the machine, and the rest in JavaScript.
 *
 * The interrupt handler counts work (it is called about every 10,000 steps) and ends what is not wanted any more; memory
 * is limited. Nothing of this thread is reachable for a program but the functions given here.
 * Source: quickjs-emscripten 0.32 (QuickJS 2024). Not covered: WebAssembly, workers, `Intl`.
 */
import { getQuickJS, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from 'quickjs-emscripten';
import type { Json, JsonObject } from '../../core/index.js';
import { Caller, CallFailed, GuestStopped } from '../caller.js';
import type { Channel } from '../channel.js';
import { INSPECT } from './inspect-source.js';
import { LIBRARY_SOURCE } from './library-source.js';
import { MAIN } from './main-source.js';
import { MODULES } from './modules-source.js';
import { TEST_REPORT } from './test-report-source.js';
import { TEST_RUNNER } from './test-source.js';

const MAX_MEMORY_BYTES = 256 << 20;
const MAX_STACK_BYTES = 512 << 10;
/** What one look of the interrupt handler counts, in microseconds of the machine. */
const LOOK_US = 200;
const MAX_RUNS = 2000;

/** A warm thread. */
export interface Node {
  readonly isSpent: boolean;
  run(start: JsonObject): void;
}

/** Loads the interpreter. */
export async function createNode(channel: Channel): Promise<Node> {
  // The interpreter asks this thread for the zone of the host; the machine's is UTC.
  Date.prototype.getTimezoneOffset = () => 0;
  const quickjs = await getQuickJS();
  const caller = new Caller(channel);
  let runs = 0;
  let isBroken = false;
  return {
    get isSpent() {
      return isBroken || runs >= MAX_RUNS;
    },
    run(start) {
      runs += 1;
      caller.begin(Number(start.nowUs));
      try {
        const runtime = quickjs.newRuntime();
        const program = new Program(runtime, caller);
        program.run();
        runtime.dispose();
      } catch (error) {
        // What is left of it may lie about in memory; a fresh thread has none of it.
        isBroken = true;
        if (!(error instanceof GuestStopped)) tell(caller, error);
      }
      caller.finish();
    },
  };
}

function tell(caller: Caller, error: unknown): void {
  try {
    caller.call('exit', [{ signal: 6, reason: String(error) }]);
  } catch (second) {
    if (!(second instanceof GuestStopped)) throw second;
  }
}

class Program {
  private readonly context: QuickJSContext;
  private isOver = false;

  constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly caller: Caller,
  ) {
    runtime.setMemoryLimit(MAX_MEMORY_BYTES);
    runtime.setMaxStackSize(MAX_STACK_BYTES);
    runtime.setInterruptHandler(() => this.isStopped());
    this.context = runtime.newContext();
  }

  run(): void {
    const { context } = this;
    const start = this.ask('start', []);
    this.define('__sys', (name, args, bytes) => this.system(name, args, bytes));
    this.define('__now', () => context.newNumber(this.caller.clockUs() / 1000));
    this.define('__compile', (source, file) =>
      this.evaluate(context.getString(source), context.getString(file)),
    );
    this.define('__jobs', () => {
      this.runtime.executePendingJobs();
      return context.undefined;
    });
    this.define('__promiseState', (promise) => this.promiseState(promise));
    const head = `'use strict';\nconst __start = ${JSON.stringify(start)};\n`;
    this.eval(`${INSPECT}\n${REJECTIONS}`, '<node>');
    const result = context.evalCode(
      `${head}${MODULES}${LIBRARY_SOURCE}${EVALUATE}${TESTING}${MAIN}`,
      '<node>',
    );
    if (result.error !== undefined) {
      const words: unknown = this.isOver ? null : context.dump(result.error);
      result.error.dispose();
      if (!this.isOver) this.fail(words);
    } else result.value.dispose();
    if (!this.isOver) this.exit({ code: 0 });
    context.dispose();
  }

  private fail(words: unknown): void {
    const { message = '' } = (words ?? {}) as { readonly message?: string };
    if (message === 'out of memory') this.exit({ signal: 6, reason: message });
    else this.exit({ signal: 6, reason: JSON.stringify(words) });
  }

  private exit(end: JsonObject): void {
    this.isOver = true;
    this.ask('exit', [end]);
  }

  private isStopped(): boolean {
    if (this.isOver) return true;
    try {
      this.caller.work(LOOK_US);
      const signal = this.caller.takeSignal();
      if (signal === 0) return false;
      this.caller.call('exit', [{ signal }]);
    } catch (error) {
      if (!(error instanceof GuestStopped)) throw error;
    }
    this.isOver = true;
    return true;
  }

  /** A call whose end may be the end of the program. */
  private ask(name: string, args: readonly Json[], bytes?: Uint8Array): JsonObject {
    try {
      const reply = this.caller.call(name, args, bytes);
      if (reply.bytes !== undefined) return { bytes: Buffer.from(reply.bytes).toString('latin1') };
      return name === 'start' ? (reply.value as JsonObject) : { value: reply.value ?? null };
    } catch (error) {
      if (error instanceof CallFailed) return { error: error.code };
      if (!(error instanceof GuestStopped)) throw error;
      this.isOver = true;
      return { error: 'EINTR' };
    }
  }

  private system(name: QuickJSHandle, args: QuickJSHandle, bytes: QuickJSHandle | undefined): QuickJSHandle {
    const { context } = this;
    const call = context.getString(name);
    const given = JSON.parse(context.getString(args)) as Json[];
    const data = bytes === undefined ? undefined : Buffer.from(context.getString(bytes), 'latin1');
    const reply = this.isOver ? { error: 'EINTR' } : this.ask(call, given, data);
    if (this.isOver) throw new Error('the program is over');
    return context.newString(JSON.stringify(reply));
  }

  private define(name: string, body: (...args: QuickJSHandle[]) => QuickJSHandle): void {
    const { context } = this;
    const made = context.newFunction(name, body);
    context.setProp(context.global, name, made);
    made.dispose();
  }

  private evaluate(source: string, file: string): QuickJSHandle {
    const result = this.context.evalCode(source, file);
    if (result.error !== undefined) throw result.error;
    return result.value;
  }

  private eval(source: string, file: string): void {
    this.evaluate(source, file).dispose();
  }

  private promiseState(promise: QuickJSHandle): QuickJSHandle {
    const { context } = this;
    const state = context.getPromiseState(promise);
    const list = context.newArray();
    const type = context.newString(state.type);
    context.setProp(list, 0, type);
    type.dispose();
    if (state.type === 'fulfilled' && state.notAPromise !== true) {
      context.setProp(list, 1, state.value);
      state.value.dispose();
    } else if (state.type === 'rejected') {
      context.setProp(list, 1, state.error);
      state.error.dispose();
    }
    return list;
  }
}

/** Promises that were made and not handled: the engine tells nobody, so promises are watched from their making. */
const REJECTIONS = String.raw`
var __rejected;
(function () {
  const watched = new Set(), handled = new WeakSet();
  const then = Promise.prototype.then;
  const own = globalThis.Promise;
  Promise.prototype.then = function (ok, no) { handled.add(this); watched.delete(this); const made = then.call(this, ok, no); watched.add(made); return made; };
  const reject = own.reject;
  own.reject = function (v) { const p = reject.call(this, v); watched.add(p); return p; };
  __rejected = () => { const out = []; for (const p of watched) { const [state, value] = __promiseState(p); if (state === 'pending') continue; watched.delete(p); if (state === 'rejected' && !handled.has(p)) out.push([value, p]); } return out; };
  globalThis.__watch = (p) => { watched.add(p); return p; };
})();
`;

/** Text of \`-e\` runs as a script; its last value is what \`-p\` prints. */
const EVALUATE = String.raw`
function __evaluateText(text, name) { try { return __compile(text, name); } catch (e) { if (e instanceof SyntaxError && /^    at (?!<eval>|parse|BigInt|[\w.]+ \()/.test(String(e.stack))) __syntax(e, name, true); throw e; } }
`;

/** The tests are compiled where a program asks for them. */
const TESTING = `
const __test = { now: null, roots: [], ticks: false, root: null, kind: 'TestContext', tail: [] };
let __testsLoaded = null;
function __testing() { return __testsLoaded || (__testsLoaded = (__compile(${JSON.stringify(TEST_RUNNER + TEST_REPORT)}, '<node>'), __compile('({ tests: __tests, run: __runTests, options: __testOptions })', '<node>'))); }
`;
