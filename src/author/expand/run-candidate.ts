/**
 * One candidate from beginning to end: made, written, fingerprinted, checked. Depends on nothing but its seed world,
 * the seed and its number, so that it does not matter which worker runs it, or when.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { checkChild } from './check-child.js';
import { childPrints } from './child-meaning.js';
import { ChildWriter } from './child-text.js';
import { ExpansionFault } from './fill-template.js';
import { type MadeChild, makeChild, type SeedWorld } from './make-child.js';

/** What became of a candidate. */
export type CandidateResult =
  | {
      readonly kept: true;
      readonly text: string;
      readonly content: string;
      readonly meaning: string;
      /** What the manifest says of it. */
      readonly line: JsonObject;
    }
  | { readonly kept: false; readonly reason: string; readonly message: string };

/** How candidates are run. */
export interface CandidateOptions {
  readonly seed: number;
  readonly difficulty?: readonly string[];
  /** Every so many candidates of a seed world the random policy plays; 0 is never. */
  readonly randomEvery: number;
}

/** Every so many candidates the oracle lives twice; what children of one seed answer with is the same for all. */
const SECOND_LIFE_EVERY = 10;

/** Episodes of the random policy where it plays. */
const RANDOM_EPISODES = 21;

/** Runs candidates of one seed world. */
export class CandidateRunner {
  private readonly writer = new ChildWriter();

  constructor(
    readonly seedWorld: SeedWorld,
    readonly facts: readonly string[],
    private readonly options: CandidateOptions,
  ) {}

  /** Makes and checks candidate number n. */
  async run(candidate: number): Promise<CandidateResult> {
    const { seed, difficulty, randomEvery } = this.options;
    let made: MadeChild;
    try {
      made = await makeChild(this.seedWorld, {
        seed,
        candidate,
        ...(difficulty !== undefined && { difficulty }),
      });
    } catch (error) {
      if (!(error instanceof ExpansionFault)) throw error;
      return { kept: false, reason: error.reason, message: error.message.slice(0, 500) };
    }
    const text = this.writer.write(made.file);
    const plays = randomEvery > 0 && candidate % randomEvery === 0;
    const verdict = await checkChild(text, {
      tools: this.seedWorld.world.spec?.tools ?? [],
      facts: this.facts,
      secondLife: candidate % SECOND_LIFE_EVERY === 0,
      randomEpisodes: plays ? RANDOM_EPISODES : 0,
    });
    if (!verdict.kept) return verdict;
    const prints = childPrints(made.file, this.seedWorld.model);
    const { wrongRewards, startReward, randomFraction, oracleSteps, world } = verdict;
    const line: JsonObject = {
      child: made.name,
      file: `${made.name}.json`,
      parent: this.seedWorld.world.name,
      candidate,
      ...(made.axes as unknown as JsonObject),
      oracleSteps,
      rows: countRows(made.file),
      verifiers: world.file.success.length,
      params: made.params,
      hash: world.hash,
      ...prints,
      checks: { oracle: 1, reset: true, start: startReward, wrong: wrongRewards, random: randomFraction },
    };
    return { kept: true, text, ...prints, line };
  }
}

function countRows(file: JsonObject): number {
  const data = isJsonObject(file.state) ? file.state.data : undefined;
  const lists: Json[] = isJsonObject(data) ? Object.values(data) : [];
  return lists.reduce<number>((sum, rows) => sum + (Array.isArray(rows) ? rows.length : 0), 0);
}
