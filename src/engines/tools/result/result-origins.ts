/**
 * Where each value inside an answer came from: a hidden mark on JSON objects that tells the origins of their members.
 *
 * Stored rows and the objects an answer is built from are marked; the renderer looks at each object when it meets it.
 * The mark is a symbol that no JSON writer, copy or comparison sees; it changes how an answer is marked, never what
 * is answered. An object without one inherits the origin of what holds it.
 */
import type { Json, JsonObject, Origin } from '../../../core/index.js';
import type { RowOrigins } from '../service.js';

const ORIGINS_OF: unique symbol = Symbol('origins');

type Marked = { readonly [ORIGINS_OF]?: RowOrigins };

/** Remembers the origins of the members of an object, which must not be frozen yet. */
export function registerOrigins(object: JsonObject, origins: RowOrigins): void {
  Object.defineProperty(object, ORIGINS_OF, { value: origins, configurable: true });
}

/** The origin of one member of an object; `fallback` where the object is not known. */
export function originOfField(object: object, field: string, fallback: Origin): Origin {
  const origins = (object as Marked)[ORIGINS_OF];
  if (origins === undefined) return fallback;
  const fields = origins.fields;
  return fields !== undefined && Object.hasOwn(fields, field)
    ? (fields[field] ?? origins.base)
    : origins.base;
}

/** Whether some member of an object may have an origin of a kind; false for an object without a mark. */
export function mayHaveOrigin(object: object, isMeant: (origin: Origin) => boolean): boolean {
  const origins = (object as Marked)[ORIGINS_OF];
  if (origins === undefined) return false;
  return isMeant(origins.base) || Object.values(origins.fields ?? {}).some(isMeant);
}

const COMPUTED: RowOrigins = Object.freeze({ base: 'computed' });

function originsOf(fields: readonly (readonly [string, Origin])[]): RowOrigins {
  return { base: 'computed', fields: Object.fromEntries(fields) };
}

/** Builds an object member by member, each with its origin, and registers it. */
export class TracedObject {
  private readonly members = new Map<string, Json>();
  private readonly origins = new Map<string, Origin>();
  private isComputed = true;

  /** Sets a member; default origin `computed`. Returns the builder. */
  set(name: string, value: Json, origin: Origin = 'computed'): this {
    this.members.set(name, value);
    if (origin !== 'computed') this.isComputed = false;
    this.origins.set(name, origin);
    return this;
  }

  /** True while there is no member. */
  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  /** The object. */
  done(): JsonObject {
    const object = Object.fromEntries(this.members);
    const fields = this.isComputed ? [] : [...this.origins].filter(([, origin]) => origin !== 'computed');
    registerOrigins(object, fields.length === 0 ? COMPUTED : originsOf(fields));
    return object;
  }
}
