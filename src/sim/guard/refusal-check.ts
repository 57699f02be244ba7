/**
 * Does the model refuse, apologise, or say that it cannot do its part?
 *
 * Refusals stand at the beginning. A sentence whose subject is "I" counts with many verbs; without a subject, or with "we",
 * only where the verb belongs to simulating: "Unable to process the request" is what services say. Straight and typographic
 * apostrophes are the same. English first, openings also in German, French, Spanish and Chinese. Not covered: other languages.
 */
import { isKnown, type SpeechCheck } from './spoken-piece.js';

const HEAD_CHARS = 400;

const APOSTROPHES = /[\u2018\u2019\u02bc\u00b4\u0060\uff07\u2032]/g;

/** What one does who answers as an assistant. */
const SERVES =
  /(?:assist|help|comply|fulfill?|provide|generate|simulate|predict|emulate|continue|produce|role-?play|pretend|do (?:that|this|so)|answer|respond|execute|run|perform|complete|act as)/;
/** What only a simulator does. */
const SIMULATES =
  /(?:simulate|predict|emulate|role-?play|comply|assist|help (?:you )?with (?:that|this)|fulfill? (?:this|that|your)|(?:provide|generate|produce|give) (?:(?:a|an|the|any|this|that) )?(?:\w+ )?(?:observation|prediction|simulation)s?)/;
const CANNOT = /(?:can(?:no|')?t|can not|could(?: not|n't)|won't|will not|must decline|decline|refuse)/;
const UNABLE =
  /(?:currently |simply |just |really )?(?:unable|not (?:currently )?able|not (?:allowed|permitted|equipped|capable|going|designed))/;

const REFUSALS: readonly RegExp[] = [
  /^\W*(?:i'?m|i am) (?:very |really |so )?(?:sorry|afraid)[,.;:!]?\s*(?:but|that|,|i\b|as\b|this)/i,
  /^\W*(?:sorry|apologies|unfortunately)[,.;:!]? (?:but )?(?:i|we|as an)\b/i,
  new RegExp(`^\\W*i(?: ${CANNOT.source}|(?: am|'?m) ${UNABLE.source})\\b.{0,80}?\\b${SERVES.source}`, 'is'),
  new RegExp(
    `^\\W*(?:(?:we|this model|the model) )?(?:${CANNOT.source}|(?:(?:am|are|is) )?${UNABLE.source})\\s+(?:to )?${SIMULATES.source}\\b`,
    'i',
  ),
  /\bi(?: (?:can(?:no|')?t|can not|won't|will not)|(?: am|'m) (?:unable|not able) to) (?:simulate|predict|emulate|role-?play)\b/i,
  /\bas an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b/i,
  /\bi (?:do not|don't) have (?:access to|the ability to)\b/i,
  /^\W*(?:es tut mir leid|tut mir leid|entschuldigung),? (?:aber )?ich\b/i,
  /^\W*ich kann (?:das|dies\w*|dabei|hierbei|ihnen)\b.{0,60}\bnicht\b/i,
  /^\W*(?:je suis désolée?|désolée?),? (?:mais )?je\b/i,
  /^\W*je ne (?:peux|suis) pas (?:en mesure )?(?:de )?(?:simuler|prédire|répondre|fournir|aider)/i,
  /^\W*(?:lo siento,? (?:pero )?(?:no puedo|como)\b|no puedo (?:simular|predecir|ayudar|responder|proporcionar))/i,
  /^\W*(?:很)?(?:抱歉|对不起)[，,]?\s*(?:我|作为|但)/,
  /^\W*我(?:无法|不能)(?:模拟|预测|提供|协助|回答)/,
];

/** A refusal at the beginning. */
export const findRefusal: SpeechCheck = (text, { known }) => {
  const head = text.slice(0, HEAD_CHARS);
  // One unit for one unit, so places in it are places in the text.
  const straight = head.replace(APOSTROPHES, "'");
  const match = REFUSALS.map((pattern) => pattern.exec(straight)).find((one) => one !== null);
  if (match === undefined || match === null) return undefined;
  if (isKnown(head.slice(match.index, match.index + match[0].length), known)) return undefined;
  const problem =
    'the answer refuses or apologises; an environment does neither, it answers what it would answer';
  return { check: 'refusal', problem, finally: 'fail' };
};
