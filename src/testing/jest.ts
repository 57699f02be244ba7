/**
 * The type of `toSurvive` for jest: `import 'umwelt/testing/jest'` beside `expect.extend(survivalMatchers)`.
 *
 * Types only; nothing is loaded.
 */
import type { SurvivalOptions, TestedFault } from '../stress/index.js';
import type { World } from '../worlds/index.js';

declare global {
  namespace jest {
    interface Matchers<R> {
      /** Runs the agent in the world with the fault and with none, and fails with the words of the turns that show why. */
      toSurvive(world: World | string, fault: TestedFault, options?: SurvivalOptions): Promise<R>;
    }
  }
}
