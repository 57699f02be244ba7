/**
 * Content types of screens that are trees: rules on the values of parts, shared by the domains with such screens.
 *
 * Values whose name a domain lists as determined follow from action and state; the others are content of the
 * application unless the action, the state, or a screen in the state holds them; clocks, dates, battery and signal are
 * runtime metadata. Source: content types of AgentWorldBench (arXiv 2606.24597).
 */
import { knownLeaves, spansOfMarks, textMarks } from './content-spans.js';
import type {
  ContentContext,
  ContentSpan,
  ContentType,
  ObservationOutline,
  ObservationPart,
  PartValue,
} from './domain-format.js';
import { isRuntimeText } from './runtime-metadata.js';

/** What a domain says of the values of its parts. */
export interface ScreenRules {
  /** A screen as parts. */
  outline(text: string): ObservationOutline;
  /** Names of values that follow from action and state: flags, positions among siblings. */
  readonly determined: ReadonlySet<string>;
  /** Further names of that kind, by their form. */
  readonly isDetermined?: (name: string) => boolean;
  /** Names of values that a person reads. */
  readonly words: ReadonlySet<string>;
  /** True for a part whose words change by themselves, for example a clock. */
  isClock(part: ObservationPart): boolean;
}

const CLOCK_TIME =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?:(?:[a-z]{3,9} \d{1,2}|\d{1,2} [a-z]{3,9}),? (?:\d{4},? )?)?(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?m\.?)?$/i;
const STATUS_WORDS =
  /^(?:battery:? \d{1,3} ?(?:%|percent)\.?.*|\d{1,3} ?%|(?:phone|wifi|wi-fi|mobile|data|cellular)\b.*\bsignal\b.*|(?:phone|wifi|wi-fi) (?:no|one|two|three|four) bars?\.?|signal full\.?|lte|[45]g\+?)$/i;

/** What of a screen can be demanded exactly. */
export function screenTreeContentTypes(
  text: string,
  context: ContentContext,
  rules: ScreenRules,
): readonly ContentSpan[] {
  const known = knownOfScreens(context, rules);
  const marks: ContentSpan[] = [];
  const todo = [...rules.outline(text).parts];
  let isTree = false;
  for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
    todo.push(...part.parts);
    const isLine = part.kind === 'line';
    isTree ||= !isLine;
    const isClock = rules.isClock(part);
    for (const value of part.values) {
      const { start, end } = value;
      if (isLine) marks.push(...textMarks(text.slice(start, end), known, start));
      else marks.push({ start, end, type: typeOf(value, rules, { known, isClock }) });
    }
  }
  return spansOfMarks(text.length, marks, isTree ? 'deterministic' : 'pre-existing');
}

function typeOf(
  { name, value }: PartValue,
  { determined, isDetermined, words }: ScreenRules,
  { known, isClock }: { readonly known: ReadonlySet<string>; readonly isClock: boolean },
): ContentType {
  if (determined.has(name) || isDetermined?.(name) === true) return 'deterministic';
  if (words.has(name) && value !== '') {
    if (isClock || STATUS_WORDS.test(value)) return 'runtime-metadata';
    if (!known.has(value) && (CLOCK_TIME.test(value) || isRuntimeText(value))) return 'runtime-metadata';
  }
  return value === '' || known.has(value) ? 'deterministic' : 'pre-existing';
}

/** Screens in the state that are taken apart. */
const STATE_SCREENS = 20;
/** A shorter text in the state is a value, not a screen. */
const SCREEN_CHARS = 40;

/** Known values; a text of the state that is a screen gives the values of its parts. */
function knownOfScreens(context: ContentContext, { outline }: ScreenRules): ReadonlySet<string> {
  const leaves = knownLeaves(context);
  const known = new Set(leaves);
  const screens = [...leaves].filter((leaf) => leaf.length > SCREEN_CHARS && /[<\n\t]/.test(leaf));
  for (const screen of screens.slice(0, STATE_SCREENS)) {
    const todo = [...outline(screen).parts];
    for (let part = todo.pop(); part !== undefined; part = todo.pop()) {
      todo.push(...part.parts);
      for (const { value } of part.values) known.add(value);
    }
  }
  return known;
}
