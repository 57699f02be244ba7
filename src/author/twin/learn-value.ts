/**
 * Learns the rule for a JSON value from examples: a place in the scope, an object of learned members, a list that runs
 * through another list, a text of learned parts, a constant.
 *
 * What no rule explains is kept as it was in the first example and told as an invention: its form is right, its value is
 * a copy. Not covered: members that come and go (such answers become several forms).
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { type Example, explains, listsOf, literal, placesOf, type Scope, withName } from './examples.js';
import { expressionOf, learnParts } from './learn-text.js';

/** A learned rule. */
export interface LearnedRule {
  readonly source: string;
  /** Places of the answer that no rule explains. */
  readonly inventions: readonly string[];
}

const VARIABLES = ['r', 's', 't'];

/** The rule for the examples; null where they have no common form. */
export function learnValue(examples: readonly Example[], at = '', depth = 0): LearnedRule | null {
  const [first] = examples;
  if (first === undefined || depth > 8) return null;
  const { wanted } = first;
  const isObject = isJsonObject(wanted);
  const place = placeFor(examples, at);
  // Arguments that happen to look like the whole answer say less than its members do.
  const isPicked = typeof wanted === 'string' && place?.startsWith('rows[0]') === true;
  if (place !== undefined && !isPicked && !(isObject && place.startsWith('args')))
    return { source: place, inventions: [] };
  if (Array.isArray(wanted)) return listRule(examples, at, depth);
  if (isObject) {
    const made = objectRule(examples, at, depth);
    const isWhole = made !== null && made.inventions.length === 0;
    return isWhole || place === undefined ? made : { source: place, inventions: [] };
  }
  if (typeof wanted === 'string' && examples.every((one) => typeof one.wanted === 'string')) {
    const parts = learnParts(examples as readonly Example<string>[]);
    if (parts?.some((part) => typeof part !== 'string')) {
      return { source: expressionOf(parts), inventions: [] };
    }
  }
  if (isPicked && place !== undefined) return { source: place, inventions: [] };
  const constant = literal(wanted);
  if (explains(constant, examples)) return { source: constant, inventions: [] };
  const isScalar = examples.every((one) => typeof one.wanted !== 'object' || one.wanted === null);
  return isScalar ? { source: constant, inventions: [at === '' ? 'the whole' : at] } : null;
}

/** Words that count something. */
const COUNTS = /count|total|size|length|number|num|found|deleted|updated|created|added/i;

function placeFor(examples: readonly Example[], at: string): string | undefined {
  const [first] = examples;
  if (first === undefined) return undefined;
  const { wanted } = first;
  const isPlain = wanted === null || typeof wanted === 'boolean' || wanted === '' || isEmpty(wanted);
  const varies = !explains(literal(wanted), examples);
  // A constant yes, no, null or nothing says nothing about where it came from, unless a place has its very name.
  const name = at.split('.').at(-1) ?? '';
  const places = placesOf(first.scope).filter((place) => {
    const own = place.source.split('.').at(-1) ?? '';
    const isCount = place.source.startsWith('size(') || place.source === 'result.total';
    if (isCount && !varies && !COUNTS.test(name)) return false;
    if (!varies && isPlain) return own === name || (Array.isArray(wanted) && place.source === 'rows');
    if (!varies && examples.length === 1 && typeof wanted === 'number' && wanted < 10)
      return own === name || isCount;
    return place.source !== 'result.op' && place.source !== 'result.message';
  });
  const rank = (source: string): number =>
    placeRank(source, { name, isContainer: typeof wanted === 'object' });
  const named = [...places].sort((a, b) => rank(a.source) - rank(b.source));
  return named.find(({ source }) => explains(source, examples))?.source;
}

/** Less is better: the same name first, no single items of lists, and lists out of the state before arguments. */
function placeRank(source: string, of: { readonly name: string; readonly isContainer: boolean }): number {
  const named = of.name !== '' && source.endsWith(`.${of.name}`) ? 0 : 1;
  const picks = source.includes('[0]') ? 4 : 0;
  return named + picks + (of.isContainer && source.startsWith('args') ? 2 : 0);
}

function isEmpty(value: Json): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function objectRule(examples: readonly Example[], at: string, depth: number): LearnedRule | null {
  const objects = examples.map(({ wanted }) => wanted);
  if (!objects.every(isJsonObject)) return null;
  const names = Object.keys(objects[0] ?? {});
  const same = objects.every((object) => Object.keys(object as JsonObject).join('\n') === names.join('\n'));
  if (!same) return null;
  const inventions: string[] = [];
  const members: string[] = [];
  for (const name of names) {
    const parts = examples.map(
      ({ scope, wanted }): Example => ({ scope, wanted: (wanted as JsonObject)[name] ?? null }),
    );
    const rule = learnValue(parts, at === '' ? name : `${at}.${name}`, depth + 1);
    if (rule === null) return null;
    members.push(`${JSON.stringify(name)}: ${rule.source}`);
    inventions.push(...rule.inventions);
  }
  return { source: `{${members.join(', ')}}`, inventions };
}

function listRule(examples: readonly Example[], at: string, depth: number): LearnedRule | null {
  if (!examples.every(({ wanted }) => Array.isArray(wanted))) return null;
  const variable = VARIABLES.find((name) => examples.every(({ scope }) => scope[name] === undefined));
  const [fullest] = [...examples].sort((a, b) => lengthOf(b.wanted) - lengthOf(a.wanted));
  if (variable === undefined || fullest === undefined) return null;
  const found: { readonly source: string; readonly cost: number }[] = [];
  for (const list of listsOf(fullest.scope)) {
    const items = itemsOf(examples, list.source);
    if (items === null || items.length === 0) continue;
    const rule = learnValue(
      items.map(({ scope, item, wanted }): Example => ({ scope: withName(scope, variable, item), wanted })),
      at,
      depth + 1,
    );
    // A list of copies explains nothing; another list may.
    if (rule === null || rule.inventions.length > 0 || !usesVariable(rule.source, variable)) continue;
    const source = `${list.source}.map(${variable}, ${rule.source})`;
    if (explains(source, examples)) found.push({ source, cost: ruleCost(source) });
  }
  const [best] = found.sort((a, b) => a.cost - b.cost);
  // Words of the example itself in every item are no rule for other items.
  if (best !== undefined && best.cost < FOREIGN_WORDS) return { source: best.source, inventions: [] };
  return fixedList(examples, at, depth);
}

const FOREIGN_WORDS = 100;

/** How little a rule says: single items picked from lists, arguments in the place of rows, texts of its own. */
function ruleCost(source: string): number {
  const picks = source.split('[0]').length - 1;
  const literals = source.match(/: "(?:[^"\\]|\\.)*"(?=[,}])/g) ?? [];
  const foreign = literals.filter((text) => text.length > 5).length;
  return picks * 4 + (source.startsWith('args') ? 1 : 0) + foreign * FOREIGN_WORDS;
}

/** A list that always has the same number of things, each with a rule of its own. */
function fixedList(examples: readonly Example[], at: string, depth: number): LearnedRule | null {
  const length = lengthOf(examples[0]?.wanted ?? []);
  if (length > 20 || !examples.every(({ wanted }) => lengthOf(wanted) === length)) return null;
  const rules: LearnedRule[] = [];
  for (let index = 0; index < length; index++) {
    const parts = examples.map(
      ({ scope, wanted }): Example => ({ scope, wanted: (wanted as readonly Json[])[index] ?? null }),
    );
    const rule = learnValue(parts, `${at}[${index}]`, depth + 1);
    if (rule === null) return null;
    rules.push(rule);
  }
  return {
    source: `[${rules.map(({ source }) => source).join(', ')}]`,
    inventions: rules.flatMap(({ inventions }) => inventions),
  };
}

function usesVariable(source: string, variable: string): boolean {
  return new RegExp(`\\b${variable}\\b`).test(source);
}

function lengthOf(value: Json): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The items of a list beside what is wanted for each; null where the lengths differ. */
function itemsOf(
  examples: readonly Example[],
  source: string,
): readonly { readonly scope: Scope; readonly item: Json; readonly wanted: Json }[] | null {
  const all: { scope: Scope; item: Json; wanted: Json }[] = [];
  for (const { scope, wanted } of examples) {
    const list = listsOf(scope).find((one) => one.source === source)?.value;
    const wants = wanted as readonly Json[];
    if (list === undefined || list.length !== wants.length) return null;
    for (const [index, item] of list.entries()) all.push({ scope, item, wanted: wants[index] ?? null });
  }
  return all;
}
