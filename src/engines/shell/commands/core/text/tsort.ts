/**
 * `tsort` of coreutils 9.1: a total order of pairs; loops are told and broken.
 *
 * Source: tsort(1). The order among equals is that of the original: by when a name loses its last predecessor.
 */
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError } from '../../program/tool.js';

const OPTIONS = defineOptions('');

interface Item {
  readonly name: string;
  count: number;
  readonly followers: Item[];
  done: boolean;
  /** The next item of the chain that is being followed. */
  chain: Item | null;
}

/** Finds a loop as the original does, by walking all items in order again and again; breaks it and gives its names. */
function breakLoop(items: readonly Item[]): string[] {
  let loop: Item | null = null;
  for (;;) {
    for (const item of items) {
      if (item.count === 0) continue;
      if (loop === null) {
        loop = item;
        continue;
      }
      const at = item.followers.indexOf(loop);
      if (at < 0) continue;
      if (item.chain === null) {
        item.chain = loop;
        loop = item;
        continue;
      }
      const names: string[] = [];
      for (let one: Item | null = loop; one !== null; one = one.chain) {
        names.push(one.name);
        if (one === item) break;
      }
      loop.count -= 1;
      item.followers.splice(at, 1);
      for (const one of items) one.chain = null;
      return names;
    }
    if (loop === null) return [];
  }
}

/** The command. */
export const tsort = defineTool('tsort', function* (tool) {
  for (const _ of tool.options(OPTIONS));
  tool.noMoreThan(1);
  const name = tool.operands[0] ?? '-';
  let text: string;
  try {
    text =
      name === '-' ? new TextDecoder().decode(yield* tool.proc.readAll(0)) : yield* tool.proc.readText(name);
  } catch (error) {
    const failure = systemError(error);
    return tool.die(
      failure.code === 'EISDIR'
        ? `${tool.path(name)}: read error: ${failure.text}`
        : `${tool.path(name)}: ${failure.text}`,
    );
  }
  const words = text.split(/[ \t\n]+/).filter((word) => word !== '');
  if (words.length % 2 !== 0) tool.die(`${tool.path(name)}: input contains an odd number of tokens`);
  const items = new Map<string, Item>();
  const item = (word: string): Item => {
    let found = items.get(word);
    if (found === undefined) {
      found = { name: word, count: 0, followers: [], done: false, chain: null };
      items.set(word, found);
    }
    return found;
  };
  for (let at = 0; at < words.length; at += 2) {
    const [one, other] = [item(words[at] ?? ''), item(words[at + 1] ?? '')];
    if (one === other) continue;
    one.followers.unshift(other);
    other.count += 1;
  }
  const all = [...items.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  let left = all.length;
  while (left > 0) {
    const queue = all.filter((one) => one.count === 0 && !one.done);
    for (let at = 0; at < queue.length; at++) {
      const next = queue[at] as Item;
      next.done = true;
      tool.out(`${next.name}\n`);
      left -= 1;
      for (const follower of next.followers) {
        follower.count -= 1;
        if (follower.count === 0) queue.push(follower);
      }
      if (tool.proc.tick(2)) yield* tool.proc.pause();
    }
    if (left === 0) break;
    tool.fail(`${tool.path(name)}: input contains a loop:`);
    for (const one of breakLoop(all)) tool.warn(one);
  }
  return tool.status;
});
