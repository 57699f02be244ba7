/**
 * Is a text the environment's own, or does somebody speak who should not: an assistant, a refusing model, the simulator, the
 * agent itself?
 *
 * Phrases are looked for where such speech stands (its beginning, its end, lines of their own) and only where they stand
 * in no text that is known: a file that says "Sure! Here is the output" may be shown. English first; the openings of
 * helpfulness also in German, French, Spanish and Chinese. Refusals, loops and the agent's own actions are looked for in
 * files of their own. Not covered: other languages, speech without such phrases.
 */
import { OBSERVATION_TAG } from '../../core/index.js';
import { findAgentSpeech } from './agent-speech.js';
import type { GuardContext, GuardFinding } from './finding.js';
import type { KnownText } from './known-text.js';
import { findLoop } from './loop-check.js';
import { plainForm } from './plain-forms.js';
import { findRefusal } from './refusal-check.js';
import { brief, isKnown, type SpeechCheck } from './spoken-piece.js';

/** Looks for speech that is no observation. */
export function findSpeech(text: string, context: GuardContext): readonly GuardFinding[] {
  const checks = [findRefusal, findAssistant, findVocabulary, findAgentSpeech, findLoop, findMidTag];
  return checks.flatMap((check) => check(text, context) ?? []);
}

const HEAD_CHARS = 400;
const TAIL_CHARS = 400;

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

const findAssistant: SpeechCheck = (text, { known }) => {
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

const findVocabulary: SpeechCheck = (text, { known, instruction }) => {
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

const BROKEN_TAIL = /(?:<\/?[a-z_]{2,30}|<\|[a-z_]{1,20}|\{\{\s*fact:[^{}]{0,80})$/i;
const TAGS = [OBSERVATION_TAG, 'think', 'tool_call', 'tool_response'];

const SCREENS: ReadonlySet<string> = new Set(['android', 'web', 'os']);

const findMidTag: SpeechCheck = (text, { known, domain }) => {
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
