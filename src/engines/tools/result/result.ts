/**
 * Shapes what a call found out into the answer an agent sees.
 *
 * With an output schema the answer has a structured part that validates against it, and a text that is the same
 * data as JSON (or the text itself, where the schema is one text property). Without one it is the text only. Errors
 * are one text and nothing structured. Source: Model Context Protocol, server/tools, structured content. A
 * structured part that cannot be made to validate is sent as it is and flagged `output-schema-mismatch`.
 */
import {
  type Answer,
  hashJson,
  isJsonObject,
  type Json,
  type JsonObject,
  type Origin,
  type RandomStream,
  randomStream,
  renderJson,
  type TracedText,
  traced,
} from '../../../core/index.js';
import type { Call } from '../run/run-call.js';
import { errorAnswer } from '../run/run-call.js';
import type { Facts } from '../run/run-facts.js';
import { plainName } from '../run/search.js';
import { keyOf, own } from '../store/store.js';
import { type Fill, SchemaFitter } from './result-fit.js';
import { renderTracedJson } from './result-json.js';
import { naturalValue } from './result-natural.js';
import { originOfField, registerOrigins, TracedObject } from './result-origins.js';
import { givenShape, isFormMadeUp, madeUp } from './result-shape.js';

/** An answer, and what must be said about it. */
export interface Shaped {
  readonly answer: Answer;
  readonly flags: readonly string[];
  /** The schema promises values that nobody knows, and the world allows no filler. */
  readonly lacking: boolean;
}

/** The answer of a call that found out `facts`. */
export function shapeAnswer(call: Call, facts: Facts): Shaped {
  const learned = givenShape(call, facts);
  if (learned !== undefined) return { answer: learned, flags: [], lacking: false };
  const shaped = ownShape(call, facts);
  if (!isFormMadeUp(call)) return shaped;
  return { ...shaped, answer: { ...shaped.answer, text: madeUp(shaped.answer.text) } };
}

/** The engine's own form of an answer. */
function ownShape(call: Call, facts: Facts): Shaped {
  if (
    facts.items !== undefined &&
    facts.items.length > 0 &&
    facts.items.every((item) => item.status !== 'ok')
  ) {
    const answer = { ...errorAnswer(renderJson(naturalValue(facts, call.tool), 2)) };
    return { answer, flags: [], lacking: false };
  }
  return call.tool.outputSchema === undefined
    ? { answer: plainAnswer(call, facts), flags: [], lacking: false }
    : structuredAnswer(call, facts, call.tool.outputSchema);
}

function plainAnswer(call: Call, facts: Facts): Answer {
  const text = facts.text ?? plainText(call, facts);
  const shown = facts.value !== undefined && isJsonObject(facts.value) ? { value: facts.value } : {};
  return { text, isError: false, ...shown, ...contentOf(facts) };
}

function contentOf(facts: Facts): Pick<Answer, 'content'> {
  return facts.content === undefined ? {} : { content: facts.content };
}

/** A single text is sent as it is, everything else as JSON. */
function plainText(call: Call, facts: Facts): TracedText {
  if (typeof facts.value === 'string') return traced(facts.value, 'computed');
  if (facts.only !== undefined && facts.row !== undefined) {
    const value = own(facts.row, facts.only);
    const origin = originOfField(facts.row, facts.only, 'computed');
    return typeof value === 'string'
      ? traced(value, origin)
      : renderTracedJson(value ?? null, originOfField, origin);
  }
  return renderTracedJson(naturalValue(facts, call.tool));
}

function structuredAnswer(call: Call, facts: Facts, schema: JsonObject): Shaped {
  const made = structuredValue(call, facts, schema);
  const text =
    facts.text ?? contentText(call, { facts, schema, value: made.value }) ?? renderTracedJson(made.value);
  const answer = { text, value: made.value, isError: false, ...contentOf(facts) };
  return { answer, flags: made.fits ? [] : ['output-schema-mismatch'], lacking: made.lacking };
}

interface Structured {
  readonly value: Json;
  readonly fits: boolean;
  readonly lacking: boolean;
}

function structuredValue(call: Call, facts: Facts, schema: JsonObject): Structured {
  const natural = (): Json => naturalValue(facts, call.tool);
  const told = oneText(call, facts, schema);
  if (told !== undefined && call.world.checks.outputFits(call.tool, told)) {
    return { value: told, fits: true, lacking: false };
  }
  const { checks, spec, source } = call.world;
  const asIs = facts.value !== undefined || facts.row === undefined;
  if (asIs) {
    const value = natural();
    if (checks.outputFits(call.tool, value)) return { value, fits: true, lacking: false };
  }
  let random: RandomStream | undefined;
  const how = {
    root: schema,
    // Most answers need no filler, and naming its stream costs more than shaping them.
    get random(): RandomStream {
      random ??= randomStream(call.world.seed, 'fill', ...fillKeys(call, facts));
      return random;
    },
    nowMs: call.context.nowMs,
  };
  const fill: Fill = (part, name) => (spec.strict ? undefined : fillMember(call, { part, name }, how));
  const fitter = new SchemaFitter(schema, fill);
  const given = isJsonObject(facts.value) ? { ...facts, row: facts.value } : facts;
  const fitted = fitter.fit({
    facts: given,
    args: call.args,
    get text() {
      return plainText(call, facts).text;
    },
  });
  if (checks.outputFits(call.tool, fitted)) return { value: fitted, fits: true, lacking: false };
  if (spec.strict) return { value: natural(), fits: false, lacking: fitter.filled };
  const sampled = source.sample(schema, { ...how, known: fitted });
  if (sampled === undefined || !checks.outputFits(call.tool, sampled))
    return { value: natural(), fits: false, lacking: false };
  return { value: markFiller(sampled, fitted), fits: true, lacking: false };
}

const TEXT_NAMES = ['content', 'text', 'message', 'output', 'result', 'response'];

/** The answer of a schema that is one text: the text asked for, what was found as JSON, or what was done. */
function oneText(call: Call, facts: Facts, schema: JsonObject): JsonObject | undefined {
  const properties = own(schema, 'properties');
  const [entry, ...others] = isJsonObject(properties) ? Object.entries(properties) : [];
  if (entry === undefined || others.length > 0 || facts.value !== undefined) return undefined;
  const [name, property] = entry;
  if (
    !isJsonObject(property) ||
    own(property, 'type') !== 'string' ||
    !TEXT_NAMES.includes(plainName(name))
  ) {
    return undefined;
  }
  const { row, only } = facts;
  if (row !== undefined && only !== undefined) {
    const value = own(row, only);
    const origin = originOfField(row, only, 'computed');
    return typeof value === 'string' ? new TracedObject().set(name, value, origin).done() : undefined;
  }
  const reads =
    ['get', 'list', 'search', 'count', 'dump', 'clock'].includes(facts.op) || facts.items !== undefined;
  const text = facts.text?.text ?? (reads ? plainText(call, facts).text : facts.message);
  return new TracedObject().set(name, text).done();
}

/** What names the stream of filler: the row, so that a row's filler stays the same in every answer. */
function fillKeys(call: Call, facts: Facts): readonly string[] {
  const { row, collection } = facts;
  if (row !== undefined && collection !== undefined) return [collection.name, keyOf(collection, row)];
  return [call.tool.name, hashJson(call.args)];
}

/** Filler for one member; it is sampled under its name, so that it looks like what it is called. */
function fillMember(
  call: Call,
  of: { readonly part: JsonObject; readonly name: string },
  how: { readonly root: JsonObject; readonly random: RandomStream; readonly nowMs: number },
): Json | undefined {
  const schema = { type: 'object', properties: { [of.name]: of.part }, required: [of.name] };
  const sampled = call.world.source.sample(schema, { ...how, known: {} });
  return isJsonObject(sampled) ? own(sampled, of.name) : undefined;
}

/** A sampled value whose members are filler unless they are what was known. */
function markFiller(sampled: Json, known: JsonObject): Json {
  if (!isJsonObject(sampled)) return sampled;
  const kept = Object.keys(sampled).filter(
    (name) => own(known, name) !== undefined && sampled[name] === known[name],
  );
  const fields = kept.map((name): [string, Origin] => [name, originOfField(known, name, 'computed')]);
  const marked = { ...sampled };
  registerOrigins(marked, { base: 'generated', fields: Object.fromEntries(fields) });
  return marked;
}

/** The one text of a schema that is a single text property, as the text of the answer. */
function contentText(
  call: Call,
  of: { readonly facts: Facts; readonly schema: JsonObject; readonly value: Json },
): TracedText | undefined {
  const { facts, schema, value } = of;
  const properties = own(schema, 'properties');
  if (!isJsonObject(properties) || !isJsonObject(value)) return undefined;
  const [name, ...others] = Object.keys(properties);
  if (name === undefined || others.length > 0) return undefined;
  const text = own(value, name);
  if (typeof text !== 'string' || text === '') return undefined;
  const plain = plainText(call, facts);
  return plain.text === text ? plain : traced(text, originOfField(value, name, 'computed'));
}
