/**
 * Checks the key `expand`: its rules and templates compile and use names that exist, what it speaks of is there.
 *
 * A value under `is` must stand in the file, else it would be exchanged nowhere and a child would be wrong without
 * anybody seeing it. Not covered: whether children are good; that is seen when they are made.
 */
import { isJsonObject, type Json } from '../core/index.js';
import { compileRule, compileTemplate } from '../rules/index.js';
import type { CheckContext, Placed } from './check-context.js';
import { checkPermission } from './check-expressions.js';
import type { PathPart } from './world-problem.js';

/** Names that every rule of `expand` may use. */
const ALWAYS = ['goals', 'difficulty', 'clock', 'shift_days'];
/** Names that oracle steps may use besides. */
const AT_RUN_TIME = ['state', 'result', 'steps'];
const MAKER_RULES = ['variant', 'money', 'long_date', 'count'];

/** Runs the checks. */
export function checkExpand(context: CheckContext): void {
  const root: PathPart[] = ['expand'];
  if (!isJsonObject(context.at(root))) return;
  const levels = context.members([...root, 'difficulty']);
  const own = [
    ...namesAt(context, [...root, 'params']),
    ...levels.flatMap(({ path }) => namesAt(context, [...path, 'params'])),
  ];
  const names = [...ALWAYS, ...own];
  const text = textsOf(context);
  const check = new ExpandCheck(context, names, text);
  check.params([...root, 'params']);
  check.environment(root);
  for (const item of context.items([...root, 'wordings'])) check.template([...item.path, 'text']);
  for (const item of context.items([...root, 'permissions'])) {
    check.template([...item.path, 'task']);
    for (const entry of context.items([...item.path, 'add'])) checkPermission(context, entry.path);
  }
  const known = new Set([
    'full',
    ...context.items([...root, 'wordings']).flatMap((item) => context.text([...item.path, 'level']) ?? []),
  ]);
  for (const level of levels) {
    check.params([...level.path, 'params']);
    for (const hint of context.items([...level.path, 'hints'])) check.template(hint.path);
    for (const item of context.items([...level.path, 'wordings'])) {
      if (typeof item.value === 'string' && !known.has(item.value))
        context.unknownName(item.path, item.value, { noun: 'level of wordings', known: [...known] });
    }
  }
  checkGoals(context, { root, names, text });
}

function checkGoals(
  context: CheckContext,
  { root, names, text }: { root: readonly PathPart[]; names: readonly string[]; text: string },
): void {
  const goals = context.items([...root, 'goals']);
  const ids = goals.map((goal) => context.text([...goal.path, 'id']) ?? '');
  for (const [index, goal] of goals.entries()) {
    if (ids.indexOf(ids[index] ?? '') !== index)
      context.error([...goal.path, 'id'], `id ${JSON.stringify(ids[index])} is already used by another goal`);
    for (const other of context.items([...goal.path, 'excludes'])) {
      if (typeof other.value === 'string' && !ids.includes(other.value))
        context.unknownName(other.path, other.value, { noun: 'goal', known: ids });
    }
    const check = new ExpandCheck(context, [...names, ...namesAt(context, [...goal.path, 'params'])], text);
    check.params([...goal.path, 'params']);
    check.environment(goal.path);
    check.template([...goal.path, 'task']);
    for (const item of context.items([...goal.path, 'task'])) check.template(item.path);
    for (const item of context.items([...goal.path, 'success']))
      check.rule([...item.path, 'expr'], ['state', 'turns', 'answer', 'start']);
    for (const step of context.items([...goal.path, 'oracle'])) check.step(step);
    for (const script of context.items([...goal.path, 'wrong'])) {
      for (const step of context.items([...script.path, 'actions'])) check.step(step);
    }
  }
}

class ExpandCheck {
  private readonly collections: readonly string[];
  private readonly tools: readonly string[];

  constructor(
    private readonly context: CheckContext,
    private readonly names: readonly string[],
    private readonly text: string,
  ) {
    this.collections = context.members(['state', 'data']).map(({ name }) => name);
    this.tools = context.items(['tools']).flatMap((tool) => context.text([...tool.path, 'name']) ?? []);
  }

  params(path: readonly PathPart[]): void {
    for (const param of this.context.members(path)) {
      this.rule([...param.path, 'value'], ['state']);
      this.rule([...param.path, 'not'], ['state']);
      this.maker([...param.path, 'make'], ['state']);
      if (!isJsonObject(param.value)) continue;
      const { make, value, is } = param.value;
      if (make !== undefined && value !== undefined)
        this.context.error([...param.path, 'value'], 'stands beside `make`; write one of them', {
          atKey: true,
        });
      if (make === undefined && value === undefined && is === undefined)
        this.context.error(param.path, 'has neither `make` nor `value`', { wanted: 'make or value' });
      if (is !== undefined) this.stands(is, [...param.path, 'is']);
    }
  }

  environment(path: readonly PathPart[]): void {
    const { context } = this;
    for (const item of context.items([...path, 'rows'])) {
      this.collection([...item.path, 'into']);
      this.rule([...item.path, 'count'], []);
      this.rule([...item.path, 'like'], ['row']);
      const made = namesAt(context, [...item.path, 'make']);
      for (const maker of context.members([...item.path, 'make']))
        this.maker(maker.path, ['row', 'n', ...made]);
      this.templates([...item.path, 'row'], ['row', 'n', ...made]);
    }
    for (const item of context.items([...path, 'drops'])) {
      this.collection([...item.path, 'from']);
      this.rule([...item.path, 'where'], ['row']);
      this.rule([...item.path, 'count'], []);
      this.rule([...item.path, 'share'], []);
    }
    for (const item of context.items([...path, 'changes'])) {
      this.collection([...item.path, 'in']);
      this.rule([...item.path, 'where'], ['row']);
      this.templates([...item.path, 'set'], ['row']);
    }
    for (const item of context.items([...path, 'renumber'])) this.collection(item.path);
  }

  step({ value, path }: Placed<Json>): void {
    this.templates(path, AT_RUN_TIME);
    if (!isJsonObject(value) || typeof value.name !== 'string' || this.tools.length === 0) return;
    if (!this.tools.includes(value.name))
      this.context.unknownName([...path, 'name'], value.name, { noun: 'tool', known: this.tools });
  }

  template(path: readonly PathPart[], more: readonly string[] = []): void {
    const text = this.context.text(path);
    if (text === undefined || !/[{}]/.test(text)) return;
    const compiled = compileTemplate(text, { names: [...this.names, ...more] });
    if (!compiled.ok) this.context.error(path, compiled.error.message, { wanted: 'a template' });
  }

  rule(path: readonly PathPart[], more: readonly string[]): void {
    const text = this.context.text(path);
    if (text === undefined || text === '') return;
    const compiled = compileRule(text, { names: [...this.names, ...more] });
    if (!compiled.ok) this.context.error(path, compiled.error.message, { wanted: 'a rule' });
  }

  private maker(path: readonly PathPart[], more: readonly string[]): void {
    for (const key of MAKER_RULES) this.rule([...path, key], more);
    this.template([...path, 'template'], more);
  }

  private templates(path: readonly PathPart[], more: readonly string[]): void {
    const value = this.context.at(path);
    if (typeof value === 'string') this.template(path, more);
    else if (Array.isArray(value)) for (const index of value.keys()) this.templates([...path, index], more);
    else if (isJsonObject(value)) for (const key of Object.keys(value)) this.templates([...path, key], more);
  }

  private collection(path: readonly PathPart[]): void {
    const name = this.context.text(path);
    if (name === undefined || this.collections.includes(name)) return;
    this.context.unknownName(path, name, { noun: 'collection with rows', known: this.collections });
  }

  private stands(value: Json, path: readonly PathPart[]): void {
    if (isJsonObject(value)) {
      for (const [key, part] of Object.entries(value)) this.stands(part, [...path, key]);
      return;
    }
    if (Array.isArray(value) || value === null) {
      this.context.error(path, 'cannot be exchanged', {
        wanted: 'a text, a number, true, false or an object',
      });
      return;
    }
    if (typeof value !== 'boolean' && !this.text.includes(String(value)))
      this.context.error(path, 'stands nowhere in this file', { wanted: 'a value of the file' });
  }
}

function namesAt(context: CheckContext, path: readonly PathPart[]): string[] {
  return context.members(path).map(({ name }) => name);
}

/** All scalars of the parts in which values are exchanged. */
function textsOf(context: CheckContext): string {
  const parts: string[] = [];
  const walk = (value: Json | undefined): void => {
    if (Array.isArray(value)) for (const item of value) walk(item as Json);
    else if (isJsonObject(value)) for (const part of Object.values(value)) walk(part);
    else if (value !== undefined && value !== null) parts.push(String(value));
  };
  for (const { name, value } of context.members([]))
    if (!['expand', 'tools', 'entities', 'overrides'].includes(name)) walk(value);
  return parts.join('\n');
}
