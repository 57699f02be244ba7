/**
 * Which of the service's worlds a system prompt belongs to: worlds write their own prompts, so the text tells.
 *
 * They are written once, when the first request asks. Only the start of a world with its own seed is meant.
 */
import { openEpisode } from '../../sim/index.js';
import type { World } from '../../worlds/index.js';

/** Finds worlds by their prompts. */
export class OwnPrompts {
  private byText: Promise<ReadonlyMap<string, World>> | undefined;

  constructor(private readonly worlds: () => readonly World[]) {}

  /** The world of a prompt; undefined for a prompt of others. */
  async find(prompt: string): Promise<World | undefined> {
    this.byText ??= promptsOf(this.worlds());
    return (await this.byText).get(prompt.trim());
  }
}

async function promptsOf(worlds: readonly World[]): Promise<ReadonlyMap<string, World>> {
  const known = new Map<string, World>();
  for (const world of worlds) {
    // A world that only a model can live in is taken by its prompt, as others' are.
    if (world.spec === null && world.machine === null) continue;
    try {
      known.set((await openEpisode(world)).header().system.text.trim(), world);
    } catch {
      // A world that cannot be opened says so to who opens it.
    }
  }
  return known;
}
