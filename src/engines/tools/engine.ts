/**
 * The tools engine: any list of tools as a stateful service.
 *
 * Inference says what the tools do (`infer.ts`), the world file corrects it, the runtime executes it (`run.ts`) on a
 * persistent state (`store.ts`), and the Host decides what becomes of each operation. Not covered: knowledge that
 * no rows hold; such tools are `unknown` to the Host.
 */
import type { Engine } from '../../core/index.js';
import { smallestValue } from './engine-filler.js';
import { createEngineFrom } from './engine-session.js';
import { inferService } from './infer.js';
import type { ToolWorldSpec } from './spec.js';

/**
 * Makes the tools engine. Sessions of one specification object share its service, checks and start state; the seed
 * controls generated rows, filler values, ids that are not counted, and latency. `open` raises `engine/bad-spec`,
 * `restore` also `engine/bad-snapshot`.
 */
export function createToolsEngine(): Engine<ToolWorldSpec> {
  return createEngineFrom({
    infer: inferService,
    seedRows: () => ({}),
    sample: (schema, { root, known }) => smallestValue(schema, root, known),
  });
}
