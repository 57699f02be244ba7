/**
 * What every semantic check of a world file gets: the content and a place to put findings.
 *
 * Checks read the content as it is, also when other parts of it failed the schema; so a reader gets all problems at
 * once. They must therefore look before they touch.
 */
import { isJsonObject, type Json, type JsonObject, nearestName } from '../core/index.js';
import { type Finding, valueAt } from './schema-problems.js';
import { type PathPart, renderSeen } from './world-problem.js';

/** A value with the path it stands at. */
export interface Placed<T> {
  readonly value: T;
  readonly path: readonly PathPart[];
}

/** The content under check. */
export class CheckContext {
  readonly errors: Finding[] = [];
  readonly warnings: Finding[] = [];

  constructor(readonly json: JsonObject) {}

  /** Notes what is wrong with the value at a path. */
  error(path: readonly PathPart[], message: string, more: Partial<Finding> = {}): void {
    const value = valueAt(this.json, path);
    this.errors.push({ path, message, ...(value === undefined ? {} : { seen: renderSeen(value) }), ...more });
  }

  /** Notes what is odd but not wrong. */
  warn(path: readonly PathPart[], message: string): void {
    this.warnings.push({ path, message });
  }

  /** Notes an unknown name with the nearest known one. `what` says what kind of name it is. */
  unknownName(
    path: readonly PathPart[],
    name: string,
    what: { noun: string; known: readonly string[]; atKey?: boolean },
  ): void {
    const nearest = nearestName(name, what.known);
    const hint = nearest === undefined ? '' : `; nearest: ${nearest}`;
    this.error(path, `no ${what.noun} is called ${JSON.stringify(name)}${hint}`, {
      seen: JSON.stringify(name),
      wanted: `the name of a ${what.noun}`,
      ...(nearest !== undefined && { nearest }),
      ...(what.atKey === true && { atKey: true }),
    });
  }

  /** The value at a path, or undefined. */
  at(path: readonly PathPart[]): Json | undefined {
    return valueAt(this.json, path);
  }

  /** The items of the list at a path with their paths; empty where there is no list. */
  items(path: readonly PathPart[]): Placed<Json>[] {
    const list = this.at(path);
    return Array.isArray(list) ? list.map((value: Json, index) => ({ value, path: [...path, index] })) : [];
  }

  /** The members of the object at a path with their names; empty where there is no object. */
  members(path: readonly PathPart[]): (Placed<Json> & { readonly name: string })[] {
    const object = this.at(path);
    if (!isJsonObject(object)) return [];
    return Object.entries(object).map(([name, value]) => ({ name, value, path: [...path, name] }));
  }

  /** The text at a path, or undefined where there is none. */
  text(path: readonly PathPart[]): string | undefined {
    const value = this.at(path);
    return typeof value === 'string' ? value : undefined;
  }
}
