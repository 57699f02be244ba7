/**
 * Sessions of agents that write a tree of lines, several of them in one file, as trajectories.
 *
 * A line belongs to the thread (session or sub-agent) of its parent, or to the one that it names. A thread gives its living
 * path, and each abandoned branch by itself (`meta.branch`), with a gap before its first turn. A thread that grows beyond
 * the limit of a trajectory is given in parts, at a moment when no call is open if there is one; a branch that leaves the
 * path before such a cut cannot be told any more and counts as living.
 */
import type { JsonObject, Trajectory } from '../../core/index.js';
import type { ImportContext } from './import-format.js';
import { loggedTrajectory } from './logged-trajectory.js';
import { CallPairs, type LoggedCall } from './pair-calls.js';
import { judgeSession, type SessionNode } from './session-tree.js';
import { domainOfCodingAgent } from './tool-domain.js';

/** Where a line belongs and what it says of its session. */
export interface SessionLine {
  readonly node: SessionNode;
  /** The thread that it names itself; used where its parent is not known. */
  readonly thread: string;
  /** A sub-agent's line: its parent's thread is its own only if that is a sub-agent's too. */
  readonly isSide: boolean;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  /** Facts for the trajectory's meta; the first line's count. */
  readonly facts: JsonObject;
}

interface Thread {
  readonly id: string;
  readonly isSide: boolean;
  readonly facts: JsonObject;
  readonly pairs: CallPairs;
  nodes: SessionNode[];
  uuids: Map<string, SessionNode>;
  held: number;
  open: number;
  branches: number;
  version: string | undefined;
  model: string | undefined;
}

/** What a line weighs beside its texts, in characters. */
const LINE_WEIGHT = 200;

/** All threads of one file. */
export class SessionThreads {
  private readonly threads = new Map<string, Thread>();
  private readonly threadOf = new Map<string, string>();
  private held = 0;

  constructor(
    private readonly context: ImportContext,
    private readonly agent: string,
  ) {}

  /** Takes the next line; gives what had to be given to make room. */
  take(line: SessionLine): readonly Trajectory[] {
    const thread = this.thread(line);
    const { node } = line;
    if (isCopy(thread.uuids.get(node.uuid), node)) {
      this.context.tally.duplicates += 1;
      return [];
    }
    let weight = LINE_WEIGHT;
    for (const call of node.calls) weight += call.action.length;
    for (const { observation, raw = '' } of node.answers) weight += observation.length + raw.length;
    thread.nodes.push(node);
    thread.uuids.set(node.uuid, node);
    thread.held += weight;
    this.held += weight;
    thread.open += node.calls.length - node.answers.length;
    thread.version = line.version ?? thread.version;
    thread.model = line.model ?? thread.model;
    return this.makeRoom(thread);
  }

  /** Everything that is left. */
  end(): readonly Trajectory[] {
    return [...this.threads.values()].flatMap((thread) => this.finish(thread));
  }

  private thread({ node, thread: own, isSide, facts }: SessionLine): Thread {
    const above = node.parent === null ? undefined : this.threadOf.get(node.parent);
    const fits = above !== undefined && this.threads.get(above)?.isSide === isSide;
    const key = fits ? above : own;
    this.threadOf.set(node.uuid, key);
    const known = this.threads.get(key);
    if (known !== undefined) return known;
    const thread: Thread = {
      id: `${this.context.file}#${key}`,
      isSide,
      facts,
      pairs: new CallPairs(this.context.tally),
      nodes: [],
      uuids: new Map(),
      held: 0,
      open: 0,
      branches: 0,
      version: undefined,
      model: undefined,
    };
    this.threads.set(key, thread);
    return thread;
  }

  private makeRoom(thread: Thread): readonly Trajectory[] {
    const limit = this.context.tally.partChars;
    if (thread.held > limit && (thread.open <= 0 || thread.held > 2 * limit)) return this.finish(thread);
    if (this.held <= 4 * limit) return [];
    let largest = thread;
    for (const one of this.threads.values()) if (one.held > largest.held) largest = one;
    return this.finish(largest);
  }

  private finish(thread: Thread): readonly Trajectory[] {
    const { tally } = this.context;
    const { living, branches } = judgeSession(thread.nodes);
    const made = [...this.trajectory(thread, living, thread.pairs)];
    for (const branch of branches) {
      const calls = branch.reduce((sum, { calls: some }) => sum + some.length, 0);
      for (const _line of branch) tally.skip('line on an abandoned branch');
      if (calls === 0 && branch.every(({ answers }) => answers.length === 0)) continue;
      const [first] = branch;
      const message = `an abandoned branch with ${calls} calls, given as a trajectory of its own`;
      if (first !== undefined) tally.warn(first.place, message);
      thread.branches += 1;
      const pairs = new CallPairs(tally);
      pairs.gap();
      made.push(...this.trajectory(thread, branch, pairs, thread.branches));
    }
    for (const { uuid } of thread.nodes) this.threadOf.delete(uuid);
    thread.nodes = [];
    thread.uuids = new Map();
    this.held -= thread.held;
    thread.held = 0;
    thread.open = 0;
    return made;
  }

  private trajectory(
    thread: Thread,
    nodes: readonly SessionNode[],
    pairs: CallPairs,
    branch?: number,
  ): readonly Trajectory[] {
    const tokens = new Map<string, number>();
    feed(nodes, pairs, this.context.tally);
    for (const { reply, outputTokens = 0 } of nodes) if (reply !== undefined) tokens.set(reply, outputTokens);
    const outputTokens = [...tokens.values()].reduce((sum, count) => sum + count, 0);
    const domain = domainOfCodingAgent(pairs.toolNames);
    return loggedTrajectory(pairs, {
      id: branch === undefined ? thread.id : `${thread.id}/branch-${branch}`,
      dataset: this.agent,
      file: this.context.file,
      agent: this.agent,
      version: thread.version,
      domain,
      meta: {
        ...thread.facts,
        ...(thread.model !== undefined && { model: thread.model }),
        ...(outputTokens > 0 && { outputTokens }),
        ...(branch !== undefined && { branch: 'abandoned' }),
      },
    });
  }
}

/** A line that stands in the file a second time: the same name, and the same calls and answers. */
function isCopy(known: SessionNode | undefined, node: SessionNode): boolean {
  if (known === undefined) return false;
  const calls = ({ calls: some }: SessionNode): string =>
    some.map(({ id, action }) => `${id} ${action}`).join('\n');
  const answers = ({ answers: some }: SessionNode): string =>
    some.map(({ id, observation }) => `${id} ${observation}`).join('\n');
  return calls(known) === calls(node) && answers(known) === answers(node);
}

/** Hands calls and answers on in file order; a call that stands in its reply twice counts once, as it stood last. */
function feed(nodes: readonly SessionNode[], pairs: CallPairs, tally: ImportContext['tally']): void {
  const last = new Map<string, LoggedCall>();
  for (const { calls } of nodes) {
    for (const call of calls) if (call.id !== undefined) last.set(`${call.step}\n${call.id}`, call);
  }
  const done = new Set<string>();
  for (const { calls, answers } of nodes) {
    for (const call of calls) {
      const key = `${call.step}\n${call.id}`;
      if (call.id !== undefined && done.has(key)) {
        tally.duplicates += 1;
        continue;
      }
      done.add(key);
      pairs.call(call.id === undefined ? call : (last.get(key) ?? call));
    }
    for (const answer of answers) pairs.answer(answer);
  }
}
