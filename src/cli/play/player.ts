/**
 * A world being played: an episode, its recording, and what is printed of it.
 *
 * Every way of playing (a file of actions, piped lines, a person) goes through here, so that the same step is always
 * printed and recorded alike. Going back in time (`undo`, `restore`) starts the recording anew from the turns that
 * still count, because a recording is one line of time.
 */
import type { LiveEpisode, StepResult } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { Episode } from '../../sim/index.js';
import type { World } from '../../worlds/index.js';
import { EXIT } from '../failure.js';
import type { Output } from '../output.js';
import type { PlayRecording } from './play-recording.js';
import { renderEnd, renderHeading, renderTurn } from './transcript.js';
import { turnJson } from './turn-line.js';

/** What is played: an episode of a world, or a recording that stands in for one. */
export interface Played {
  readonly world: World;
  readonly live: LiveEpisode;
}

/** A live episode with its recording and its output. */
export class Player {
  private readonly world: World;
  private live: LiveEpisode;
  private readonly recording: PlayRecording | null;
  private readonly output: Output;
  private past: Episode[] = [];
  /** The last step, or null before the first and after going back. */
  last: StepResult | null = null;

  /** The recording, if there is one, is open and has its header. */
  constructor(played: Played, recording: PlayRecording | null, output: Output) {
    this.world = played.world;
    this.live = played.live;
    this.recording = recording;
    this.output = output;
    this.listen();
  }

  /** Ends the recording with how the episode stands. */
  close(): void {
    if (this.episode !== null) this.recording?.close(this.episode);
  }

  /** The tools an agent can call, as the world lists them. */
  get tools(): readonly ToolDefinition[] {
    return this.world.file.tools ?? [];
  }

  /** The episode has ended. */
  get done(): boolean {
    return this.live.done;
  }

  /** The episode as an engine lives it, or null where a recording stands in: that cannot be looked into. */
  get episode(): Episode | null {
    return this.live instanceof Episode ? this.live : null;
  }

  /** How many turns count now. */
  get turnCount(): number {
    return this.episode?.turnCount ?? this.last?.turn ?? 0;
  }

  /** 3 when the world has verifiers but one of them gave no verdict, else 0. */
  get exitCode(): number {
    const hasVerifiers = this.episode !== null && this.world.file.success.length > 0;
    return hasVerifiers && this.last?.score?.status === 'unscored' ? EXIT.partial : EXIT.done;
  }

  /** Prints title, task and tools (not with `--json`). */
  printHeading(): void {
    if (this.output.json) return;
    const { title, file } = this.world;
    this.output.line(renderHeading({ title, task: file.task ?? null, tools: this.tools }, this.output));
  }

  /** Plays one action, records and prints it. Raises what the episode raises. */
  async step(action: string): Promise<StepResult> {
    this.remember();
    this.last = await this.live.step(action);
    this.print(this.last, false);
    return this.last;
  }

  /** Ends the episode, with an answer where there is one. */
  async finish(answer?: string): Promise<StepResult> {
    this.remember();
    this.last = await this.live.finish(answer);
    this.print(this.last, answer === undefined);
    return this.last;
  }

  /** Goes back to before the last turn; false at the start. */
  undo(): boolean {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.restore(before, this.past);
    return true;
  }

  /** Goes on from a copy of another moment of this world. */
  restore(moment: Episode, past: readonly Episode[]): void {
    const episode = moment.fork();
    this.live = episode;
    this.past = [...past];
    this.last = null;
    this.recording?.restart(episode);
    this.listen();
  }

  /** The moments before each turn so far, oldest first. */
  get moments(): readonly Episode[] {
    return [...this.past];
  }

  private remember(): void {
    if (this.episode !== null) this.past.push(this.episode.fork());
  }

  /** A turn is in the file before anyone sees it. */
  private listen(): void {
    const { recording } = this;
    if (recording !== null) this.episode?.onTurn((turn) => recording.append(turn));
  }

  private print(step: StepResult, endOnly: boolean): void {
    const { output } = this;
    if (output.json) {
      output.line(turnJson(step));
      if (step.reason !== undefined) output.note(`turn ${step.turn}: ${step.status}: ${step.reason}`);
      return;
    }
    if (!endOnly) output.line(renderTurn(step, output));
    if (step.done) output.line(renderEnd(step, output));
  }
}
