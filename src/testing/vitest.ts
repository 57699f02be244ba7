/**
 * The type of `toSurvive` for vitest: `import 'umwelt/testing/vitest'` beside `expect.extend(survivalMatchers)`.
 *
 * Types only; nothing is loaded.
 */
import type {} from 'vitest';
import type { SurvivalOptions, TestedFault } from '../stress/index.js';
import type { World } from '../worlds/index.js';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: vitest declares its interface so, and a declaration must repeat it.
  interface Matchers<T = any> {
    /** Runs the agent in the world with the fault and with none, and fails with the words of the turns that show why. */
    toSurvive(world: World | string, fault: TestedFault, options?: SurvivalOptions): Promise<T>;
  }
}
