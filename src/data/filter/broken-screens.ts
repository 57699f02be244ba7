/**
 * Rule `broken-environment`: screens that show a broken environment instead of the application.
 *
 * What counts: a page that asks whether its visitor is a robot, an error page of a server, a proxy or the browser, or a
 * screen without any content. To be told from a page that merely mentions such a thing, the words must stand where a
 * page says what it is: its title, its address, or a heading, or make up most of a short screen.
 */
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

/** What is broken about a screen, in words, or undefined. */
function brokenScreen(screen: string): string | undefined {
  const trimmed = screen.trim();
  if (trimmed === '') return 'an empty screen';
  if (/^(null|none|undefined|\[\]|\{\}|n\/a)$/i.test(trimmed)) return `no state: ${trimmed}`;
  const places = trimmed.length <= SHORT_SCREEN ? [trimmed, ...titlesOf(trimmed)] : titlesOf(trimmed);
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
      const broken = turn.observation === null ? undefined : brokenScreen(turn.observation);
      if (broken !== undefined) return { dropAll: `turn ${index + 1} shows ${broken}` };
    }
    return [];
  },
};
