/**
 * The expand stage: trajectories become samples, one turn each or whole.
 *
 * Modes: `train` one random turn per trajectory (the published way for SFT); `all` every turn that may be a target;
 * `whole` one sample per trajectory in which every kept turn is learnt (continued pre-training); `rl` exactly one turn
 * per trajectory, prompts of at most 128k tokens, and no two samples that share their beginning (system prompt and first
 * turn), since shared long prefixes let the variance of rewards collapse. Choice is seeded by trajectory id. A masked
 * turn is never chosen; it stays as context. Source: arXiv 2606.24597, data processing, SFT and RL.
 */
import { hashWords, type JsonObject, randomStream, type Trajectory, type Turn } from '../../core/index.js';
import { type DropListener, type Stage, Tally } from '../stages/stage.js';
import { isTarget, trainingOf } from '../stages/turn-training.js';
import { SAMPLE_VERSION, type Sample, type SampleMessage } from './sample.js';
import { systemText } from './system-text.js';
import { estimatingCounter, messageTokens, type TokenCounter } from './token-counter.js';
import { fitWindow, PROMPT_TOKENS, type TurnTokens, WINDOW_TOKENS, type WindowFit } from './window.js';

/** Ways to make samples. */
export const EXPAND_MODES = ['train', 'all', 'whole', 'rl'] as const;

/** One of {@link EXPAND_MODES}. */
export type ExpandMode = (typeof EXPAND_MODES)[number];

/** How to expand. */
export interface ExpandOptions {
  /** Default `train`. */
  readonly mode?: ExpandMode;
  /** Decides which turn is taken. Default 0. */
  readonly seed?: number | string;
  /** Tokens of a sample; default 262,144. */
  readonly windowTokens?: number;
  /** Tokens of the prompt of a sample of mode `rl`; default 131,072. */
  readonly promptTokens?: number;
  /** Default: estimates. */
  readonly counter?: TokenCounter;
  /** Told of every trajectory and turn that gave no sample. */
  readonly onDrop?: DropListener;
}

/** Opens the stage. */
export function createExpandStage(options: ExpandOptions = {}): Stage<Trajectory, Sample> {
  const work = new Expansion(options);
  return {
    name: 'expand',
    parameters: work.parameters,
    take: (trajectory) => work.take(trajectory),
    end: () => [],
    report: () => work.report(),
  };
}

class Expansion {
  readonly parameters: JsonObject;
  private readonly mode: ExpandMode;
  private readonly seed: number | string;
  private readonly window: number;
  private readonly promptCap: number;
  private readonly counter: TokenCounter;
  private readonly dropped = new Tally();
  private readonly beginnings = new Set<string>();
  private readonly counts = {
    trajectories: 0,
    samples: 0,
    learntTurns: 0,
    truncatedSamples: 0,
    droppedTurns: 0,
  };
  private readonly tokens = { prompt: 0, total: 0 };
  private lastSystem = { text: '', tokens: 0 };

  constructor(private readonly options: ExpandOptions) {
    this.mode = options.mode ?? 'train';
    this.seed = options.seed ?? 0;
    this.window = options.windowTokens ?? WINDOW_TOKENS;
    this.promptCap = this.mode === 'rl' ? (options.promptTokens ?? PROMPT_TOKENS) : this.window;
    this.counter = options.counter ?? estimatingCounter;
    this.parameters = {
      mode: this.mode,
      seed: this.seed,
      windowTokens: this.window,
      ...(this.mode === 'rl' && { promptTokens: this.promptCap }),
      tokens: this.counter.name,
    };
  }

  take(trajectory: Trajectory): readonly Sample[] {
    this.counts.trajectories += 1;
    const targets = trajectory.turns.flatMap((turn, index) => (isTarget(turn) ? [index] : []));
    if (targets.length === 0) return this.drop(trajectory, 'no-target');
    const tokens = this.countTokens(trajectory);
    if (this.mode === 'whole') return this.whole(trajectory, tokens, targets);
    if (this.mode === 'rl' && this.isKnownBeginning(trajectory))
      return this.drop(trajectory, 'shared-beginning');
    if (this.mode === 'all') return targets.flatMap((index) => this.single(trajectory, tokens, index));
    return this.one(trajectory, tokens, targets);
  }

  report(): JsonObject {
    return {
      ...this.counts,
      promptTokens: this.tokens.prompt,
      totalTokens: this.tokens.total,
      tokensBy: this.counter.name,
      tokensExact: this.counter.isExact,
      dropped: this.dropped.toJson(),
    };
  }

  private drop(trajectory: Trajectory, rule: string, turn?: number): readonly Sample[] {
    this.dropped.add(rule);
    const what = turn === undefined ? 'trajectory' : 'turn';
    this.options.onDrop?.({ what, trajectory: trajectory.id, rule, ...(turn !== undefined && { turn }) });
    return [];
  }

  /** One turn, drawn among those that fit. */
  private one(trajectory: Trajectory, tokens: TurnTokens, targets: readonly number[]): readonly Sample[] {
    const left = [...targets];
    const stream = randomStream(this.seed, `expand-${this.mode}`, trajectory.id);
    while (left.length > 0) {
      const [index = 0] = left.splice(stream.integer(0, left.length - 1), 1);
      const fit = this.fit(tokens, index);
      if (fit !== undefined) {
        if (this.mode === 'rl') this.beginnings.add(beginningOf(trajectory));
        return [this.sample(trajectory, index, fit)];
      }
    }
    return this.drop(trajectory, 'too-long');
  }

  private single(trajectory: Trajectory, tokens: TurnTokens, index: number): readonly Sample[] {
    const fit = this.fit(tokens, index);
    return fit === undefined
      ? this.drop(trajectory, 'too-long', index + 1)
      : [this.sample(trajectory, index, fit)];
  }

  /** RL prompts that are too long are left out, not cut; everything else is cut by whole turns. */
  private fit(tokens: TurnTokens, index: number): WindowFit | undefined {
    const fit = fitWindow(tokens, index, this.window);
    if (fit === undefined || this.mode !== 'rl') return fit;
    return fit.promptTokens > this.promptCap || fit.droppedTurns > 0 ? undefined : fit;
  }

  private whole(trajectory: Trajectory, tokens: TurnTokens, targets: readonly number[]): readonly Sample[] {
    const last = targets.at(-1) ?? 0;
    const fit = fitWindow(tokens, last, this.window);
    if (fit === undefined) return this.drop(trajectory, 'too-long');
    const shown = [...fit.context, last];
    const messages = [...systemMessages(trajectory)].concat(
      shown.flatMap((index) => turnMessages(trajectory.turns[index], index, 'mask')),
    );
    const learnt = messages.filter(({ loss }) => loss === true).length;
    if (learnt === 0) return this.drop(trajectory, 'no-target');
    const first = shown.find((index) => targets.includes(index)) ?? last;
    const before = shown
      .filter((index) => index < first)
      .reduce((sum, index) => sum + tokens.turn(index).action + tokens.turn(index).observation, 0);
    const prompt = tokens.system + before + tokens.turn(first).action;
    return [this.finish(trajectory, { kind: 'whole', messages, fit, prompt, learnt })];
  }

  private sample(trajectory: Trajectory, index: number, fit: WindowFit): Sample {
    const messages = [...systemMessages(trajectory)].concat(
      fit.context.flatMap((i) => turnMessages(trajectory.turns[i], i, 'context')),
      turnMessages(trajectory.turns[index], index, 'target'),
    );
    return this.finish(trajectory, {
      kind: 'turn',
      turn: index + 1,
      messages,
      fit,
      prompt: fit.promptTokens,
      learnt: 1,
    });
  }

  private finish(
    trajectory: Trajectory,
    made: {
      readonly kind: Sample['kind'];
      readonly turn?: number;
      readonly messages: SampleMessage[];
      readonly fit: WindowFit;
      readonly prompt: number;
      readonly learnt: number;
    },
  ): Sample {
    const { kind, turn, messages, fit, prompt, learnt } = made;
    this.counts.samples += 1;
    this.counts.learntTurns += learnt;
    this.counts.droppedTurns += fit.droppedTurns;
    if (fit.droppedTurns > 0) this.counts.truncatedSamples += 1;
    this.tokens.prompt += prompt;
    this.tokens.total += fit.totalTokens;
    const { id, domain, source, turns } = trajectory;
    return {
      sample: SAMPLE_VERSION,
      id: turn === undefined ? id : `${id}#t${turn}`,
      trajectory: id,
      domain,
      source,
      kind,
      ...(turn !== undefined && { turn }),
      totalTurns: turns.length,
      messages,
      droppedTurns: fit.droppedTurns,
      tokens: { prompt, total: fit.totalTokens, by: this.counter.name, exact: this.counter.isExact },
    };
  }

  /** Turns are counted when they are asked for: those after a drawn target never are. */
  private countTokens(trajectory: Trajectory): TurnTokens {
    const { counter } = this;
    const counted: { readonly action: number; readonly observation: number }[] = [];
    return {
      system: this.systemTokens(systemText(trajectory.system)),
      turn: (index) => {
        const known = counted[index];
        if (known !== undefined) return known;
        const turn = trajectory.turns[index];
        const observation = turn?.observation ?? null;
        const made = {
          action: turn === undefined ? 0 : messageTokens(counter, turn.action),
          observation: observation === null ? 0 : messageTokens(counter, observation),
        };
        counted[index] = made;
        return made;
      },
    };
  }

  /** System prompts are long and shared by many trajectories. */
  private systemTokens(text: string): number {
    if (text !== this.lastSystem.text) this.lastSystem = { text, tokens: messageTokens(this.counter, text) };
    return this.lastSystem.tokens;
  }

  private isKnownBeginning(trajectory: Trajectory): boolean {
    return this.beginnings.has(beginningOf(trajectory));
  }
}

/** A hash of the system prompt and the first turn. */
function beginningOf({ system, turns }: Trajectory): string {
  const [first] = turns;
  return hashWords(JSON.stringify([systemText(system), first?.action, first?.observation])).join('.');
}

/** The system message, or none where nothing is known: trainers refuse empty ones. */
function systemMessages({ system }: Trajectory): readonly SampleMessage[] {
  const content = systemText(system);
  return content === '' ? [] : [{ role: 'system', content }];
}

/** The messages of a turn; a turn without an observation has none, since nothing answered. */
function turnMessages(
  turn: Turn | undefined,
  index: number,
  as: 'context' | 'target' | 'mask',
): readonly SampleMessage[] {
  if (turn === undefined || turn.observation === null) return [];
  const { mask } = trainingOf(turn);
  const loss = as === 'target' || (as === 'mask' && isTarget(turn));
  const marks = mask === undefined ? {} : { keepRatio: mask.keepRatio, category: mask.category };
  return [
    { role: 'user', content: turn.action, turn: index + 1 },
    { role: 'assistant', content: turn.observation, loss, ...marks, turn: index + 1 },
  ];
}
