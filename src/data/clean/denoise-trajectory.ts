/**
 * The denoise step: observations as what was to be seen, without colours, control characters, padding, banners of a login
 * and prompts that were repeated by mere Enter.
 *
 * Raw forms are kept beside under `raw` only on demand and only where they differ. Spans of origins are kept where all of
 * an observation has one origin; where it has several, the turn is left as it is and counted. In domains other than
 * terminal white space and line ends are content and stay; colours written as `\u001b[…m` inside JSON go too.
 */
import { isJsonObject, type Trajectory, type Turn } from '../../core/index.js';
import { keyBatches, terminalFormat } from '../../domains/index.js';
import { type Stage, Tally } from '../stages/stage.js';
import { hasControls, visibleOutput } from './visible-output.js';

/** How to denoise. */
export interface DenoiseOptions {
  /** Keep the raw form of an observation under `raw` where it differs. */
  readonly keepRaw?: boolean;
}

/** Opens the step. */
export function createDenoiseStage({ keepRaw = false }: DenoiseOptions = {}): Stage<Trajectory> {
  const reasons = new Tally();
  const counts = { turns: 0, changed: 0, charactersBefore: 0, charactersAfter: 0 };
  const denoise = (turn: Turn, { domain }: Trajectory, isFirst: boolean): Turn => {
    const { observation } = turn;
    counts.turns += 1;
    if (observation === null) return turn;
    const tell = (reason: string): void => reasons.add(reason);
    const made =
      domain === 'terminal' ? cleanScreen(observation, { isFirst, tell }) : cleanText(observation, tell);
    counts.charactersBefore += observation.length;
    if (made === observation) {
      counts.charactersAfter += observation.length;
      return turn;
    }
    const origins = movedOrigins(turn, made.length);
    if (origins === undefined) {
      counts.charactersAfter += observation.length;
      reasons.add('left: origins of several kinds');
      return turn;
    }
    counts.changed += 1;
    counts.charactersAfter += made.length;
    const hasRaw = typeof turn.meta?.raw === 'string';
    const meta = keepRaw && !hasRaw ? { meta: { ...turn.meta, raw: observation } } : {};
    return { ...turn, observation: made, ...origins, ...meta };
  };
  return {
    name: 'denoise',
    parameters: { keepRaw },
    take: (trajectory) => {
      const opening = trajectory.domain === 'terminal' ? openingOf(trajectory) : 0;
      const turns = trajectory.turns.map((turn, index) => denoise(turn, trajectory, index < opening));
      return [turns.some((turn, i) => turn !== trajectory.turns[i]) ? { ...trajectory, turns } : trajectory];
    },
    end: () => [],
    report: () => ({ ...counts, reasons: reasons.toJson() }),
  };
}

/** How many turns belong to the login: the first and the waits after it. A later part of a session has none. */
function openingOf(trajectory: Trajectory): number {
  if (isLaterPart(trajectory)) return 0;
  const next = trajectory.turns.findIndex((turn, index) => index > 0 && !isWaitAction(turn.action));
  return next < 0 ? trajectory.turns.length : next;
}

function isWaitAction(action: string): boolean {
  const parsed = terminalFormat.parseAction(action);
  const batches = parsed.kind === 'tool-call' ? keyBatches(parsed) : [];
  return batches.length > 0 && batches.every(({ keystrokes }) => keystrokes === '');
}

/** True for a part of a session that something came before; a login there is a fact of it. */
function isLaterPart({ meta }: Trajectory): boolean {
  return isJsonObject(meta.segment) && Number(meta.segment.part) > 1;
}

/** One span over the new length; undefined where spans of several kinds would have to be moved. */
function movedOrigins(turn: Turn, length: number): Partial<Turn> | undefined {
  const { origins } = turn;
  const [first] = origins ?? [];
  if (origins === undefined || first === undefined) return {};
  if (origins.some(({ origin, ref }) => origin !== first.origin || ref !== first.ref)) return undefined;
  return { origins: length === 0 ? [] : [{ ...first, start: 0, end: length }] };
}

interface ScreenChoices {
  readonly isFirst: boolean;
  readonly tell: (reason: string) => void;
}

function cleanScreen(observation: string, { isFirst, tell }: ScreenChoices): string {
  const visible = visibleOutput(observation, { joinsLineEnds: true });
  if (visible !== observation) tell('controls shown as a screen');
  const rows = visible.split('\n').map((row) => row.replace(/[ \t]+$/, ''));
  let end = rows.length;
  while (end > 0 && rows[end - 1] === '') end -= 1;
  const trimmed = rows.slice(0, end);
  if (trimmed.join('\n') !== visible) tell('padding trimmed');
  const folded = trimmed.filter((row, i) => !(row === trimmed[i - 1] && isPrompt(row)));
  if (folded.length < trimmed.length) tell('repeated prompts folded');
  const unbannered = isFirst ? withoutBanner(folded) : folded;
  if (unbannered.length < folded.length) tell('banner taken off');
  return unbannered.join('\n');
}

const PROMPT =
  /^(?:\([\w.-]{1,40}\) )?(?:\[?[\w.-]{1,64}@[\w.-]{1,64}[: ][^\n$#]{0,120}\]?|bash-[\d.]{1,8}|sh-[\d.]{1,8})[$#%❯]$/;

/** A row that is a prompt with nothing behind it. */
function isPrompt(row: string): boolean {
  return PROMPT.test(row);
}

const BANNER: readonly RegExp[] = [
  /^Welcome to (?:Ubuntu|Debian|Alpine|Fedora|CentOS|openSUSE|Raspbian)\b/i,
  /^ ?\* (?:Documentation|Management|Support): +https?:/,
  /^The programs included with the (?:Debian|Kali) GNU\/Linux system are free software;$/,
  /^the exact distribution terms for each program are described in the$/,
  /^individual files in \/usr\/share\/doc\/\*\/copyright\.$/,
  /^(?:Debian|Kali) GNU\/Linux comes with ABSOLUTELY NO WARRANTY, to the extent$/,
  /^permitted by applicable law\.$/,
  /^Last login: /,
  /^Linux \S+ \d+\.\d+\S* #\d/,
  /^To run a command as administrator \(user "root"\), use "sudo <command>"\.$/,
  /^See "man sudo_root" for details\.$/,
  /^This system has been minimized by removing packages and content that are$/,
  /^not required on a system that users do not log into\.$/,
  /^To restore this content, you can run the 'unminimize' command\.$/,
  /^The default interactive shell is now zsh\.$/,
  /^To update your account to use zsh, please run /,
  /^For more details, please visit https:\/\/support\.apple\.com\//,
];

/** Rows without the lines of a login before the first prompt; all rows where nothing else is left. */
function withoutBanner(rows: readonly string[]): readonly string[] {
  let end = 0;
  let seen = false;
  while (end < rows.length) {
    const row = rows[end] as string;
    const isBanner = BANNER.some((one) => one.test(row));
    if (row !== '' && !isBanner) break;
    seen ||= isBanner;
    end += 1;
  }
  return seen && end < rows.length ? rows.slice(end) : rows;
}

/** A colour inside a JSON text: the escape is six characters there, with no backslash before it. */
const ESCAPED_STYLING = /(?<!\\)\\u001[bB]\[[0-9;:]{0,60}m/g;

function cleanText(observation: string, tell: (reason: string) => void): string {
  let now = observation;
  // Taking one thing out may join two halves of another; a few rounds settle whatever is not made up.
  for (let round = 0; round < 10; round++) {
    const before = now;
    if (hasControls(now)) now = visibleOutput(now, { joinsLineEnds: false });
    if (now !== before) tell('control characters taken out');
    if (!/\\u001b/i.test(now) || !/^\s*[[{"]/.test(now)) return now;
    const plain = now.replace(ESCAPED_STYLING, '');
    if (plain === now) return now;
    tell('colours in JSON taken out');
    now = plain;
  }
  return now;
}
