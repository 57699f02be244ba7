/**
 * Deep recursion without the host's stack: nested commands run on a stack of their own.
 *
 * The idea: `yield*` nests native frames. Every few levels the runner yields a `Deep` instead; the outermost
 * generator of the process keeps these in a list and hands results and errors back. So a shell function may call itself
 * thousands of times, and what the kernel sees are waits only.
 */
import type { Running, Wait, WaitReply } from '../../kernel/index.js';

/** A wish to run a generator on the list. Only the trampoline of the same process sees it. */
class Deep {
  constructor(readonly running: Running<unknown>) {}
}

/** How many levels may nest natively. */
const NATIVE_LEVELS = 12;

/** Counts native levels of one process. */
export interface Level {
  native: number;
}

/** Runs a generator one level further in. */
export function* nest<T>(level: Level, running: Running<T>): Running<T> {
  if (level.native < NATIVE_LEVELS) {
    level.native += 1;
    try {
      return yield* running;
    } finally {
      level.native -= 1;
    }
  }
  const kept = level.native;
  level.native = 0;
  try {
    return (yield new Deep(running) as unknown as Wait) as unknown as T;
  } finally {
    level.native = kept;
  }
}

/** The body of a process whose generators use `nest`. */
export function* trampoline(main: Running<number>): Running<number> {
  const stack: Running<unknown>[] = [main];
  let input: unknown = 'ready';
  let failure: { readonly error: unknown } | undefined;
  for (;;) {
    const top = stack[stack.length - 1] as Running<unknown>;
    let step: IteratorResult<Wait, unknown>;
    try {
      step = failure === undefined ? top.next(input as WaitReply) : top.throw(failure.error);
      failure = undefined;
    } catch (error) {
      stack.pop();
      if (stack.length === 0) throw error;
      failure = { error };
      continue;
    }
    if (step.done === true) {
      stack.pop();
      if (stack.length === 0) return step.value as number;
      input = step.value;
      continue;
    }
    const wait: unknown = step.value;
    if (wait instanceof Deep) {
      stack.push(wait.running);
      input = 'ready';
    } else {
      try {
        input = yield step.value;
      } catch (error) {
        failure = { error };
      }
    }
  }
}
