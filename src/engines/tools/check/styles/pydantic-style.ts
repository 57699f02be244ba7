/**
 * Complaints as pydantic v2 prints them, for tools whose arguments are a Python function's.
 *
 * A walk through schema and value in the order in which pydantic visits the fields. Where pydantic would take a value
 * that JSON Schema does not allow (`"5"` for an integer) the words are those for a value that it cannot take.
 * Source: behaviour of pydantic 2.13, recorded in `test/fixtures/validation`. Not covered: names of union members
 * beyond the plain types, tuples, and messages of custom validators.
 */
import { isJsonObject, type Json, type JsonObject } from '../../../../core/index.js';
import { compilePattern } from '../../../../rules/index.js';
import { own } from '../../store/store.js';
import { resolvePointer } from '../check-compile.js';
import { pythonRepr, pythonType } from './python-text.js';

/** The pydantic whose words these are; it stands in the links. */
const VERSION = '2.13';
/** Complaints told; a caller learns nothing from the hundredth. */
const MOST = 50;

interface Complaint {
  readonly at: readonly string[];
  readonly type: string;
  readonly message: string;
  readonly input: Json;
}

/** How a function or model words what is missing or too much. */
export interface PydanticWords {
  /** What the arguments are, for example `addArguments` or `call[add]`. */
  readonly title: string;
  /** The arguments are those of a call, not fields of a model. */
  readonly isCall: boolean;
}

/** The whole text of a validation error; undefined where pydantic has nothing to complain of. */
export function pydanticMessage(
  schema: JsonObject,
  args: JsonObject,
  words: PydanticWords,
): string | undefined {
  const walk = new Walk(schema, words);
  walk.object(schema, args, []);
  const { found } = walk;
  if (found.length === 0) return undefined;
  const head = `${found.length} validation error${found.length === 1 ? '' : 's'} for ${words.title}`;
  const told = found.map(({ at, type, message, input }) =>
    [
      at.join('.'),
      `  ${message} [type=${type}, input_value=${cut(pythonRepr(input))}, input_type=${pythonType(input)}]`,
      `    For further information visit https://errors.pydantic.dev/${VERSION}/v/${type}`,
    ].join('\n'),
  );
  return [head, ...told].join('\n');
}

/** Long values keep their first and last 25 and 24 characters. */
function cut(text: string): string {
  const chars = [...text];
  return chars.length <= 50 ? text : `${chars.slice(0, 25).join('')}...${chars.slice(-24).join('')}`;
}

class Walk {
  readonly found: Complaint[] = [];
  private depth = 0;

  constructor(
    private readonly root: JsonObject,
    private readonly words: PydanticWords,
  ) {}

  object(schema: JsonObject, value: JsonObject, at: readonly string[]): void {
    const properties = own(schema, 'properties');
    const known = isJsonObject(properties) ? properties : {};
    const required = own(schema, 'required');
    const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
    const call = this.words.isCall && at.length === 0;
    for (const [name, part] of Object.entries(known)) {
      const has = own(value, name);
      if (has !== undefined) this.any(part, has, [...at, name]);
      else if (needed.has(name) && call)
        this.say([...at, name], ['missing_argument', 'Missing required argument'], value);
      else if (needed.has(name)) this.say([...at, name], ['missing', 'Field required'], value);
    }
    const open = own(schema, 'additionalProperties');
    for (const [name, extra] of Object.entries(value)) {
      if (Object.hasOwn(known, name)) continue;
      if (isJsonObject(open)) this.any(open, extra, [...at, name]);
      else if (open === false && call)
        this.say([...at, name], ['unexpected_keyword_argument', 'Unexpected keyword argument'], extra);
      else if (open === false)
        this.say([...at, name], ['extra_forbidden', 'Extra inputs are not permitted'], extra);
    }
  }

  private say(at: readonly string[], [type, message]: readonly [string, string], input: Json): void {
    if (this.found.length < MOST) this.found.push({ at, type, message, input });
  }

  private any(part: Json, value: Json, at: readonly string[]): void {
    if (!isJsonObject(part) || this.depth > 50) return;
    this.depth += 1;
    this.one(part, value, at);
    this.depth -= 1;
  }

  private one(part: JsonObject, value: Json, at: readonly string[]): void {
    const reference = own(part, '$ref');
    if (typeof reference === 'string') {
      this.any(resolvePointer(this.root, reference) ?? true, value, at);
      return;
    }
    const values = own(part, 'enum') ?? (Object.hasOwn(part, 'const') ? [part.const as Json] : undefined);
    if (Array.isArray(values)) {
      this.choice(values as readonly Json[], value, at);
      return;
    }
    const type = own(part, 'type');
    const branches =
      own(part, 'anyOf') ??
      own(part, 'oneOf') ??
      (Array.isArray(type) ? type.map((one: Json) => ({ ...part, type: one })) : undefined);
    if (Array.isArray(branches)) this.union(branches as readonly Json[], value, at);
    else this.typed(part, value, at);
  }

  private choice(values: readonly Json[], value: Json, at: readonly string[]): void {
    if (values.some((one) => one === value)) return;
    const shown = values.map((one) => pythonRepr(one));
    const last = shown.pop() ?? '';
    const list = shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
    this.say(at, ['literal_error', `Input should be ${list}`], value);
  }

  private union(branches: readonly Json[], value: Json, at: readonly string[]): void {
    const rest = branches.filter((one) => !(isJsonObject(one) && own(one, 'type') === 'null'));
    if (rest.length < branches.length && value === null) return;
    const [only] = rest;
    if (rest.length === 1 && only !== undefined) {
      this.any(only, value, at);
      return;
    }
    const start = this.found.length;
    for (const branch of rest) {
      const before = this.found.length;
      this.any(branch, value, [...at, this.label(branch)]);
      if (this.found.length > before) continue;
      this.found.length = start;
      return;
    }
  }

  /** How pydantic calls a member of a union. */
  private label(branch: Json): string {
    if (!isJsonObject(branch)) return 'any';
    const reference = own(branch, '$ref');
    if (typeof reference === 'string') return reference.split('/').at(-1) ?? 'any';
    const values = own(branch, 'enum');
    if (Array.isArray(values)) return `literal[${values.map((one: Json) => pythonRepr(one)).join(',')}]`;
    const type = own(branch, 'type');
    if (type === 'array') return `list[${this.label(own(branch, 'items') ?? true)}]`;
    if (type === 'object') return 'dict[str,any]';
    return LABELS[String(type)] ?? 'any';
  }

  private typed(part: JsonObject, value: Json, at: readonly string[]): void {
    const type = own(part, 'type') ?? (Object.hasOwn(part, 'properties') ? 'object' : undefined);
    switch (type) {
      case 'string':
        if (typeof value === 'string') this.text(part, value, at);
        else this.say(at, ['string_type', 'Input should be a valid string'], value);
        break;
      case 'integer':
      case 'number':
        this.number(part, value, { at, isWhole: type === 'integer' });
        break;
      case 'boolean':
        this.truth(value, at);
        break;
      case 'null':
        if (value !== null) this.say(at, ['none_required', 'Input should be None'], value);
        break;
      case 'array':
        this.list(part, value, at);
        break;
      case 'object':
        if (isJsonObject(value)) this.object(part, value, at);
        else this.noObject(part, value, at);
        break;
      default:
    }
  }

  private noObject(part: JsonObject, value: Json, at: readonly string[]): void {
    const title = own(part, 'title');
    if (typeof title === 'string' && Object.hasOwn(part, 'properties'))
      this.say(at, ['model_type', `Input should be a valid dictionary or instance of ${title}`], value);
    else this.say(at, ['dict_type', 'Input should be a valid dictionary'], value);
  }

  private text(part: JsonObject, value: string, at: readonly string[]): void {
    const length = [...value].length;
    const [low, high, pattern] = ['minLength', 'maxLength', 'pattern'].map((name) => own(part, name));
    const chars = (count: number): string => `${count} character${count === 1 ? '' : 's'}`;
    if (typeof low === 'number' && length < low)
      this.say(at, ['string_too_short', `String should have at least ${chars(low)}`], value);
    else if (typeof high === 'number' && length > high)
      this.say(at, ['string_too_long', `String should have at most ${chars(high)}`], value);
    else if (typeof pattern === 'string' && !matches(pattern, value))
      this.say(at, ['string_pattern_mismatch', `String should match pattern '${pattern}'`], value);
  }

  private number(
    part: JsonObject,
    value: Json,
    how: { readonly at: readonly string[]; readonly isWhole: boolean },
  ): void {
    const { at, isWhole } = how;
    const [name, what] = isWhole ? ['int', 'integer'] : ['float', 'number'];
    if (typeof value === 'string') {
      const message = `Input should be a valid ${what}, unable to parse string as ${isWhole ? 'an' : 'a'} ${what}`;
      this.say(at, [`${name}_parsing`, message], value);
    } else if (typeof value !== 'number' && typeof value !== 'bigint') {
      this.say(at, [`${name}_type`, `Input should be a valid ${what}`], value);
    } else if (isWhole && typeof value === 'number' && !Number.isInteger(value)) {
      this.say(
        at,
        ['int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
        value,
      );
    } else this.bounds(part, value, at);
  }

  private bounds(part: JsonObject, value: number | bigint, at: readonly string[]): void {
    for (const [keyword, type, words, fits] of BOUNDS) {
      const bound = own(part, keyword);
      if (typeof bound !== 'number' || fits(Number(value), bound)) continue;
      this.say(at, [type, `Input should be ${words} ${pythonRepr(bound)}`], value);
      return;
    }
  }

  private truth(value: Json, at: readonly string[]): void {
    if (typeof value === 'boolean') return;
    if (typeof value === 'string' || typeof value === 'number')
      this.say(at, ['bool_parsing', 'Input should be a valid boolean, unable to interpret input'], value);
    else this.say(at, ['bool_type', 'Input should be a valid boolean'], value);
  }

  private list(part: JsonObject, value: Json, at: readonly string[]): void {
    if (!Array.isArray(value)) {
      this.say(at, ['list_type', 'Input should be a valid list'], value);
      return;
    }
    const items = value as readonly Json[];
    const [low, high] = [own(part, 'minItems'), own(part, 'maxItems')];
    const counted = (type: string, bound: string, count: number): void => {
      const many = `${count} item${count === 1 ? '' : 's'}`;
      const message = `List should have ${bound} ${many} after validation, not ${items.length}`;
      this.say(at, [type, message], value);
    };
    if (typeof high === 'number' && items.length > high) {
      counted('too_long', 'at most', high);
      return;
    }
    const before = this.found.length;
    for (const [index, item] of items.entries())
      this.any(own(part, 'items') ?? true, item, [...at, String(index)]);
    if (this.found.length === before && typeof low === 'number' && items.length < low)
      counted('too_short', 'at least', low);
  }
}

const LABELS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'none',
};

const BOUNDS: readonly (readonly [string, string, string, (value: number, bound: number) => boolean])[] = [
  ['multipleOf', 'multiple_of', 'a multiple of', (value, bound) => Number.isInteger(value / bound)],
  ['maximum', 'less_than_equal', 'less than or equal to', (value, bound) => value <= bound],
  ['exclusiveMaximum', 'less_than', 'less than', (value, bound) => value < bound],
  ['minimum', 'greater_than_equal', 'greater than or equal to', (value, bound) => value >= bound],
  ['exclusiveMinimum', 'greater_than', 'greater than', (value, bound) => value > bound],
];

/** Whether a text holds a pattern; one that cannot be compiled is taken as held. */
function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  return !compiled.ok || compiled.value.test(text);
}
