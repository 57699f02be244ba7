/**
 * Where each value inside an answer came from: a side table from JSON objects to the origins of their members.
 *
 * Stored rows and the objects an answer is built from are registered here; the renderer looks each object up when
 * it meets it. The table is weak and holds nothing that changes what is answered, only how it is marked. An object
 * that nobody registered inherits the origin of what holds it.
 */
import type { Json, JsonObject, Origin } from '../../core/index.js';
import type { RowOrigins } from './service.js';

const ORIGINS_OF = new WeakMap<object, RowOrigins>();

/** Remembers the origins of the members of an object. */
export function registerOrigins(object: JsonObject, origins: RowOrigins): void {
  ORIGINS_OF.set(object, origins);
}

/** The origins of the members of an object, where it is known. */
export function originsOf(object: object): RowOrigins | undefined {
  return ORIGINS_OF.get(object);
}

/** The origin of one member of an object; `fallback` where the object is not known. */
export function originOfField(object: object, field: string, fallback: Origin): Origin {
  const origins = ORIGINS_OF.get(object);
  if (origins === undefined) return fallback;
  const fields = origins.fields;
  return fields !== undefined && Object.hasOwn(fields, field)
    ? (fields[field] ?? origins.base)
    : origins.base;
}

/** Builds an object member by member, each with its origin, and registers it. */
export class TracedObject {
  private readonly members = new Map<string, Json>();
  private readonly origins = new Map<string, Origin>();

  /** Sets a member; default origin `computed`. Returns the builder. */
  set(name: string, value: Json, origin: Origin = 'computed'): this {
    this.members.set(name, value);
    this.origins.set(name, origin);
    return this;
  }

  /** True if the member is there. */
  has(name: string): boolean {
    return this.members.has(name);
  }

  /** The object. */
  done(): JsonObject {
    const object = Object.fromEntries(this.members);
    const fields = [...this.origins].filter(([, origin]) => origin !== 'computed');
    registerOrigins(object, {
      base: 'computed',
      ...(fields.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
    });
    return object;
  }
}
