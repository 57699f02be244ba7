/**
 * Formats that are known and not imported: told by name, so that none is taken for something else.
 *
 * The idea: traces of observability tools hold chat messages somewhere inside, so an importer of chat messages would find
 * some of them, without the answers of the tools, and call that the file. Such a file is refused with its name instead.
 * Adding an importer for one takes its entry away from here. Not covered: files that are no JSON.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';

/** One of them. */
interface ForeignFormat {
  /** What the file is, for a message. */
  readonly about: string;
  readonly recognises: (value: JsonObject) => boolean;
}

const OBSERVATIONS = /^(?:SPAN|GENERATION|EVENT|TOOL|AGENT|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/;
const SESSION_IDS = /^(?:ses|msg|prt)_/;

function objects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isObservation(value: JsonObject): boolean {
  const hasTrace = isText(value.traceId) || isText(value.trace_id);
  return hasTrace && isText(value.type) && OBSERVATIONS.test(value.type);
}

function isLangfuse(value: JsonObject): boolean {
  if (isObservation(value) || objects(value.observations).some(isObservation)) return true;
  if (isJsonObject(value.trace) && Array.isArray(value.observations)) return true;
  return objects(value.batch).some(
    ({ type, body }) =>
      isText(type) &&
      /^(?:trace|span|generation|event|observation)-(?:create|update)$/.test(type) &&
      isJsonObject(body),
  );
}

function isRun(value: JsonObject): boolean {
  const hasPlace = isText(value.dotted_order) || isText(value.trace_id) || Array.isArray(value.child_runs);
  return hasPlace && (isText(value.run_type) || isText(value.dotted_order));
}

function isLangSmith(value: JsonObject): boolean {
  const lists = [value.post, value.patch, value.runs];
  if (isRun(value) || lists.some((list) => objects(list).some(isRun))) return true;
  const isSent = isText(value.url) && /\/runs\/(?:batch|multipart)$/.test(value.url);
  return isSent || (isJsonObject(value.body) && isLangSmith(value.body));
}

/** Spans as objects of a tracer: ids beside or below, a name and attributes. */
function isSpan(value: JsonObject): boolean {
  const context = [value, value.context, value.spanContext, value._spanContext].find(
    (one) => isJsonObject(one) && (isText(one.traceId) || isText(one.trace_id)),
  );
  if (!isJsonObject(context) || !(isText(context.spanId) || isText(context.span_id))) return false;
  const { attributes } = value;
  return isText(value.name) && (isJsonObject(attributes) || Array.isArray(attributes));
}

function isOtlp(value: JsonObject): boolean {
  const names = ['resourceSpans', 'resourceLogs', 'resource_spans', 'resource_logs', 'scopeSpans'];
  return names.some((name) => Array.isArray(value[name])) || isSpan(value);
}

/** Looks for a name of an attribute near the top of a trace; bounded. */
function mentions(value: Json, name: string): boolean {
  let left = 20_000;
  const look = (one: Json, depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > 12) return false;
    if (typeof one === 'string') return one === name;
    if (Array.isArray(one)) return one.some((item: Json) => look(item, depth + 1));
    if (!isJsonObject(one)) return false;
    return Object.entries(one).some(([key, item]) => key === name || look(item, depth + 1));
  };
  return look(value, 0);
}

function isOpenCode(value: JsonObject): boolean {
  const { sessionID: session, info, messages, id } = value;
  if (isText(session) && SESSION_IDS.test(session)) return true;
  if (isText(id) && /^ses_/.test(id) && isText(value.projectID)) return true;
  const isExport = isJsonObject(info) && isText(info.id) && SESSION_IDS.test(info.id);
  return isExport && objects(messages).every((one) => isJsonObject(one.info) && Array.isArray(one.parts));
}

function isShareGpt(value: JsonObject): boolean {
  const lists = [value.conversations, value.conversation, value.messages].map(objects);
  return lists.some((list) => list.some((one) => isText(one.from) && 'value' in one) || hasValueParts(list));
}

/** Messages whose parts have `value` where OpenAI's have a field of the type's name. */
function hasValueParts(messages: readonly JsonObject[]): boolean {
  return messages.some(({ role, content }) => {
    const parts = objects(content);
    return isText(role) && parts.length > 0 && parts.every((part) => isText(part.type) && 'value' in part);
  });
}

function isToolBench(value: JsonObject): boolean {
  if (isJsonObject(value.answer_generation) && ('tree' in value || 'trys' in value)) return true;
  const [first] = Object.values(value);
  return isJsonObject(first) && isJsonObject(first.answer) && 'answer_details' in first.answer;
}

function isHar(value: JsonObject): boolean {
  return isJsonObject(value.log) && isText(value.log.version) && Array.isArray(value.log.entries);
}

function isMind2Web(value: JsonObject): boolean {
  if (isText(value.annotation_id) && Array.isArray(value.action_reprs)) return true;
  return Array.isArray(value.action_history) && 'final_result_response' in value;
}

const FOREIGN: readonly ForeignFormat[] = [
  { about: 'a Langfuse trace', recognises: isLangfuse },
  { about: 'runs of LangSmith', recognises: isLangSmith },
  {
    about: 'spans of OpenInference (OpenTelemetry)',
    recognises: (value) => isOtlp(value) && mentions(value, 'openinference.span.kind'),
  },
  { about: 'spans or logs of OpenTelemetry', recognises: isOtlp },
  { about: 'a session of OpenCode', recognises: isOpenCode },
  { about: 'an HTTP archive (HAR)', recognises: isHar },
  { about: 'a ShareGPT data set', recognises: isShareGpt },
  { about: 'an answer of ToolBench', recognises: isToolBench },
  { about: 'a Mind2Web task', recognises: isMind2Web },
  {
    about: 'the steps of an OSWorld run',
    recognises: ({ step_num: step, action_timestamp: at }) => step !== undefined && at !== undefined,
  },
];

/** What a value is that no importer reads, in words; undefined where it is none of these. */
export function foreignFormat(value: Json): string | undefined {
  if (Array.isArray(value)) {
    const first = (value as readonly Json[]).find((one) => isJsonObject(one));
    return first === undefined ? undefined : foreignFormat(first);
  }
  if (!isJsonObject(value)) return undefined;
  return FOREIGN.find(({ recognises }) => recognises(value))?.about;
}
