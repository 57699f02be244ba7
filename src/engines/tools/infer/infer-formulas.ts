/**
 * Arguments whose value is a small program (a formula, a query language, a structured filter): a call that gives one
 * asks something that rows alone do not answer, the same tool without it does.
 *
 * Such arguments are taken out of a plan's filters and kept under `unless`.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../core/index.js';
import type { Plan } from '../service.js';
import { own } from './infer-schema.js';
import { splitWords } from './words.js';

const PROGRAMS = new Set([
  'formula',
  'jql',
  'cql',
  'soql',
  'sosl',
  'kql',
  'wiql',
  'odata',
  'lucene',
  'gql',
  'jmespath',
  'jsonpath',
  'clause',
]);
const STRUCTURED = new Set(['filter', 'filters', 'where', 'sorts', 'criteria', 'conditions', 'predicate']);
const READS: ReadonlySet<Plan['op']> = new Set(['list', 'search', 'count']);

/** The plan, with the arguments that make it unknown when they are given. */
export function withFormulas(plan: Plan, inputSchema: JsonObject): Plan {
  if (plan.cases !== undefined) {
    const plans = Object.entries(plan.cases.plans).map(([name, one]) => [
      name,
      withFormulas(one, inputSchema),
    ]);
    return { ...plan, cases: { ...plan.cases, plans: Object.fromEntries(plans) } };
  }
  const properties = own(inputSchema, 'properties');
  if (!READS.has(plan.op) || !isJsonObject(properties)) return plan;
  const unless = Object.entries(properties)
    .filter(([name, schema]) => isProgram(name, schema))
    .map(([name]) => name);
  if (unless.length === 0) return plan;
  const keep = (map: Readonly<Record<string, string>> | undefined): Record<string, string> =>
    Object.fromEntries(Object.entries(map ?? {}).filter(([name]) => !unless.includes(name)));
  const { query, ...rest } = plan;
  return {
    ...rest,
    ...(query === undefined || unless.includes(query) ? {} : { query }),
    ...(plan.filters === undefined ? {} : { filters: keep(plan.filters) }),
    unless,
  };
}

function isProgram(name: string, schema: Json): boolean {
  const words = splitWords(name);
  if (words.some((word) => PROGRAMS.has(word))) return true;
  if (!STRUCTURED.has(words.join(' ')) || !isJsonObject(schema)) return false;
  const type = own(schema, 'type');
  const items = own(schema, 'items');
  // an object of known properties is a set of filters by name; an open one is a language
  const isOpen = type === 'object' && !isJsonObject(own(schema, 'properties'));
  return isOpen || (type === 'array' && isJsonObject(items) && own(items, 'type') === 'object');
}
