/**
 * Tools that are not about kept things: browsers, SQL, code, conversions, the weather of now.
 *
 * Nobody can compute their answers from rows, so their plan says `unknown` instead of pretending. A tool is live
 * by its verb (click, run), by its arguments (selector, sql, script), by what it asks about the world (weather of a
 * city, price of a symbol), or because its server is a browser.
 */

import { bestKey, explicitKey, keyStrength } from './infer-keys.js';
import type { Nouns } from './infer-nouns.js';
import type { Property } from './infer-schema.js';
import type { ToolFacts } from './infer-tool.js';
import { singularOf, splitWords } from './words.js';

const BROWSERS = new Set([
  'browser',
  'playwright',
  'puppeteer',
  'selenium',
  'chrome',
  'appium',
  'desktop',
  'computer',
  'screen',
  'mouse',
  'keyboard',
  'devtools',
  'webdriver',
  'tab',
]);
const LIVE_ARGUMENTS = new Set([
  'selector',
  'xpath',
  'locator',
  'coordinate',
  'sql',
  'script',
  'javascript',
  'css selector',
  'shell command',
  'sql query',
  'expression',
  'expr',
  'promql',
  'logql',
  'python code',
  'cypher',
  'statement',
  'manifest',
  'yaml manifest',
]);
const LIVE_NOUNS = new Set([
  'weather',
  'forecast',
  'temperature',
  'web',
  'internet',
  'documentation',
  'docs',
  'sql',
  'code',
  'script',
  'javascript',
  'python',
  'shell',
  'bash',
  'screenshot',
  'direction',
  'geocode',
  'translation',
  'calculation',
  'diff',
  'health',
  'viewport',
  'html',
  'console',
  'sentiment',
  'quote',
  'rate',
  'web search',
  'page content',
  'google',
  'wikipedia',
  'stack',
  'unstaged',
  'staged',
  'timezone',
  'holiday',
  'air quality',
  'sunrise',
  'elevation',
  'distance',
  'uv',
  'aqi',
  'humidity',
  'free',
  'availability',
]);
const LIVE_ALONE = new Set(['url', 'status', 'health check', 'version', 'uptime']);
const WORLD_ARGUMENTS = new Set([
  'city',
  'location',
  'latitude',
  'longitude',
  'lat',
  'lon',
  'lng',
  'symbol',
  'ticker',
  'currency',
  'from',
  'to',
  'base',
  'url',
  'question',
  'topic',
  'text',
  'zip',
  'zipcode',
  'country',
  'word',
  'prompt',
  'place',
  'address',
  'query',
  'coordinates',
  'expression',
  'origin',
  'destination',
]);

/** Why a tool cannot be computed from rows; undefined if it may be. */
export function liveReason(facts: ToolFacts, nouns: Nouns): string | undefined {
  const { verb } = facts.parsed;
  if (facts.prefix.some((word) => BROWSERS.has(word)) && !keepsThings(facts, nouns))
    return 'it drives a browser or screen';
  const argument = facts.args.find((arg) => isLiveArgument(arg));
  if (argument !== undefined) return `its argument ${argument.name} is a program to run, not a value to keep`;
  const anchored = nouns.all().some((noun) => {
    const key = explicitKey(facts.args, noun.words);
    return key !== undefined && keyStrength(key, noun.words) === 3;
  });
  const live = anchored && verb?.kind !== 'search' && verb?.kind !== 'get' ? undefined : liveNoun(facts);
  if (live !== undefined && (nouns.known(facts.object)?.weight ?? 0) <= 2)
    return `${live} is not something the service keeps`;
  if (live !== undefined && asksTheWorld(facts, nouns))
    return `${live} is knowledge of the world, not kept data`;
  if (verb?.kind === 'act') return `nobody can compute what "${verb.word}" gives`;
  if (verb === undefined && facts.object.some((word) => ACT_NOUNS.has(word)))
    return 'the name says no operation on kept things';
  return asksTheWorld(facts, nouns) ? 'it asks for knowledge of the world, not for kept data' : undefined;
}

/** Why a tool of a browser or screen cannot be computed; undefined for other tools. */
export function browserReason(facts: ToolFacts, nouns: Nouns): string | undefined {
  if (!facts.prefix.some((word) => BROWSERS.has(word)) || keepsThings(facts, nouns)) return undefined;
  return 'it drives a browser or screen';
}

const ACT_NOUNS = new Set(['tree', 'calculator', 'conversion', 'thinking', 'completion']);

/** A session or download of a browser server can still be a kept thing: it is created here and read by its id. */
function keepsThings(facts: ToolFacts, nouns: Nouns): boolean {
  const noun = nouns.known(facts.object);
  const part = BROWSERS.has(facts.object.at(-1) ?? '') || facts.object.at(-1) === 'page';
  return noun !== undefined && noun.weight >= 5 && noun.creators > 0 && !part;
}

function isLiveArgument(argument: Property): boolean {
  const words = splitWords(argument.name).join(' ');
  if (LIVE_ARGUMENTS.has(words)) return true;
  return words === 'query' && /\bSQL\b|\bCypher\b|\bGraphQL\b/i.test(argument.description);
}

function liveNoun(facts: ToolFacts): string | undefined {
  const written = facts.parsed.object;
  const whole = facts.object.join(' ');
  if (LIVE_NOUNS.has(whole) || LIVE_ALONE.has(whole)) return whole;
  const subject = /\b(?:weather|forecast|stock price|exchange rate|air quality)\b/i.exec(
    facts.description.slice(0, 120),
  );
  if (subject !== null && facts.parsed.verb?.kind === 'get') return subject[0].toLowerCase();
  if (
    /\bSQL\b/.test(facts.description.slice(0, 200)) &&
    /\b(?:query|statement)\b/i.test(facts.words.join(' '))
  )
    return 'SQL';
  const last = written.at(-1) ?? '';
  const found = [last, singularOf(last), written[0] ?? ''].find((word) => LIVE_NOUNS.has(word));
  return found;
}

/** A read with neither an id nor another tool about the same noun, asked by city, symbol, url or question. */
function asksTheWorld(facts: ToolFacts, nouns: Nouns): boolean {
  const kind = facts.parsed.verb?.kind;
  if (kind !== 'get' && kind !== undefined) {
    return kind === 'search' && facts.object.length === 0 && nouns.all().length === 0;
  }
  if (facts.args.length === 0) return false;
  const noun = nouns.known(facts.object);
  if (noun !== undefined && noun.weight > 2) return false;
  const required = facts.args.filter((arg) => arg.required);
  const asked = required.length > 0 ? required : facts.args;
  const key = bestKey(facts.args, facts.object);
  const worldly = asked.some((arg) => splitWords(arg.name).some((word) => WORLD_ARGUMENTS.has(word)));
  return worldly && (key === undefined || splitWords(key.name).some((word) => WORLD_ARGUMENTS.has(word)));
}

/** True for a tool that tells the time: "get current time", with at most a time zone or a format. */
export function tellsTime(facts: ToolFacts): boolean {
  const words = facts.words.map(singularOf);
  const time = words.some((word) =>
    ['time', 'datetime', 'clock', 'now', 'date', 'today', 'timestamp'].includes(word),
  );
  const now =
    words.some((word) =>
      ['current', 'now', 'today', 'get', 'system', 'server', 'local', 'utc'].includes(word),
    ) || words.length === 1;
  const kind = facts.parsed.verb?.kind;
  if (!time || !now || (kind !== undefined && kind !== 'get')) return false;
  const rest = words.filter((word) => !TIME_WORDS.has(word));
  return (
    rest.length === 0 && facts.args.every((arg) => splitWords(arg.name).some((word) => TIME_WORDS.has(word)))
  );
}

const TIME_WORDS = new Set([
  'time',
  'date',
  'datetime',
  'clock',
  'now',
  'today',
  'current',
  'get',
  'utc',
  'local',
  'system',
  'server',
  'timezone',
  'zone',
  'tz',
  'format',
  'timestamp',
  'and',
  'in',
  'what',
  'is',
  'the',
  'unix',
  'iso',
  'locale',
  'show',
  'tell',
]);
