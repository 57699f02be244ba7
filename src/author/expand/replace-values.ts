/**
 * Exchanges values of a seed world for others, everywhere they stand, in one pass.
 *
 * A text is exchanged where it stands as a whole word (neither letters nor digits around it), a number also where a
 * number equals it. Longer texts come first, and what was put in is never looked at again, so parameters cannot
 * disturb each other. In rules only literals count; in the pattern of `matches` the new text is escaped.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import { rewriteRule } from '../../rules/index.js';

/** One value and what takes its place. */
export interface Replacement {
  readonly is: string | number | boolean;
  readonly by: Json;
  /** Places where it counts; undefined is everywhere. */
  readonly in?: readonly string[] | undefined;
}

/** Exchanges values in the parts of a world file. */
export class Replacer {
  private readonly groups = new Map<string, Group>();
  private readonly everywhere: Group | null | undefined;

  constructor(private readonly all: readonly Replacement[]) {
    // without limits no place needs to be known
    if (all.every((one) => one.in === undefined)) this.everywhere = all.length === 0 ? null : new Group(all);
  }

  /** A value that stands at a path, with everything in it exchanged. `named` gives list items their names. */
  json(value: Json, path: readonly string[], name?: string): Json {
    return this.walk(value, name === undefined ? [path] : [path, [...path.slice(0, -1), name]]);
  }

  /** A rule at a path with its literals exchanged; text that is no rule is left alone. */
  rule(source: string, paths: readonly (readonly string[])[]): string {
    const group = this.groupAt(paths);
    if (group === null) return source;
    const result = rewriteRule(source, {
      literal: (value, pattern) => {
        if (typeof value !== 'string') return group.scalar(value);
        const text = group.text(value, pattern);
        return text === value ? undefined : text;
      },
    });
    return result.ok ? result.value : source;
  }

  private walk(value: Json, paths: readonly (readonly string[])[]): Json {
    if (Array.isArray(value)) {
      return value.map((item: Json, index) =>
        this.walk(item, this.extend(paths, [String(index), ...namesOf(item)])),
      );
    }
    if (isJsonObject(value)) {
      const members = Object.entries(value).map(([key, part]): [string, Json] => [
        key,
        this.walk(part, this.extend(paths, [key])),
      ]);
      return Object.fromEntries(members);
    }
    const group = this.groupAt(paths);
    if (group === null || value === null || typeof value === 'object') return value;
    return group.scalar(value) ?? (typeof value === 'string' ? group.text(value, false) : value);
  }

  private extend(
    paths: readonly (readonly string[])[],
    parts: readonly string[],
  ): readonly (readonly string[])[] {
    return this.everywhere === undefined ? extended(paths, parts) : paths;
  }

  /** The replacements that count at a place; compiled once for each set of them. */
  private groupAt(paths: readonly (readonly string[])[]): Group | null {
    if (this.everywhere !== undefined) return this.everywhere;
    const chosen = this.all.map(
      (one) => one.in === undefined || one.in.some((place) => covers(place, paths)),
    );
    const key = chosen.map((is) => (is ? '1' : '0')).join('');
    let group = this.groups.get(key);
    if (group === undefined) {
      group = new Group(this.all.filter((_one, index) => chosen[index]));
      this.groups.set(key, group);
    }
    return group.empty ? null : group;
  }
}

/** Paths that mean one place: list items go by index and by name. More than a few are never needed. */
function extended(paths: readonly (readonly string[])[], parts: readonly string[]): string[][] {
  return paths.slice(0, 4).flatMap((path) => parts.map((part) => [...path, part]));
}

function namesOf(item: Json): string[] {
  if (!isJsonObject(item)) return [];
  return ['id', 'name'].flatMap((key) => (typeof item[key] === 'string' ? [item[key]] : []));
}

function covers(place: string, paths: readonly (readonly string[])[]): boolean {
  const wanted = place.split('.');
  return paths.some((path) => wanted.every((part, index) => part === '*' || path[index] === part));
}

class Group {
  private readonly scalars = new Map<string | number | bigint | boolean, Json>();
  private readonly texts = new Map<string, string>();
  private readonly pattern: RegExp | null;

  constructor(replacements: readonly Replacement[]) {
    for (const { is, by } of replacements) {
      this.scalars.set(is, by);
      if (typeof is !== 'boolean')
        this.texts.set(String(is), typeof by === 'string' ? by : JSON.stringify(by));
    }
    const longest = [...this.texts.keys()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
    this.pattern =
      longest.length === 0
        ? null
        : new RegExp(
            longest.map((text) => edge(text, 0) + escapePattern(text) + edge(text, -1)).join('|'),
            'gu',
          );
  }

  get empty(): boolean {
    return this.scalars.size === 0;
  }

  /** What takes the place of a whole value, or undefined. */
  scalar(value: string | number | bigint | boolean): Json | undefined {
    return this.scalars.get(value);
  }

  text(text: string, inPattern: boolean): string {
    if (this.pattern === null) return text;
    return text.replace(this.pattern, (found) => {
      const by = this.texts.get(found) ?? found;
      return inPattern ? escapePattern(by) : by;
    });
  }
}

/** No letter or digit may touch a word's end; a text that ends in something else has no such edge. */
function edge(text: string, at: 0 | -1): string {
  const unit = at === 0 ? [...text][0] : [...text].at(-1);
  if (unit === undefined || !/[\p{L}\p{N}]/u.test(unit)) return '';
  return at === 0 ? String.raw`(?<![\p{L}\p{N}_])` : String.raw`(?![\p{L}\p{N}_])`;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** The replacements of one parameter: its value, or the members that `is` names. */
export function replacementsOf(is: Json, by: Json, places: readonly string[] | undefined): Replacement[] {
  if (isJsonObject(is)) {
    const made: JsonObject = isJsonObject(by) ? by : {};
    return Object.entries(is).flatMap(([member, old]) =>
      Object.hasOwn(made, member) ? replacementsOf(old, made[member] as Json, places) : [],
    );
  }
  if (is === null || typeof is === 'object' || typeof is === 'bigint') return [];
  return [{ is, by, ...(places !== undefined && { in: places }) }];
}
