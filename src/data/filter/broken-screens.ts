/**
 * Rule `broken-environment`: screens that show a broken environment instead of the application.
 *
 * What counts: a page that asks whether its visitor is a robot, an error page of a server, a proxy or the browser, or a
 * screen without any content. To be told from a page that merely mentions such a thing, the words must stand where a
 * page says what it is: its title, its address, or a heading, or make up most of a short screen. How short a screen is
 * counts what a person reads of it, as the domain's grammar tells it, not the markup around.
 */
import type { Domain } from '../../core/index.js';
import { domainFormat, type ObservationPart } from '../../domains/index.js';
import { type FilterRule, type RuleVerdict, SCREEN_DOMAINS } from './filter-rule.js';

const ROBOT =
  /\b(re)?captcha\b|are you (a )?(robot|human)|verify (that )?you are (a )?human|unusual traffic from your|checking your browser|^just a moment\.{3}|attention required! \| cloudflare|access denied.{0,40}(bot|automated)/i;
const HTTP_ERROR =
  /\b(400 bad request|401 unauthorized|403 forbidden|404 not found|408 request time-?out|429 too many requests|500 internal server error|502 bad gateway|503 service (temporarily )?unavailable|504 gateway time-?out)\b|\b(http )?error (4\d\d|5\d\d)\b|^(4\d\d|5\d\d) (error|not found|forbidden)/i;
const BROWSER_ERROR =
  /chrome-error:\/\/|\bERR_(CONNECTION|NAME|INTERNET|ADDRESS|TIMED|SSL|CERT|EMPTY|NETWORK|TOO_MANY)\w*|this site can.t be reached|server not found|unable to connect|no internet|dns_probe_finished/i;

/** Lines in which a page says what it is. */
const TITLE =
  /^\s*(?:\**(?:url|title|page title|current url|address)\**\s*[:=]\s*(.*)|.*\b(?:RootWebArea|document|heading|frame|window)\b[^'"“]*['"“](.*?)['"”](?:$|[\s,;]).*)$/i;

/** A screen of at most this many characters is judged as a whole. */
const SHORT_SCREEN = 400;

function titlesOf(screen: string): readonly string[] {
  return screen
    .slice(0, 20_000)
    .split('\n')
    .flatMap((line) => {
      const found = TITLE.exec(line.slice(0, 500));
      return found === null ? [] : [(found[1] ?? found[2] ?? '').trim()];
    });
}

/** What is broken about a dump rather than about what it shows. */
const DUMP_ERROR = /^ERROR: (?:could not get idle state|null root node returned)[^\n]{0,100}/;
/** Values of parts that a person reads. */
const WORDS: ReadonlySet<string> = new Set([
  'text',
  'content-desc',
  'content',
  'name',
  'Name',
  'label',
  'content_description',
  'title',
  'url',
]);
/** Roles of parts whose name says what the whole is. */
const TITLED =
  /^(?:(?:Root)?WebArea|RootWebArea|document(?:-web|-frame)?|frame|window|Window|dialog|heading|title|url)$/i;
/** Words of one screen that are looked at. */
const WORD_CHARS = 20_000;

/** What a person reads of a screen that is a tree, and the names of what it is; null where it is none. */
function readable(
  screen: string,
  domain: Domain,
): { readonly words: string; readonly titles: readonly string[] } | null {
  const format = domainFormat(domain);
  if (!format.ok) return null;
  const { parts } = format.value.outline(screen);
  const words: string[] = [];
  const titles: string[] = [];
  let length = 0;
  const todo: ObservationPart[] = [...parts].reverse();
  for (let part = todo.pop(); part !== undefined && length < WORD_CHARS; part = todo.pop()) {
    todo.push(...[...part.parts].reverse());
    if (part.kind === 'line' || part.kind === 'heading') continue;
    for (const { name, value } of part.values) {
      if (!WORDS.has(name) || value === '') continue;
      words.push(value);
      length += value.length + 1;
      if (TITLED.test(part.kind)) titles.push(value);
    }
  }
  return { words: words.join('\n'), titles };
}

/** What is broken about a screen, in words, or undefined. */
function brokenScreen(screen: string, domain: Domain): string | undefined {
  const trimmed = screen.trim();
  if (trimmed === '') return 'an empty screen';
  if (/^(null|none|undefined|\[\]|\{\}|n\/a)$/i.test(trimmed)) return `no state: ${trimmed}`;
  const dump = DUMP_ERROR.exec(trimmed)?.[0];
  if (dump !== undefined) return `no state: ${dump}`;
  if (/^(?:<\?xml[^>]*>\s*)?<(hierarchy|desktop-frame)\b[^>]*(?:\/>|>\s*<\/\1>)$/.test(trimmed))
    return 'an empty screen';
  const read = readable(trimmed, domain);
  const whole = [trimmed, read?.words ?? ''].filter((text) => text !== '' && text.length <= SHORT_SCREEN);
  const places = [...whole, ...titlesOf(trimmed), ...(read?.titles ?? [])];
  for (const place of places) {
    for (const [what, pattern] of [
      ['a question for robots', ROBOT],
      ['an error of a server', HTTP_ERROR],
      ['an error of the browser', BROWSER_ERROR],
    ] as const) {
      const found = pattern.exec(place);
      if (found !== null) return `${what}: ${found[0].slice(0, 80)}`;
    }
  }
  return undefined;
}

/** The rule. */
export const brokenEnvironment: FilterRule = {
  name: 'broken-environment',
  about: 'screen trajectories broken by their environment: questions for robots, HTTP errors, missing state',
  domains: SCREEN_DOMAINS,
  check: (trajectory): RuleVerdict => {
    for (const [index, turn] of trajectory.turns.entries()) {
      const broken =
        turn.observation === null ? undefined : brokenScreen(turn.observation, trajectory.domain);
      if (broken !== undefined) return { dropAll: `turn ${index + 1} shows ${broken}` };
    }
    return [];
  },
};
