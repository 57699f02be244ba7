/**
 * The living path through a session that is written as a tree of lines.
 *
 * Agents write each line with its parent; after a rewind two children share one, and the older is abandoned. Roots occur
 * several times (compaction begins a new chain, a cut file has lost the first parents); each root's tree is judged by
 * itself: the path to its last line lives. Parallel calls also make side branches: the lines of one reply, and the
 * answers to its calls, hang where they like. So a line also lives if it belongs to a reply that lives, or answers a call
 * of one. Source: hard case P-LOG-3 and recorded sessions.
 */
import type { ValuePlace } from './import-format.js';
import type { LoggedAnswer, LoggedCall } from './pair-calls.js';

/** One line of a session. */
export interface SessionNode {
  readonly uuid: string;
  readonly parent: string | null;
  /** Lines of no one are only links of the chain. */
  readonly by: 'agent' | 'tool' | 'user' | 'none';
  /** The reply that the line is a part of. */
  readonly reply?: string;
  readonly calls: readonly LoggedCall[];
  readonly answers: readonly LoggedAnswer[];
  readonly outputTokens?: number;
  readonly place: ValuePlace;
}

/** The nodes of one session in file order, told apart. */
export interface JudgedSession {
  readonly living: readonly SessionNode[];
  /** Abandoned branches, each in file order. */
  readonly branches: readonly (readonly SessionNode[])[];
}

/** Tells the living path from abandoned branches. Linear in the number of nodes. */
export function judgeSession(nodes: readonly SessionNode[]): JudgedSession {
  const links = linksOf(nodes);
  const living = new Set<SessionNode>();
  const seenTrees = new Set<SessionNode>();
  const roots = rootsOf(nodes, links);
  // From the end: the first line met of each tree is its last.
  for (const node of [...nodes].reverse()) {
    if (node.by === 'none') continue;
    const root = roots.get(node) ?? node;
    if (seenTrees.has(root)) continue;
    seenTrees.add(root);
    for (
      let at: SessionNode | undefined = node;
      at !== undefined && !living.has(at);
      at = parentOf(at, links)
    ) {
      living.add(at);
    }
  }
  adoptParallel(nodes, living);
  const spoken = nodes.filter(({ by }) => by !== 'none');
  return {
    living: spoken.filter((node) => living.has(node)),
    branches: branchesOf(
      spoken.filter((node) => !living.has(node)),
      links,
    ),
  };
}

/** From each node to its parent. */
type Links = ReadonlyMap<SessionNode, SessionNode | undefined>;

/** Where a name stands for several lines it says nothing, and the line before is taken. */
function linksOf(nodes: readonly SessionNode[]): Links {
  const byUuid = new Map<string, SessionNode | null>();
  for (const node of nodes) byUuid.set(node.uuid, byUuid.has(node.uuid) ? null : node);
  return new Map(
    nodes.map((node, i) => {
      const parent = node.parent === null ? undefined : byUuid.get(node.parent);
      const isVague = parent === null || (byUuid.get(node.uuid) === null && parent === undefined);
      return [node, isVague ? nodes[i - 1] : (parent ?? undefined)];
    }),
  );
}

function parentOf(node: SessionNode, links: Links): SessionNode | undefined {
  return links.get(node);
}

/** Each node's root, by walking up with everything on the way remembered; circles end where they close. */
function rootsOf(nodes: readonly SessionNode[], links: Links): ReadonlyMap<SessionNode, SessionNode> {
  const roots = new Map<SessionNode, SessionNode>();
  for (const node of nodes) {
    const way = new Set<SessionNode>();
    let at: SessionNode = node;
    for (let up = parentOf(at, links); !roots.has(at) && !way.has(at); up = parentOf(at, links)) {
      way.add(at);
      if (up === undefined) break;
      at = up;
    }
    const root = roots.get(at) ?? at;
    for (const one of way) roots.set(one, root);
    roots.set(node, root);
  }
  return roots;
}

/** Lines of replies that live, and answers to their calls, live too. */
function adoptParallel(nodes: readonly SessionNode[], living: Set<SessionNode>): void {
  const replies = new Set<string>();
  for (const { reply } of living) if (reply !== undefined) replies.add(reply);
  const calls = new Set<string>();
  for (const node of nodes) {
    if (node.by === 'agent' && node.reply !== undefined && replies.has(node.reply)) living.add(node);
    if (!living.has(node)) continue;
    for (const { id } of node.calls) if (id !== undefined) calls.add(id);
  }
  for (const node of nodes) {
    if (node.by !== 'tool' || living.has(node)) continue;
    if (node.answers.some(({ id }) => id !== undefined && calls.has(id))) living.add(node);
  }
}

function branchesOf(dead: readonly SessionNode[], links: Links): readonly (readonly SessionNode[])[] {
  const isDead = new Set(dead);
  const branches = new Map<SessionNode, SessionNode[]>();
  const headOf = new Map<SessionNode, SessionNode>();
  for (const node of dead) {
    // Through links of no one up to the nearest dead line.
    let up = parentOf(node, links);
    for (let steps = 0; up !== undefined && up.by === 'none' && steps < 10_000; steps++)
      up = parentOf(up, links);
    const head = up !== undefined && isDead.has(up) ? (headOf.get(up) ?? up) : node;
    headOf.set(node, head);
    const branch = branches.get(head);
    if (branch === undefined) branches.set(head, [node]);
    else branch.push(node);
  }
  return [...branches.values()];
}
