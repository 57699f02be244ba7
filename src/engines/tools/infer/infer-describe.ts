/**
 * Prints a service model for people: what is kept, and what each tool does and why.
 *
 * One line per field and per tool, in the order of the tools; nothing is hidden, so that a reader can see what was
 * inferred wrongly and correct it in the world file.
 */
import { renderJson } from '../../../core/index.js';
import type { Collection, Field, IdStyle, Paging, Plan, ServiceModel } from '../service.js';

/** The model as text for `world show`: collections with their fields, then tools with their plans. Ends without a line break. */
export function describeService(model: ServiceModel): string {
  const collections = Object.values(model.collections).map(describeCollection);
  const plans = Object.entries(model.plans).map(([tool, plan]) => describePlan(tool, plan, '  '));
  const kept = collections.length === 0 ? ['  nothing'] : collections;
  return ['Keeps', ...kept, '', 'Tools', ...(plans.length === 0 ? ['  none'] : plans)].join('\n');
}

function describeCollection(collection: Collection): string {
  const scope = collection.scope.length === 0 ? '' : `, within ${collection.scope.join(', ')}`;
  const one = collection.singleton === true ? ' (one row)' : '';
  const head = `  ${collection.name}${one}: key ${collection.key.join(', ')} (${describeIds(collection.idStyle)})${scope}`;
  const fields = Object.values(collection.fields).map((field) => `    ${describeField(field)}`);
  return [head, ...fields].join('\n');
}

function describeIds(style: IdStyle): string {
  switch (style.kind) {
    case 'counter':
      return `counted, next ${style.prefix}${String(style.start).padStart(style.width, '0')}`;
    case 'number':
      return `numbers, next ${style.start}`;
    case 'hex':
      return `${style.length} hex digits`;
    case 'token':
      return `${style.prefix}… and ${style.length} characters`;
    default:
      return style.kind === 'uuid' ? 'UUIDs' : 'given by the caller';
  }
}

function describeField(field: Field): string {
  const { type, enum: choices } = field.schema;
  const parts = [
    Array.isArray(choices)
      ? choices.map((choice) => String(choice)).join(' | ')
      : typeof type === 'string'
        ? type
        : 'any',
    ...(field.required ? ['required'] : []),
    ...(field.unique === true ? ['unique'] : []),
    ...(field.refersTo === undefined ? [] : [`of ${field.refersTo}`]),
    ...(field.initial === undefined ? [] : [`starts as ${renderJson(field.initial)}`]),
    ...(field.stamp === undefined ? [] : [`set when ${field.stamp}`]),
    ...(field.computed === undefined ? [] : [`computed: ${field.computed}`]),
  ];
  return `${field.name}: ${parts.join(', ')}`;
}

function describePlan(tool: string, plan: Plan, pad: string): string {
  const cases = Object.entries(plan.cases?.plans ?? {}).map(([value, one]) =>
    describePlan(`${plan.cases?.argument ?? ''} = ${value}`, one, `${pad}  `),
  );
  return [`${pad}${tool}: ${describeAction(plan)}`, ...cases].join('\n');
}

function describeAction(plan: Plan): string {
  const op = plan.cases === undefined ? plan.op : 'one of';
  const target = plan.collection ?? plan.collections?.join(', ');
  const names = (record: Readonly<Record<string, string>> | undefined): string =>
    Object.entries(record ?? {})
      .map(([argument, field]) => (argument === field ? argument : `${argument} → ${field}`))
      .join(', ');
  const parts = [
    ['by', names(plan.key)],
    ['where', names(plan.filters)],
    ['having', plan.where === undefined ? '' : renderJson(plan.where)],
    [
      'between',
      Object.entries(plan.ranges ?? {})
        .map(([name, one]) => `${name} (${one.test} ${one.field})`)
        .join(', '),
    ],
    ['below', plan.under === undefined ? '' : plan.under.argument + (plan.under.deep ? ' at any depth' : '')],
    ['searching', plan.query ?? ''],
    ['writing', names(plan.writes)],
    ['setting', plan.sets === undefined ? '' : renderJson(plan.sets)],
    ['list', plan.listField ?? ''],
    ['only', plan.only ?? ''],
    ['each of', plan.batch === undefined ? '' : `${plan.batch.argument} (${plan.batch.items})`],
    ['on', plan.all === true ? 'all matching rows' : ''],
    ['pages', plan.paging === undefined ? '' : describePaging(plan.paging)],
    [
      'sorted',
      plan.sorting === undefined ? '' : [plan.sorting.by, plan.sorting.direction].filter(Boolean).join(', '),
    ],
    ['once per', plan.idempotencyKey ?? ''],
  ].filter(([, text]) => text !== '');
  const said = parts.map(([word, text]) => `${word} ${text}`).join('; ');
  return `${op}${target === undefined ? '' : ` ${target}`}${said === '' ? '' : ` (${said})`} — ${plan.why}`;
}

function describePaging(paging: Paging): string {
  const by = [paging.at, paging.size].filter((name) => name !== undefined).join(' + ');
  return `${paging.style} (${by}; ${paging.defaultSize}, at most ${paging.maxSize})`;
}
