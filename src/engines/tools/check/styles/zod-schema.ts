/**
 * A JSON Schema as the zod schema that a server's author wrote to get it, so that zod itself words the complaints.
 *
 * The way back from `zod-to-json-schema` (zod 3) and `z.toJSONSchema` (zod 4): optional where not required, nullable
 * for a union with null, strict where no further properties are allowed. Patterns run on re2 (linear time), and zod
 * generates no code (`jitless`). What zod has no word for (`not`, `if`, `patternProperties`, `uniqueItems`) passes as
 * anything here; the schema itself has been checked before, and the caller has a sentence for what zod lets through.
 */
import { RE2JS } from 're2js';
import { z as zod4 } from 'zod';
import { z as zod3 } from 'zod/v3';
import { isJsonObject, type Json, type JsonObject } from '../../../../core/index.js';
import { own } from '../../store/store.js';
import { resolvePointer } from '../check-compile.js';

type Zod = typeof zod4;
type Schema = zod4.ZodType;

/** A complaint of zod, as both versions give it. */
export interface ZodIssue {
  readonly code: string;
  readonly message: string;
  readonly path: readonly (string | number)[];
}

/** Checks a value; null where zod has nothing to complain of. */
export type ZodCheck = (
  value: Json,
) => { readonly issues: readonly ZodIssue[]; readonly message: string } | null;

/** The zod check of a schema, in the words of zod 3 or 4. */
export function zodCheck(schema: JsonObject, version: 3 | 4): ZodCheck {
  const library = version === 4 ? zod4 : (zod3 as unknown as Zod);
  const made = new Conversion(library, schema, false).object(schema);
  let strict: Schema | undefined;
  return (value) => {
    // an object takes no notice of further properties unless it is strict, and the SDKs make none that is; only where
    // there is nothing else to say is it asked as a strict one
    const loose = made.safeParse(value, { jitless: true });
    strict ??= new Conversion(library, schema, true).object(schema);
    const result = loose.success ? strict.safeParse(value, { jitless: true }) : loose;
    if (result.success) return null;
    const issues = result.error.issues as readonly ZodIssue[];
    const told = version === 3 ? unionsLast(issues) : issues;
    return { issues: told, message: JSON.stringify(told, null, 2) };
  };
}

/** The SDKs parse asynchronously, and there zod 3 tells of unions after everything else. */
function unionsLast(issues: readonly ZodIssue[]): readonly ZodIssue[] {
  const isUnion = ({ code }: ZodIssue): boolean => code === 'invalid_union';
  return [...issues.filter((issue) => !isUnion(issue)), ...issues.filter(isUnion)];
}

const NO_TYPE = 'any';

class Conversion {
  private readonly named = new Map<string, Schema>();

  constructor(
    private readonly z: Zod,
    private readonly root: JsonObject,
    private readonly isStrict: boolean,
  ) {}

  /** An object schema; the root of a tool's arguments is one whatever it says. */
  object(schema: JsonObject): Schema {
    const { z } = this;
    const properties = own(schema, 'properties');
    const required = own(schema, 'required');
    const needed = new Set(Array.isArray(required) ? (required as readonly Json[]) : []);
    const open = own(schema, 'additionalProperties');
    if (!isJsonObject(properties) && isJsonObject(open) && Object.keys(open).length > 0)
      return z.record(z.string(), this.any(open)) as unknown as Schema;
    const shape = Object.fromEntries(
      Object.entries(isJsonObject(properties) ? properties : {}).map(([name, part]): [string, Schema] => {
        const made = this.any(part);
        return [name, needed.has(name) ? made : (made.optional() as unknown as Schema)];
      }),
    );
    const plain = z.object(shape);
    if (open === false) return (this.isStrict ? plain.strict() : plain) as unknown as Schema;
    if (isJsonObject(open) && Object.keys(open).length > 0)
      return plain.catchall(this.any(open)) as unknown as Schema;
    return plain.passthrough() as unknown as Schema;
  }

  /** Any schema. */
  private any(part: Json): Schema {
    const { z } = this;
    if (part === false) return z.never() as unknown as Schema;
    if (!isJsonObject(part)) return z.any() as unknown as Schema;
    const reference = own(part, '$ref');
    if (typeof reference === 'string') return this.referred(reference);
    const values = own(part, 'enum');
    if (Array.isArray(values)) return this.choice(values as readonly Json[]);
    if (Object.hasOwn(part, 'const')) return this.literal(part.const as Json);
    const branches = own(part, 'anyOf') ?? own(part, 'oneOf');
    if (Array.isArray(branches)) return this.union(branches.map((one: Json) => one));
    const all = own(part, 'allOf');
    if (Array.isArray(all) && all.length > 0) return this.intersection(all as readonly Json[]);
    const type = own(part, 'type');
    if (Array.isArray(type)) return this.union(type.map((one: Json) => ({ ...part, type: one })));
    return this.typed(part, typeof type === 'string' ? type : guessedType(part));
  }

  private referred(reference: string): Schema {
    const known = this.named.get(reference);
    if (known !== undefined) return known;
    const target = resolvePointer(this.root, reference);
    let made: Schema | undefined;
    const lazy = this.z.lazy(() => {
      made ??= target === undefined ? (this.z.any() as unknown as Schema) : this.any(target);
      return made;
    }) as unknown as Schema;
    this.named.set(reference, lazy);
    return lazy;
  }

  private choice(values: readonly Json[]): Schema {
    const rest = values.filter((value) => value !== null);
    const texts = rest.filter((value) => typeof value === 'string');
    const made =
      texts.length === rest.length && texts.length > 0
        ? (this.z.enum(texts as [string, ...string[]]) as unknown as Schema)
        : this.union(rest.map((value) => ({ const: value })));
    return rest.length < values.length ? (made.nullable() as unknown as Schema) : made;
  }

  private literal(value: Json): Schema {
    if (typeof value === 'object' && value !== null) return this.z.any() as unknown as Schema;
    return this.z.literal(value) as unknown as Schema;
  }

  private union(parts: readonly Json[]): Schema {
    const rest = parts.filter((part) => !(isJsonObject(part) && own(part, 'type') === 'null'));
    const made = rest.map((part) => this.any(part));
    const [first, second] = made;
    if (first === undefined) return this.z.null() as unknown as Schema;
    const together =
      second === undefined ? first : (this.z.union(made as [Schema, Schema]) as unknown as Schema);
    return rest.length < parts.length ? (together.nullable() as unknown as Schema) : together;
  }

  private intersection(parts: readonly Json[]): Schema {
    const made = parts.map((part) => this.any(part));
    return made.reduce((left, right) => this.z.intersection(left, right) as unknown as Schema);
  }

  private typed(part: JsonObject, type: string): Schema {
    const { z } = this;
    switch (type) {
      case 'string':
        return this.text(part);
      case 'integer':
        return this.number(part, z.number().int());
      case 'number':
        return this.number(part, z.number());
      case 'boolean':
        return z.boolean() as unknown as Schema;
      case 'null':
        return z.null() as unknown as Schema;
      case 'array':
        return this.list(part);
      case 'object':
        return this.object(part);
      default:
        return z.any() as unknown as Schema;
    }
  }

  private text(part: JsonObject): Schema {
    let made = this.z.string();
    const format = own(part, 'format');
    if (format === 'email') made = made.email();
    if (format === 'uri') made = made.url();
    if (format === 'uuid') made = made.uuid();
    if (format === 'date-time') made = made.datetime({ offset: true });
    if (format === 'date') made = made.date();
    const [low, high] = [own(part, 'minLength'), own(part, 'maxLength')];
    if (typeof low === 'number') made = made.min(low);
    if (typeof high === 'number') made = made.max(high);
    const pattern = own(part, 'pattern');
    const known = ['email', 'uri', 'uuid', 'date-time', 'date'].includes(String(format));
    if (typeof pattern === 'string' && !known) made = made.regex(linearPattern(pattern));
    return made as unknown as Schema;
  }

  private number(part: JsonObject, start: zod4.ZodNumber): Schema {
    let made = start;
    const bound = (name: string, apply: (at: number) => zod4.ZodNumber): void => {
      const at = own(part, name);
      // the bounds of safe integers are what zod 4 writes for every integer
      if (typeof at === 'number' && Math.abs(at) !== Number.MAX_SAFE_INTEGER) made = apply(at);
    };
    bound('minimum', (at) => made.min(at));
    bound('maximum', (at) => made.max(at));
    bound('exclusiveMinimum', (at) => made.gt(at));
    bound('exclusiveMaximum', (at) => made.lt(at));
    bound('multipleOf', (at) => made.multipleOf(at));
    return made as unknown as Schema;
  }

  private list(part: JsonObject): Schema {
    const { z } = this;
    let made = z.array(this.any(own(part, 'items') ?? true));
    const [low, high] = [own(part, 'minItems'), own(part, 'maxItems')];
    if (typeof low === 'number') made = made.min(low);
    if (typeof high === 'number') made = made.max(high);
    return made as unknown as Schema;
  }
}

/** The type that a schema without one speaks of. */
function guessedType(part: JsonObject): string {
  return Object.hasOwn(part, 'properties') ? 'object' : NO_TYPE;
}

/** A pattern in the form zod asks for: tested in linear time, shown as it was written. */
function linearPattern(source: string): RegExp {
  const shown = `/${source.replaceAll('/', '\\/').replaceAll('\\\\/', '\\/')}/`;
  const test = (): ((text: string) => boolean) => {
    try {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
      return (text) => compiled.test(text);
    } catch {
      return () => true;
    }
  };
  return { lastIndex: 0, test: test(), toString: () => shown, source } as unknown as RegExp;
}
