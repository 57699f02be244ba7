/**
 * Long lives in a terminal and in a world of tools, with a count of contradictions that knows nothing of worlds or guards.
 *
 * A bookkeeper beside the world keeps what must be so, in the plainest way: a map of files and a map of numbers. Each turn
 * does something and says what the answer must show; an answer that shows otherwise is a contradiction. Every eighth turn
 * asks what only a model can answer, so that its words are in the history all along. The seed chooses the actions.
 */
import { type LanguageModel, type LiveEpisode, randomStream } from '../../core/index.js';
import { openEpisode, type Route } from '../../sim/index.js';
import { createTestWorld, testCall, testTool } from '../test-world.js';

/** How long, with whom, on which route. */
export interface LongRunOptions {
  readonly model: LanguageModel;
  readonly route: Route;
  readonly turns: number;
  /** Default 1. */
  readonly seed?: number;
  /** Lived in instead of an episode of the world, to see what the count finds. */
  readonly instead?: Pick<LiveEpisode, 'step'>;
}

/** What was counted. */
export interface LongRunReport {
  readonly turns: number;
  /** Answers that show something else than must be so. */
  readonly contradictions: number;
  /** The first few, in words. */
  readonly examples: readonly string[];
  /** Turns in which the model was asked. */
  readonly asked: number;
  /** Turns with a flag of the guard. */
  readonly flagged: number;
  /** Turns without an observation. */
  readonly silent: number;
}

/** One turn: what is done, and what its answer must show. */
interface PlannedTurn {
  readonly action: string;
  /** Says what is wrong with an answer, or nothing. */
  readonly wrong: (answer: string) => string | undefined;
}

async function live(
  episode: Pick<LiveEpisode, 'step'>,
  turns: number,
  plan: () => PlannedTurn,
): Promise<LongRunReport> {
  const examples: string[] = [];
  let [contradictions, asked, flagged, silent] = [0, 0, 0, 0];
  for (let turn = 1; turn <= turns; turn++) {
    const { action, wrong } = plan();
    const { observation, flags, meta } = await episode.step(action);
    if (meta?.guard !== undefined) asked += 1;
    if (flags.length > 0) flagged += 1;
    if (observation === null) {
      silent += 1;
      continue;
    }
    const why = wrong(observation);
    if (why === undefined) continue;
    contradictions += 1;
    if (examples.length < 5)
      examples.push(`turn ${turn}: ${action}: ${why}; the answer was ${observation.slice(0, 300)}`);
  }
  return { turns, contradictions, examples, asked, flagged, silent };
}

const NAMES = ['a.txt', 'b.txt', 'notes.md', 'log', 'data.csv'];

/** Lives in a terminal: files are written, added to, counted, shown and removed. */
export async function liveInTerminal(options: LongRunOptions): Promise<LongRunReport> {
  const { model, route, turns, seed = 1 } = options;
  const world = createTestWorld({
    name: 'long-terminal',
    domain: 'terminal',
    tools: undefined,
    state: { host: 'box', cwd: '/tmp' },
    budget: { maxTurns: turns + 1 },
  });
  const episode = options.instead ?? (await openEpisode(world, { model, route, seed, maxTurns: turns + 1 }));
  const files = new Map<string, string[]>();
  const stream = randomStream(seed, 'long-run');
  const pick = (count: number): number => stream.integer(0, count - 1);
  let count = 0;
  const keys = (line: string): string =>
    JSON.stringify([{ keystrokes: `clear; ${line}; echo END\n`, duration: 1 }]);
  return live(episode, turns, () => {
    count += 1;
    const name = NAMES[pick(NAMES.length)] ?? 'a.txt';
    const known = files.get(name);
    if (count % 8 === 0) return { action: keys(`openssl dgst ${name} | head -3`), wrong: () => undefined };
    const what = pick(6);
    if (what === 0) {
      files.set(name, [`first ${count}`]);
      return shows(keys(`echo first ${count} > ${name}`), []);
    }
    if (what === 1) {
      files.set(name, [...(known ?? []), `line ${count}`]);
      return shows(keys(`echo line ${count} >> ${name}`), []);
    }
    if (what === 2) {
      files.delete(name);
      return shows(keys(`rm -f ${name}`), []);
    }
    if (what === 3)
      return shows(
        keys(`wc -l < ${name}`),
        known === undefined ? [`bash: ${name}: No such file or directory`] : [String(known.length)],
      );
    if (what === 4)
      return shows(
        keys(`tail -n 3 ${name}`),
        known === undefined
          ? [`tail: cannot open '${name}' for reading: No such file or directory`]
          : known.slice(-3),
      );
    return shows(keys('ls'), files.size === 0 ? [] : [[...files.keys()].sort().join('  ')]);
  });
}

/** The lines between the typed line and the end mark. */
function shows(action: string, lines: readonly string[]): PlannedTurn {
  return {
    action,
    wrong: (screen) => {
      const rows = screen.split('\n');
      const end = rows.lastIndexOf('END');
      const start = rows.findLastIndex((row, index) => index < end && row.includes('; echo END'));
      const seen = rows.slice(start + 1, end).map((row) => row.trimEnd());
      const wanted = lines.map((line) => line.trimEnd());
      return end >= 0 && seen.join('\n') === wanted.join('\n')
        ? undefined
        : `wanted ${JSON.stringify(wanted)}`;
    },
  };
}

const TEXT = { type: 'string' };
const WHOLE = { type: 'integer' };

/** A ledger of goods with notes; what things are worth nobody can compute. */
function ledgerWorld(turns: number) {
  const change = (sign: '-' | '+') => ({
    op: 'update',
    collection: 'goods',
    key: { item: 'item' },
    set: { quantity: `row.quantity ${sign} args.quantity` },
  });
  return createTestWorld({
    name: 'long-ledger',
    tools: [
      testTool('goods_get', { item: TEXT }),
      testTool('goods_list', {}),
      testTool('ship', { item: TEXT, quantity: WHOLE }),
      testTool('found', { item: TEXT, quantity: WHOLE }),
      testTool(
        'explain_market',
        { item: TEXT },
        { description: 'Explains what the market thinks of a thing.' },
      ),
    ],
    state: { data: { goods: GOODS.map((item) => ({ item, quantity: 1_000 })) } },
    entities: { goods: { key: 'item', id: { style: 'given' } } },
    overrides: {
      goods_get: { op: 'get', collection: 'goods', key: { item: 'item' } },
      goods_list: { op: 'list', collection: 'goods' },
      ship: {
        ...change('-'),
        require: [{ expr: 'row.quantity >= args.quantity', error: 'not enough in stock' }],
      },
      found: change('+'),
    },
    budget: { maxTurns: turns + 1 },
  });
}

const GOODS = ['bolts', 'nuts', 'rivets', 'washers'];

/** Lives in a world of tools: goods come and go, are looked up and listed. */
export async function liveWithTools(options: LongRunOptions): Promise<LongRunReport> {
  const { model, route, turns, seed = 1 } = options;
  const how = { model, route, seed, maxTurns: turns + 1 };
  const episode = options.instead ?? (await openEpisode(ledgerWorld(turns), how));
  const stock = new Map(GOODS.map((item) => [item, 1_000]));
  const stream = randomStream(seed, 'long-run');
  const pick = (count: number): number => stream.integer(0, count - 1);
  let count = 0;
  return live(episode, turns, () => {
    count += 1;
    const item = GOODS[pick(GOODS.length)] ?? 'bolts';
    const has = stock.get(item) ?? 0;
    if (count % 8 === 0) return { action: testCall('explain_market', { item }), wrong: () => undefined };
    const quantity = 1 + pick(90);
    const what = pick(5);
    if (what === 0 && has < quantity) return { action: testCall('ship', { item, quantity }), wrong: refuses };
    if (what === 0) {
      stock.set(item, has - quantity);
      return says(testCall('ship', { item, quantity }), item, has - quantity);
    }
    if (what === 1) {
      stock.set(item, has + quantity);
      return says(testCall('found', { item, quantity }), item, has + quantity);
    }
    if (what === 2) return { action: testCall('goods_get', { item: `no-${item}` }), wrong: refuses };
    if (what === 3) return says(testCall('goods_get', { item }), item, has);
    return {
      action: testCall('goods_list'),
      wrong: (text) => {
        const missing = [...stock].find(([name, number]) => quantityIn(text, name) !== number);
        return missing === undefined ? undefined : `${missing[0]} must be ${missing[1]}`;
      },
    };
  });
}

function says(action: string, item: string, quantity: number): PlannedTurn {
  return {
    action,
    wrong: (text) => (quantityIn(text, item) === quantity ? undefined : `${item} must be ${quantity}`),
  };
}

function refuses(text: string): string | undefined {
  return /not found|not enough|does not exist|no such|error/i.test(text) ? undefined : 'it must fail';
}

/** The number beside a thing in a JSON answer, however it is wrapped. */
function quantityIn(text: string, item: string): number | undefined {
  const near = new RegExp(
    `"item":\\s*"${item}"[^{}]*?"quantity":\\s*(\\d+)|"quantity":\\s*(\\d+)[^{}]*?"item":\\s*"${item}"`,
  );
  const found = near.exec(text);
  const digits = found?.[1] ?? found?.[2];
  return digits === undefined ? undefined : Number(digits);
}
