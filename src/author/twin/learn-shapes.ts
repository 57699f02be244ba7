/**
 * Learns the shape of each tool's answers: text layout, JSON text, structured part, several forms.
 *
 * Examples are the recorded answers of calls that went well, each with what the engine found out in the same state,
 * the rows replaced by the recorded ones (so that ids and times agree). Examples that one form explains are one form;
 * a condition is looked for that tells forms apart. What no rule explains is an invention and is told.
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';
import type { ServiceModel, ShapeSpec } from '../../engines/index.js';
import { type Example, explains, literal, placesOf, ruleValue, type Scope, TIES } from './examples.js';
import { jsonOf } from './learn-entities.js';
import { withShownTimes } from './learn-files.js';
import { learnParts, templateOf } from './learn-text.js';
import { learnValue } from './learn-value.js';
import type { LearnedCall } from './learned-state.js';
import type { NestedNames } from './nested-names.js';
import type { RecordedWords } from './recorded-words.js';
import { rowKey } from './rows-of-view.js';
import { looksFailed } from './soft-failures.js';

type Form = NonNullable<ShapeSpec['answers']>[number];

/** What was learned of one tool. */
export interface LearnedShape {
  readonly answers: readonly Form[];
  /** Examples whose answer the shape gives exactly, of all. */
  readonly explained: number;
  readonly examples: number;
  readonly inventions: readonly string[];
}

interface Sample {
  readonly learned: LearnedCall;
  readonly scope: Scope;
}

/** Examples that are learned from at most; more say little. */
const SAMPLES = 60;
const FORMS = 4;

/** The shape of one tool, out of all its calls; null where there is nothing to learn. */
export function learnShape(
  model: ServiceModel,
  calls: readonly LearnedCall[],
  words: RecordedWords,
): LearnedShape | null {
  // A failure that is told without a mark is worded like one that has it: see `learn-errors.ts`.
  const good = calls.filter(
    ({ call, trial }) =>
      !call.isError && call.content === undefined && !(looksFailed(call) && trial.failure !== null),
  );
  const samples = good.slice(0, SAMPLES).flatMap((learned): Sample[] => {
    const scope = scopeOf(model, learned, words.names);
    return scope === null ? [] : [{ learned, scope }];
  });
  if (samples.length === 0) return null;
  const forms: { form: Form; covers: Sample[]; inventions: readonly string[] }[] = [];
  let rest: readonly Sample[] = samples;
  for (let tries = 0; rest.length > 0 && forms.length < FORMS && tries < SAMPLES; tries++) {
    const found = widestForm(rest);
    if (found === null) break;
    if (!byHeart(found.form, words)) forms.push(found);
    rest = rest.filter((sample) => !found.covers.includes(sample));
  }
  if (forms.length === 0 || (isUnknown(calls) && !isFunction(forms, samples))) return null;
  const ordered = withConditions(forms, words);
  return {
    answers: ordered,
    explained: new Set(forms.flatMap(({ covers }) => covers)).size,
    examples: samples.length,
    inventions: forms.flatMap(({ inventions }) => inventions),
  };
}

function isUnknown(calls: readonly LearnedCall[]): boolean {
  return calls.every(({ plan }) => plan === undefined || plan.op === 'unknown');
}

/**
 * What nobody knows how to compute is computed by its shape alone only if the answers surely are a function of the
 * arguments: one form explains several different calls and uses what they gave.
 */
function isFunction(forms: readonly Found[], samples: readonly Sample[]): boolean {
  const [only] = forms;
  if (only === undefined || forms.length > 1 || only.inventions.length > 0) return false;
  const different = new Set(samples.map(({ learned }) => renderJson(learned.call.args)));
  const source = [only.form.returns, only.form.text, only.form.json?.of].join(' ');
  return only.covers.length === samples.length && different.size >= 2 && /\bargs\b/.test(source);
}

/** What the shape's rules see, with the recorded rows in the place of the engine's. */
function scopeOf(
  model: ServiceModel,
  { call, trial, plan, before, after }: LearnedCall,
  names: NestedNames | undefined,
): Scope | null {
  if (plan === undefined || plan.op === 'unknown') return { args: call.args, result: { op: 'none' } };
  if (trial.outcome.status === 'refused') return null;
  const clock = new Date(call.atMs ?? 0).toISOString();
  // Files have no ids that only the recording knows: what the engine found out is what there was.
  if (plan.file !== undefined && trial.scope !== null)
    return { ...withShownTimes(trial.scope as unknown as JsonObject, call.text), clock };
  if (trial.scope === null) {
    const result = { op: 'none', total: 0, message: '' };
    return trial.failure === null ? null : { args: call.args, result, clock };
  }
  const recorded = new RecordedRows(model, plan.collection, { before, after });
  const replaced = replaceRows(trial.scope as unknown as Json, recorded);
  const scope = { ...(replaced as JsonObject), clock };
  if (plan.override === undefined || names === undefined) return scope;
  const data = Object.fromEntries(
    [...after].map(([name, rows]): [string, Json] => [name, [...rows.values()]]),
  );
  return { ...scope, state: { data }, [TIES]: names as unknown as Json };
}

class RecordedRows {
  private readonly added: JsonObject[];

  constructor(
    private readonly model: ServiceModel,
    private readonly collection: string | undefined,
    private readonly states: Pick<LearnedCall, 'before' | 'after'>,
  ) {
    const before = states.before.get(collection ?? '');
    this.added = [...(states.after.get(collection ?? '') ?? [])].flatMap(([key, row]) =>
      before?.has(key) === true ? [] : [row],
    );
  }

  /** The recorded row that an engine's row stands for, its members in the engine's order. */
  for(row: JsonObject): JsonObject | undefined {
    for (const collection of Object.values(this.model.collections)) {
      if (!collection.key.every((name) => Object.hasOwn(row, name))) continue;
      const key = rowKey(collection, row);
      const known =
        this.states.after.get(collection.name)?.get(key) ?? this.states.before.get(collection.name)?.get(key);
      if (known !== undefined && Object.keys(known).length >= Object.keys(row).length / 2)
        return inOrder(row, known);
      if (collection.name !== this.collection) continue;
      const made = this.added.find((one) => sharedValues(one, row) >= 1);
      if (made === undefined) continue;
      this.added.splice(this.added.indexOf(made), 1);
      return inOrder(row, made);
    }
    return undefined;
  }
}

function sharedValues(a: JsonObject, b: JsonObject): number {
  return Object.keys(a).filter(
    (name) => Object.hasOwn(b, name) && renderJson(a[name] ?? null) === renderJson(b[name] ?? null),
  ).length;
}

/** The members that the engine has, in its order, with the recorded values; then what only the recording has. */
function inOrder(row: JsonObject, known: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(row), ...Object.keys(known)])];
  return Object.fromEntries(
    names.map((name) => [name, (Object.hasOwn(known, name) ? known[name] : row[name]) ?? null]),
  );
}

function replaceRows(value: Json, rows: RecordedRows, name = ''): Json {
  if (name === 'args') return value;
  if (Array.isArray(value)) return value.map((item: Json) => replaceRows(item, rows));
  if (!isJsonObject(value)) return value;
  const known = rows.for(value);
  if (known !== undefined) return known;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaceRows(part, rows, key)]));
}

/** True if a form writes out what only this recording holds. */
function byHeart(form: Form, words: RecordedWords): boolean {
  const sources = [form.returns, form.text, form.json?.of];
  return sources.some((source) => source !== undefined && words.isIn(source));
}

interface Found {
  readonly form: Form;
  readonly covers: Sample[];
  readonly inventions: readonly string[];
}

/** The form that explains most of the samples, preferably all; without inventions before with. */
function widestForm(samples: readonly Sample[]): Found | null {
  const whole = formOf(samples);
  if (whole !== null && whole.inventions.length === 0) return { ...whole, covers: [...samples] };
  let best: Found | null = whole === null ? null : { ...whole, covers: [...samples] };
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const key = outline(sample);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  const candidates = [...groups.values()].sort((a, b) => b.length - a.length);
  for (const group of candidates.length > 1 ? candidates : []) {
    const found = formOf(group);
    if (found === null) continue;
    const covers = samples.filter((sample) => group.includes(sample) || gives(found.form, sample));
    if (best === null || (found.inventions.length === 0 && best.inventions.length > 0))
      best = { ...found, covers };
  }
  if (best !== null) return best;
  // Not even like answers have a form in common: each stands for itself.
  for (const sample of samples) {
    const found = formOf([sample]);
    if (found !== null)
      return { ...found, covers: samples.filter((one) => one === sample || gives(found.form, one)) };
  }
  return null;
}

/** What answers of one form have in common at first sight: the layout, the members, the first words. */
function outline({ learned: { call, trial } }: Sample): string {
  const value = call.value ?? jsonOf(call.text);
  const failed = trial.failure === null ? '' : 'failed ';
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(
      ([name, part]) => `${name}:${typeof part}${Array.isArray(part) && part.length === 0 ? '0' : ''}`,
    );
    return `${failed}{${members.join(',')}`;
  }
  if (Array.isArray(value)) return `${failed}[${value.length === 0 ? '0' : ''}`;
  return `${failed}${call.text
    .replace(/[^\p{L}\s].*/su, '')
    .split(/\s+/)
    .slice(0, 3)
    .join(' ')}`;
}

function formOf(samples: readonly Sample[]): Pick<Found, 'form' | 'inventions'> | null {
  const repeats = repeatingMember(samples);
  const values = samples.map(({ scope, learned: { call } }): Example | null =>
    call.value === undefined ? null : { scope, wanted: call.value },
  );
  const isStructured = values.every((one): one is Example => one !== null);
  const structured =
    repeats === undefined
      ? isStructured
        ? learnValue(values)
        : null
      : { source: `{${JSON.stringify(repeats)}: text}`, inventions: [] };
  if (structured === null && values.some((one) => one !== null)) return null;
  const returns = structured === null ? {} : { returns: structured.source };
  const inventions = structured?.inventions ?? [];
  const json = jsonForm(samples, structured?.source);
  if (json !== null)
    return honest({ ...returns, json: json.layout }, [...new Set([...inventions, ...json.inventions])]);
  const texts = samples.map(
    ({ scope, learned: { call } }): Example<string> => ({ scope, wanted: call.text }),
  );
  const parts = learnParts(texts);
  if (parts === null) return null;
  const isCopy =
    parts.every((part) => typeof part === 'string') && samples.length === 1 && readsNumbers(samples);
  return honest({ ...returns, text: templateOf(parts) }, isCopy ? [...inventions, 'the whole'] : inventions);
}

/** A reading tool that told numbers once: nothing says that it tells them again. */
function readsNumbers(samples: readonly Sample[]): boolean {
  return samples.every(({ learned: { call, plan } }) => {
    const isRead =
      plan === undefined || ['get', 'list', 'search', 'count', 'dump', 'unknown'].includes(plan.op);
    return isRead && /\d/.test(call.text);
  });
}

/** The only member of every structured part, where it holds the whole text. */
function repeatingMember(samples: readonly Sample[]): string | undefined {
  const names = samples.map(({ learned: { call } }) => {
    const [member, ...more] = isJsonObject(call.value) ? Object.entries(call.value) : [];
    return member !== undefined && more.length === 0 && member[1] === call.text ? member[0] : undefined;
  });
  const [first] = names;
  return names.every((name) => name === first) ? first : undefined;
}

/** A form that holds copies says so of all its words. */
function honest(form: Form, inventions: readonly string[]): Pick<Found, 'form' | 'inventions'> {
  return { form: inventions.length === 0 ? form : { ...form, generated: true }, inventions };
}

/** The text is JSON: of the structured part, or of a value with a rule of its own. */
function jsonForm(
  samples: readonly Sample[],
  returns: string | undefined,
): { readonly layout: NonNullable<Form['json']>; readonly inventions: readonly string[] } | null {
  const examples = samples.flatMap(({ scope, learned: { call } }): Example[] => {
    const value = jsonOf(call.text);
    return value === undefined || typeof value !== 'object' || value === null
      ? []
      : [{ scope, wanted: value }];
  });
  if (examples.length !== samples.length) return null;
  const layout = layoutOf(samples.map(({ learned }) => learned.call.text));
  if (layout === null) return null;
  const isSame = samples.every(
    ({ learned: { call } }) =>
      call.value !== undefined && renderJson(call.value) === renderJson(jsonOf(call.text) ?? null),
  );
  if (returns !== undefined && isSame) return { layout, inventions: [] };
  const rule = learnValue(examples);
  return rule === null ? null : { layout: { of: rule.source, ...layout }, inventions: rule.inventions };
}

function layoutOf(texts: readonly string[]): { readonly indent: number; readonly spaced?: boolean } | null {
  const layouts = [
    { indent: 2 },
    { indent: 0 },
    { indent: 4 },
    { indent: 0, spaced: true },
    { indent: 1 },
    { indent: 3 },
  ];
  return (
    layouts.find((layout) => texts.every((text) => render(jsonOf(text) ?? null, layout) === text)) ?? null
  );
}

function render(value: Json, layout: { readonly indent: number; readonly spaced?: boolean }): string {
  if (layout.spaced !== true) return renderJson(value, layout.indent);
  if (Array.isArray(value)) return `[${value.map((item: Json) => render(item, layout)).join(', ')}]`;
  if (!isJsonObject(value)) return renderJson(value);
  return `{${Object.entries(value)
    .map(([name, part]) => `${renderJson(name)}: ${render(part, layout)}`)
    .join(', ')}}`;
}

/** True if a form gives a sample's answer exactly. */
function gives(form: Form, { scope, learned: { call } }: Sample): boolean {
  if (form.when !== undefined && ruleValue(form.when, scope) !== true) return false;
  if (
    form.returns !== undefined &&
    (call.value === undefined ||
      !explains(form.returns, [{ scope: { ...scope, text: call.text }, wanted: call.value }]))
  )
    return false;
  if (form.text !== undefined) return ruleValue(templateRule(form.text), scope) === call.text;
  const of = form.json?.of ?? form.returns;
  const wanted = jsonOf(call.text);
  return of !== undefined && wanted !== undefined && explains(of, [{ scope, wanted }]);
}

/** A template as a rule that gives its text. */
function templateRule(template: string): string {
  const terms: string[] = [];
  let text = '';
  for (let at = 0; at < template.length; at++) {
    const char = template[at] ?? '';
    if ((char === '{' || char === '}') && template[at + 1] === char) {
      text += char;
      at++;
    } else if (char === '{') {
      const end = endOfRule(template, at + 1);
      terms.push(JSON.stringify(text), `string(${template.slice(at + 1, end)})`);
      text = '';
      at = end;
    } else text += char;
  }
  return [...terms, JSON.stringify(text)].join(' + ');
}

function endOfRule(template: string, from: number): number {
  let depth = 0;
  for (let at = from; at < template.length; at++) {
    const char = template[at];
    if (char === '"') {
      for (at++; at < template.length && template[at] !== '"'; at++) if (template[at] === '\\') at++;
    } else if (char === '{') depth++;
    else if (char === '}' && depth-- === 0) return at;
  }
  return template.length;
}

/** Forms in an order in which the first that holds is the right one: those with a condition first. */
function withConditions(forms: readonly Found[], words: RecordedWords): Form[] {
  if (forms.length === 1) return forms.map(({ form }) => form);
  const made = forms.map((found) => {
    const others = forms.filter((one) => one !== found).flatMap(({ covers }) => covers);
    const isWrong = others.some((sample) => evaluates(found.form, sample));
    const when = isWrong ? conditionFor(found.covers, others, words) : undefined;
    return {
      form: when === undefined ? found.form : { when, ...found.form },
      hasCondition: when !== undefined,
      isWrong: isWrong && when === undefined,
      covers: found.covers.length,
    };
  });
  // Of forms that nothing tells apart the one that explains most stands; the others would be given wrongly.
  const most = Math.max(...made.map(({ isWrong, covers }) => (isWrong ? covers : 0)));
  const kept = made.filter(({ isWrong, covers }) => !isWrong || covers === most);
  return [
    ...kept.filter(({ hasCondition }) => hasCondition),
    ...kept.filter(({ hasCondition }) => !hasCondition),
  ].map(({ form }) => form);
}

/** True if a form gives some answer for a sample, right or wrong. */
function evaluates(form: Form, sample: Sample): boolean {
  const scope = { ...sample.scope, text: sample.learned.call.text };
  const sources = [
    form.returns,
    form.json?.of,
    form.text === undefined ? undefined : templateRule(form.text),
  ];
  return sources.every((source) => source === undefined || ruleValue(source, scope) !== undefined);
}

/** A condition that holds for some samples and for none of the others. */
function conditionFor(
  mine: readonly Sample[],
  others: readonly Sample[],
  words: RecordedWords,
): string | undefined {
  const [first] = mine;
  if (first === undefined) return undefined;
  const candidates = placesOf(first.scope).flatMap(({ source, value }): string[] => {
    if (source === 'result.message' || source === 'clock') return [];
    if (typeof value === 'boolean') return [value ? source : `${source} == false`];
    if (source.startsWith('size(') || typeof value === 'number')
      return value === 0 ? [`${source} == 0`] : [`${source} > 0`, `${source} == ${literal(value)}`];
    if (typeof value === 'string')
      return [`${source} == ${literal(value)}`, ...(source.includes('.') ? [`has(${source})`] : [])];
    return source.includes('.') ? [`has(${source})`] : [];
  });
  const lacking = [
    ...new Set(others.flatMap(({ scope }) => placesOf(scope).map(({ source }) => source))),
  ].flatMap((source) => (/^args\.\w+$/.test(source) ? [`!has(${source})`] : []));
  const holds = (source: string, { scope }: Sample): boolean => ruleValue(source, scope) === true;
  const isApart = (source: string) =>
    mine.every((one) => holds(source, one)) && !others.some((one) => holds(source, one));
  const named = 'result.op == "none"';
  // How much there is says more than what somebody once asked for.
  const byHeart = (source: string): boolean => / == "/.test(source) && /\bargs\b/.test(source);
  const general = [...candidates.filter((one) => !byHeart(one)), ...lacking];
  const told = [named, ...general, ...candidates.filter(byHeart)];
  // A row's id, time or text is that row's own; only a word may be a state.
  const isOwn = (source: string): boolean =>
    /^(?:rows?|result)\b.* == "/.test(source) &&
    (!/ == "[A-Za-z][A-Za-z _-]{0,19}"$/.test(source) || words.isIn(source));
  return told.find((source) => !isOwn(source) && isApart(source));
}
