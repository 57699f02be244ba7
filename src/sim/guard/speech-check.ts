/**
 * Is a text the environment's own, or does somebody speak who should not: an assistant, a refusing model, the simulator, the
 * agent itself?
 *
 * Phrases are looked for where such speech stands (its beginning, its end, lines of their own) and only where they stand
 * in no text that is known: a file that says "I am sorry" may be shown. English first; the openings of refusals and
 * helpfulness also in German, French, Spanish and Chinese. Not covered: other languages, speech without such phrases.
 */
import { OBSERVATION_TAG } from '../../core/index.js';
import type { GuardContext, GuardFinding } from './finding.js';
import type { KnownText } from './known-text.js';
import { plainForm } from './plain-forms.js';

/** Looks for speech that is no observation. */
export function findSpeech(text: string, context: GuardContext): readonly GuardFinding[] {
  const checks = [findRefusal, findAssistant, findVocabulary, findAgentSpeech, findLoop, findMidTag];
  return checks.flatMap((check) => check(text, context) ?? []);
}

type Check = (text: string, context: GuardContext) => GuardFinding | undefined;

const HEAD_CHARS = 400;
const TAIL_CHARS = 400;

const REFUSALS = [
  /^\W*(?:i['’]?m|i am) (?:very |really |so )?(?:sorry|afraid)[,.;:!]?\s*(?:but|that|,|i\b|as\b|this)/i,
  /^\W*(?:sorry|apologies|unfortunately)[,.;:!]? (?:but )?(?:i|we|as an)\b/i,
  /^\W*i (?:can(?:no|['’])t|cannot|won['’]?t|will not|am unable to|['’]m unable to|must decline|refuse)\b.{0,80}?\b(?:assist|help|comply|fulfil|provide|generate|simulate|predict|continue|produce|do (?:that|this)|answer)/is,
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b/i,
  /\bi (?:do not|don['’]t) have (?:access to|the ability to)\b/i,
  /^\W*(?:es tut mir leid|tut mir leid|entschuldigung),? (?:aber )?ich\b/i,
  /^\W*(?:je suis désolée?|désolée?),? (?:mais )?je\b/i,
  /^\W*lo siento,? (?:pero )?(?:no puedo|como)\b/i,
  /^\W*(?:很)?(?:抱歉|对不起)[，,]?\s*(?:我|作为|但)/,
];

const findRefusal: Check = (text, { known }) => {
  const head = text.slice(0, HEAD_CHARS);
  const match = REFUSALS.map((pattern) => pattern.exec(head)).find((one) => one !== null);
  if (match === undefined || match === null || isKnown(match[0], known)) return undefined;
  const problem =
    'the answer refuses or apologises; an environment does neither, it answers what it would answer';
  return { check: 'refusal', problem, finally: 'fail' };
};

const OPENINGS = [
  /^\W*(?:sure|certainly|of course|absolutely|great question|happy to help|no problem|okay|ok)[,!.:]?\s+(?:here|let me|i['’]?ll|i will|i can|i['’]?ve|i have|the (?:output|result|predicted)|below)\b/i,
  /^\W*here(?:['’]s| is| are) (?:the|your|a|what) (?:\w+ ){0,4}(?:output|observation|prediction|predicted|response|result|screen|state|answer)s?\b/i,
  /^\W*(?:the |my )?(?:predicted|expected|simulated) (?:output|observation|response|result|screen|state|terminal)\b/i,
  /^\W*i(?:['’]ve| have) (?:successfully )?(?:executed|run|completed|created|updated|performed|simulated|processed)\b/i,
  /^\W*(?:gerne|natürlich|selbstverständlich)[,!.]? (?:hier|ich)\b/i,
  /^\W*(?:bien sûr|certainement)[,!.]? (?:voici|je)\b/i,
  /^\W*(?:por supuesto|claro)[,!.]? (?:aquí|te)\b/i,
  /^\W*(?:当然|好的)[，,！!]?\s*(?:以下|这是|我)/,
];
const CLOSINGS = [
  /\b(?:let me know (?:if|whether)|feel free to|is there anything else|hope (?:this|that) helps|would you like me to|if you need (?:any|more|further)|happy to (?:help|assist))\b[^\n]*$/i,
];
const PRAISE =
  /\b(?:operation|task|request|simulation|call) (?:was |has been )?(?:completed|executed|processed|performed) (?:successfully|correctly|perfectly)\b.{0,60}\b(?:all|every) (?:the )?(?:fields?|values?|checks?|requirements?|constraints?|parameters?)\b|\b(?:all|every) (?:the )?(?:fields?|values?|details?) (?:are|is|were|was) (?:correct|accurate|valid|consistent|verified)\b|\b(?:this|the) (?:output|response|observation|prediction|answer|result) (?:is|follows|matches|reflects|accurately|perfectly|faithfully)\b.{0,60}\b(?:accurate|correct|consistent|realistic|faithful|real|schema|format|expected)/i;

const findAssistant: Check = (text, { known }) => {
  const head = text.slice(0, HEAD_CHARS);
  const tail = text.slice(-TAIL_CHARS).trimEnd();
  const found = [
    ...OPENINGS.map((pattern) => pattern.exec(head)),
    ...CLOSINGS.map((pattern) => pattern.exec(tail)),
    PRAISE.exec(text),
  ].find((one) => one !== null && !isKnown(one[0], known));
  if (found === undefined || found === null) return undefined;
  const problem = `the answer talks or praises itself ("${brief(found[0])}"); give only what the environment shows`;
  return { check: 'assistant', problem, finally: 'flag' };
};

const VOCABULARY = [
  /\b(?:reference answers?|ground[ -]truths?|target quer(?:y|ies)|simulation instructions?|(?:language |terminal |tool |search |web |android |desktop )?world model|(?:environment |terminal |tool )?simulators?|simulated (?:environment|output|response|terminal|screen)|(?:hidden|system) (?:prompt|instruction)s?)\b/i,
  /<\/?(?:predicted_observation|think|observation|simulation_instruction)\b/i,
];
/** So many words of the instruction in a row are a quotation. */
const QUOTED_WORDS = 9;

const findVocabulary: Check = (text, { known, instruction }) => {
  for (const pattern of VOCABULARY) {
    for (const match of text.matchAll(new RegExp(pattern.source, 'gi'))) {
      if (isKnown(match[0], known)) continue;
      const problem = `the answer uses a word of the simulation ("${brief(match[0])}"); the agent must not see such words`;
      return { check: 'vocabulary', problem, finally: 'flag' };
    }
  }
  if (instruction === undefined || !quotes(text, { instruction, known })) return undefined;
  return {
    check: 'vocabulary',
    problem: 'the answer quotes its own instruction; leave it out',
    finally: 'flag',
  };
};

function quotes(text: string, by: { readonly instruction: string; readonly known: KnownText }): boolean {
  const words = plainForm(by.instruction).split(' ');
  const plain = plainForm(text);
  for (let at = 0; at + QUOTED_WORDS <= words.length; at++) {
    const piece = words.slice(at, at + QUOTED_WORDS).join(' ');
    if (plain.includes(piece) && !by.known.plain.includes(piece)) return true;
  }
  return false;
}

const AGENT_SPEECH = [
  /^#{1,6}[ \t]*Turn[ \t]+\d+\b/im,
  /^\*\*(?:Action|Current State|User Action|Environment Observation):?\*\*/im,
  /<\|(?:im_start|im_end|user|assistant|eot_id|start_header_id|endoftext)[^|\n]{0,20}\|?>/i,
  /^(?:Human|Assistant):[ \t]*\S/m,
  /^(?:Next|Agent['’]s next|Your next) (?:action|step|call|command)\b.{0,20}:/im,
];

const findAgentSpeech: Check = (text, { known }) => {
  const places = AGENT_SPEECH.map((pattern) => pattern.exec(text)).flatMap((match) =>
    match === null || isKnown(match[0], known) ? [] : [match.index],
  );
  if (places.length === 0) return undefined;
  const cutAt = Math.min(...places);
  const problem =
    'the answer goes on with the next action or turn; the agent acts, the environment only answers';
  return { check: 'answers-for-agent', problem, finally: cutAt === 0 ? 'fail' : 'cut', cutAt };
};

const LOOP_REPEATS = 24;
const LOOP_UNITS = 400;
const LOOP_TAIL = 40_000;

/** The end of the text is one piece, at least {@link LOOP_REPEATS} times and at least {@link LOOP_UNITS} long. */
const findLoop: Check = (text, { known }) => {
  const tail = text.slice(-LOOP_TAIL).trimEnd();
  const period = smallestPeriod(reversedUnits(tail));
  if (period === undefined) return undefined;
  const piece = tail.slice(-period.length);
  if (isKnown(piece.repeat(3), known)) return undefined;
  return {
    check: 'loop',
    problem: `the answer repeats "${brief(piece)}" ${Math.floor(period.covered / period.length)} times at its end`,
    finally: 'flag',
  };
};

function reversedUnits(text: string): string {
  return text.split('').reverse().join('');
}

/** The shortest piece that the text's beginning repeats often enough, by the prefix function of the whole. */
function smallestPeriod(text: string): { readonly length: number; readonly covered: number } | undefined {
  const { length } = text;
  const z = new Int32Array(length);
  let left = 0;
  let right = 0;
  for (let at = 1; at < length; at++) {
    if (at < right) z[at] = Math.min(right - at, z[at - left] as number);
    while (at + (z[at] as number) < length && text[z[at] as number] === text[at + (z[at] as number)]) {
      z[at] = (z[at] as number) + 1;
    }
    if (at + (z[at] as number) > right) {
      left = at;
      right = at + (z[at] as number);
    }
    const covered = at + (z[at] as number);
    // A run of one character is a ruler or padding, unless it is very long.
    const repeats = at < 4 ? LOOP_UNITS * 2 : Math.max(LOOP_REPEATS * at, LOOP_UNITS);
    if (covered >= repeats) return { length: at, covered };
  }
  return undefined;
}

const BROKEN_TAIL = /(?:<\/?[a-z_]{2,30}|<\|[a-z_]{1,20}|\{\{\s*fact:[^{}]{0,80})$/i;
const TAGS = [OBSERVATION_TAG, 'think', 'tool_call', 'tool_response'];

const SCREENS: ReadonlySet<string> = new Set(['android', 'web', 'os']);

const findMidTag: Check = (text, { known, domain }) => {
  const tail = text.trimEnd();
  const piece = BROKEN_TAIL.exec(tail.slice(-120))?.[0] ?? '';
  const name = piece.replace(/^<\/?/, '').toLowerCase();
  const isTag =
    SCREENS.has(domain) ||
    !piece.startsWith('<') ||
    piece.startsWith('<|') ||
    TAGS.some((tag) => tag.startsWith(name));
  if (piece === '' || !isTag || isKnown(piece, known)) return undefined;
  const cutAt = tail.length - piece.length;
  return {
    check: 'mid-tag',
    problem: `the answer ends in the middle of "${brief(piece)}"`,
    finally: cutAt === 0 ? 'fail' : 'cut',
    cutAt,
  };
};

function isKnown(piece: string, known: KnownText): boolean {
  return known.plain.includes(plainForm(piece));
}

function brief(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
