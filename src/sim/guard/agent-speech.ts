/**
 * Does the model go on with the agent's next action or with another turn, behind what the environment answers?
 *
 * Headings of turns, markers of chat templates, calls in the forms in which models write them (tags of Hermes, Qwen, GLM and
 * Llama templates, fences, ReAct's `Action:`), and a bare call as the last line. Not covered: an action in plain words.
 */
import { isJsonObject, parseJson } from '../../core/index.js';
import { isKnown, type SpeechCheck } from './spoken-piece.js';

/** So much behind the sign must be known too, that a known tag does not excuse a new call. */
const REST = '[\\s\\S]{0,60}';

const HEADINGS = [
  /^#{1,6}[ \t]*Turn[ \t]+\d+\b/im,
  /^\*\*(?:Action|Current State|User Action|Environment Observation):?\*\*/im,
  /<[|｜](?:im_start|im_end|user|assistant|eot_id|start_header_id|endoftext|tool_call|python_tag|start|channel|message|call|end_of_turn|tool[_▁]calls?)[^|｜\n]{0,40}[|｜]?>/i,
  /^<(?:start|end)_of_turn>/im,
  /^(?:Human|Assistant):[ \t]*\S/m,
  /^(?:Next|Agent['’]s next|Your next) (?:action|step|call|command)\b.{0,20}:/im,
];

const CALL_KEY =
  '"(?:name|tool|tool_name|function|action|action_type|arguments|parameters|keystrokes|command)"';

const CALLS = [
  // A tag with a call in it, or one that begins a line.
  `<(?:tool_call|tool_calls|function_call|function_calls|tool_use|tool_code)\\b[^<>\\n]{0,60}>\\s{0,40}[{[<]${REST}`,
  `^[ \\t]{0,40}<(?:tool_call|tool_calls|function_call|function_calls|tool_use|tool_code)\\b[^<>\\n]{0,60}>${REST}`,
  `^[ \\t]{0,40}<(?:function|invoke)(?:=|[ \\t]+name=)["']?[\\w.:-]{1,80}["']?>${REST}`,
  `^[ \\t]{0,40}(?:\`\`\`|~~~)[ \\t]{0,8}(?:tool_calls?|function_calls?|tool_code|tool_use|action)\\b${REST}`,
  `^\\[TOOL_CALLS?\\]${REST}`,
  // ReAct: an action with a call, or thought and action.
  `^[ \\t]{0,8}\\**(?:Action|Tool call|Function call|Tool|Call)\\**:\\**\\s{0,8}(?:\`\`\`\\w{0,10}\\s{1,8})?[{[]{1,2}\\s{0,40}${CALL_KEY}${REST}`,
  `^[ \\t]{0,8}\\**Action\\**:\\**[ \\t]{0,8}[a-z_][\\w.]{1,60}[ \\t]?[([]${REST}`,
  `^[ \\t]{0,8}\\**Thought\\**:[^\\n]{1,2000}\\n{1,3}[ \\t]{0,8}\\**Action\\**:${REST}`,
  `^[ \\t]{0,8}\\**Action\\**:[^\\n]{1,200}\\n{1,3}[ \\t]{0,8}\\**Action Input\\**:${REST}`,
].map((source) => new RegExp(source, 'gm'));

/** Where each sign stands first and is not known; a sign that is known so often is known. */
const LOOKS = 50;

function* placesOf(text: string, isKnownPiece: (piece: string) => boolean): Iterable<number> {
  for (const pattern of HEADINGS) {
    const match = pattern.exec(text);
    if (match !== null && !isKnownPiece(match[0])) yield match.index;
  }
  for (const pattern of CALLS) {
    let looks = 0;
    for (const match of text.matchAll(pattern)) {
      looks += 1;
      if (looks > LOOKS) break;
      if (isKnownPiece(match[0])) continue;
      yield match.index;
      break;
    }
  }
  const bare = bareCallAt(text);
  if (bare !== undefined && !isKnownPiece(text.slice(bare))) yield bare;
}

const LONGEST_CALL = 20_000;

/** A last line that is a call and nothing else, with other lines before it. */
function bareCallAt(text: string): number | undefined {
  const whole = text.trimEnd();
  const at = whole.lastIndexOf('\n') + 1;
  const line = whole.slice(at);
  if (at === 0 || line.length > LONGEST_CALL || !line.startsWith('{')) return undefined;
  const json = parseJson(line);
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { name, arguments: args, ...rest } = json.value;
  const isCall = typeof name === 'string' && isJsonObject(args ?? null) && Object.keys(rest).length === 0;
  // Lines of JSON before it are a list of records, of which this is one.
  const isRecord = whole
    .slice(0, at)
    .trimEnd()
    .split('\n')
    .slice(-1)
    .some((before) => before.startsWith('{"name"'));
  return isCall && !isRecord ? at : undefined;
}

/** The next action or turn, from which on the words are no observation. */
export const findAgentSpeech: SpeechCheck = (text, { known }) => {
  const places = [...placesOf(text, (piece) => isKnown(piece, known))];
  if (places.length === 0) return undefined;
  const cutAt = Math.min(...places);
  const problem =
    'the answer goes on with the next action or turn; the agent acts, the environment only answers';
  const isAll = text.slice(0, cutAt).trim() === '';
  return { check: 'answers-for-agent', problem, finally: isAll ? 'fail' : 'cut', cutAt };
};
