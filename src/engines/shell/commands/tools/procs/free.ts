/**
 * `free` of procps 4.0.2.
 *
 * Source: free(1).
 */
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';
import { memoryFacts } from './memory.js';

const TABLE = defineOptions(
  'b,bytes kilo mega giga tera peta k,kibi m,mebi g,gibi tebi pebi h,human si l,lohi t,total v,committed s,seconds: c,count: w,wide help version,V',
  '',
);
const DIVISORS: Readonly<Record<string, number>> = {
  b: 1,
  kilo: 1e3,
  mega: 1e6,
  giga: 1e9,
  tera: 1e12,
  peta: 1e15,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  tebi: 2 ** 40,
  pebi: 2 ** 50,
};
const WIDTH = 12;

interface FreeSettings {
  readonly flags: Set<string>;
  divisor: number;
  seconds: number | undefined;
  count: number | undefined;
}

/** The command. */
export const free = defineTool(
  'free',
  function* (tool) {
    const settings = readSettings(tool);
    const { seconds, count } = settings;
    const turns = count ?? (seconds === undefined ? 1 : Number.POSITIVE_INFINITY);
    for (let turn = 0; turn < turns; turn++) {
      if (turn > 0) {
        tool.out('\n');
        yield* tool.io.flush();
        yield* tool.proc.sleep((seconds ?? 1) * 1e6);
      }
      show(tool, settings);
    }
    if (turns > 1) tool.out('\n');
    return 0;
  },
  { texts: helpText('free'), sizeBytes: 22_840 },
);

function readSettings(tool: Tool): FreeSettings {
  const settings: FreeSettings = { flags: new Set(), divisor: 1024, seconds: undefined, count: undefined };
  const onError = (): never => {
    tool.io.err(helpText('free').help);
    return tool.exit(1);
  };
  for (const { key, value = '' } of tool.options(TABLE, { onError })) {
    settings.flags.add(key);
    if (DIVISORS[key] !== undefined) settings.divisor = DIVISORS[key];
    if (key === 's') {
      settings.seconds = Number(value);
      if (!(settings.seconds > 0)) tool.die(`seconds argument failed: '${value}': Invalid argument`);
    }
    if (key === 'c') {
      settings.count = Number(value);
      if (!Number.isInteger(settings.count) || settings.count < 1)
        tool.die(`failed to parse count argument: '${value}': Invalid argument`);
    }
  }
  if (settings.flags.has('si') && settings.divisor > 1024)
    settings.divisor = 1000 ** Math.round(Math.log2(settings.divisor) / 10);
  return settings;
}

function show(tool: Tool, settings: FreeSettings): void {
  const { flags } = settings;
  const facts = memoryFacts(tool);
  const isWide = flags.has('w');
  const cells = (values: readonly number[]): string =>
    values.map((kib) => amount(kib, settings).padStart(WIDTH)).join('');
  const heads = [
    'total',
    'used',
    'free',
    'shared',
    ...(isWide ? ['buffers', 'cache'] : ['buff/cache']),
    'available',
  ];
  const line = (name: string, values: readonly number[]): void =>
    tool.out(`${name.padEnd(8)}${cells(values)}\n`);
  tool.out(`${' '.repeat(8)}${heads.map((head) => head.padStart(WIDTH)).join('')}\n`);
  const caches = isWide ? [facts.buffers, facts.cache] : [facts.buffers + facts.cache];
  line('Mem:', [facts.total, facts.used, facts.free, facts.shared, ...caches, facts.available]);
  if (flags.has('l')) {
    line('Low:', [facts.total, facts.total - facts.free, facts.free]);
    line('High:', [0, 0, 0]);
  }
  const swapUsed = facts.swapTotal - facts.swapFree;
  line('Swap:', [facts.swapTotal, swapUsed, facts.swapFree]);
  if (flags.has('t'))
    line('Total:', [facts.total + facts.swapTotal, facts.used + swapUsed, facts.free + facts.swapFree]);
  if (flags.has('v')) line('Comm:', [facts.commitLimit, facts.used, facts.commitLimit - facts.used]);
}

/** An amount in the unit that was asked for. */
function amount(kib: number, { flags, divisor }: FreeSettings): string {
  if (!flags.has('h')) return String(Math.floor((kib * 1024) / divisor));
  const base = flags.has('si') ? 1000 : 1024;
  const units = flags.has('si') ? ['B', 'K', 'M', 'G', 'T', 'P'] : ['B', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi'];
  let value = kib * 1024;
  let unit = 0;
  for (; value >= base && unit < units.length - 1; unit++) value /= base;
  if (unit === 0) return `${value}B`;
  const text = (Math.floor(value * 10) / 10).toFixed(1);
  return `${text.length > 3 ? Math.floor(value) : text}${units[unit]}`;
}
