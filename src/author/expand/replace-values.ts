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
  private readonly places: readonly Place[];

  /** `untouched`: objects and lists in which nothing is exchanged; see {@link untouchedParts}. */
  constructor(
    private readonly all: readonly Replacement[],
    private readonly untouched: ReadonlySet<object> = new Set(),
  ) {
    this.places = all.flatMap((one, index) => placesOf(one).map((parts): Place => ({ index, parts, at: 0 })));
  }

  /** A value that stands at a path, with everything in it exchanged. `named` gives list items their names. */
  json(value: Json, path: readonly string[], name?: string): Json {
    const last = path.length - 1;
    const open = path.reduce<readonly Place[]>(
      (places, part, index) => within(places, index === last && name !== undefined ? [part, name] : [part]),
      this.places,
    );
    return this.walk(value, open);
  }

  /** Adds the objects and lists of a value at a path that are left as they are. */
  collectUntouched(value: Json, path: readonly string[], found: Set<object>): void {
    const visit = (part: Json, places: readonly Place[]): void => {
      if (typeof part !== 'object' || part === null) return;
      if (this.walk(part, places) === part) {
        addAll(part, found);
        return;
      }
      for (const [key, inner] of partsOf(part)) visit(inner, within(places, namesAt(part, key, inner)));
    };
    visit(
      value,
      path.reduce<readonly Place[]>((places, part) => within(places, [part]), this.places),
    );
  }

  /** A rule at a path with its literals exchanged; text that is no rule is left alone. */
  rule(source: string, paths: readonly (readonly string[])[]): string {
    const reached = paths.flatMap((path) =>
      path.reduce<readonly Place[]>((places, part) => within(places, [part]), this.places),
    );
    const group = this.groupAt(reached);
    if (group.empty) return source;
    const result = rewriteRule(source, {
      literal: (value, pattern) => {
        if (typeof value !== 'string') return group.scalar(value);
        const text = group.text(value, pattern);
        return text === value ? undefined : text;
      },
    });
    return result.ok ? result.value : source;
  }

  /** The value itself where nothing in it is exchanged. */
  private walk(value: Json, places: readonly Place[]): Json {
    if (!isHolder(value)) return this.scalar(value, this.groupAt(places));
    if (this.untouched.has(value)) return value;
    if (!places.some(isOpen)) return this.walkAll(value, this.groupAt(places));
    return mapParts(value, (part, key) => this.walk(part, within(places, namesAt(value, key, part))));
  }

  /** Parts that all have the same replacements. */
  private walkAll(value: Holder, group: Group): Json {
    if (group.empty) return value;
    return mapParts(value, (part) => {
      if (!isHolder(part)) return this.scalar(part, group);
      return this.untouched.has(part) ? part : this.walkAll(part, group);
    });
  }

  private scalar(value: Scalar, group: Group): Json {
    if (value === null || group.empty) return value;
    return group.scalar(value) ?? (typeof value === 'string' ? group.text(value, false) : value);
  }

  /** The replacements that count where places are reached; compiled once for each set of them. */
  private groupAt(places: readonly Place[]): Group {
    const reached = new Set(places.flatMap((place) => (isOpen(place) ? [] : [place.index])));
    const key = [...reached].sort((a, b) => a - b).join(',');
    let group = this.groups.get(key);
    if (group === undefined) {
      group = new Group(this.all.filter((_one, index) => reached.has(index)));
      this.groups.set(key, group);
    }
    return group;
  }
}

type Holder = readonly Json[] | JsonObject;
type Scalar = Exclude<Json, Holder>;

function isHolder(value: Json): value is Holder {
  return typeof value === 'object' && value !== null;
}

/** A place where a replacement counts, and how many of its parts were met on the way. */
interface Place {
  readonly index: number;
  readonly parts: readonly string[];
  readonly at: number;
}

/** The places of a replacement, each in parts; what is anything at an end says nothing. */
function placesOf(one: Replacement): (readonly string[])[] {
  if (one.in === undefined) return [[]];
  return one.in.map((place) => {
    const parts = place.split('.');
    while (parts.at(-1) === '*') parts.pop();
    return parts;
  });
}

function isOpen({ parts, at }: Place): boolean {
  return at < parts.length;
}

/** The places that go on in a part, which a list knows by its index and by its names. */
function within(places: readonly Place[], names: readonly string[]): readonly Place[] {
  if (!places.some(isOpen)) return places;
  return places.flatMap((place) => {
    const wanted = place.parts[place.at];
    if (wanted === undefined) return [place];
    return wanted === '*' || names.includes(wanted) ? [{ ...place, at: place.at + 1 }] : [];
  });
}

/** What a part is called in what holds it: items of lists by index, id and name. */
function namesAt(holder: Holder, key: string, part: Json): string[] {
  if (!Array.isArray(holder) || !isJsonObject(part)) return [key];
  return [key, ...['id', 'name'].flatMap((name) => (typeof part[name] === 'string' ? [part[name]] : []))];
}

function partsOf(holder: Holder): [string, Json][] {
  return Object.entries(holder);
}

function addAll(value: Json, found: Set<object>): void {
  if (!isHolder(value)) return;
  found.add(value);
  for (const [, part] of partsOf(value)) addAll(part, found);
}

/** A list or object with other parts; the same one where none is another. */
function mapParts(value: Holder, change: (part: Json, key: string) => Json): Json {
  let isChanged = false;
  const changed = (part: Json, key: string): Json => {
    const made = change(part, key);
    if (made !== part) isChanged = true;
    return made;
  };
  if (Array.isArray(value)) {
    const items = value.map((part: Json, index) => changed(part, String(index)));
    return isChanged ? items : value;
  }
  const members = partsOf(value).map(([key, part]): [string, Json] => [key, changed(part, key)]);
  return isChanged ? Object.fromEntries(members) : value;
}

/**
 * The objects and lists of parts of a world file in which no replacement finds anything, whatever takes its place. A
 * part counts where it stands in that file.
 */
export function untouchedParts(
  parts: Readonly<Record<string, Json | undefined>>,
  all: readonly Replacement[],
): ReadonlySet<object> {
  const found = new Set<object>();
  // what takes its place here is never the value itself, so what is the same afterwards holds none
  const replacer = new Replacer(all.map((one) => ({ ...one, by: `${one.is}\u0000` })));
  for (const [key, value] of Object.entries(parts)) {
    if (value !== undefined) replacer.collectUntouched(value, [key], found);
  }
  return found;
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
    this.pattern = longest.length === 0 ? null : new RegExp(longest.map(wordPattern).join('|'), 'gu');
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

/**
 * The text as a word: no letter or digit may touch its ends; an end that is something else has no such edge. What
 * stands before is looked at last, because most places of a text do not begin the word.
 */
function wordPattern(text: string): string {
  const word = escapePattern(text);
  const isEdge = (unit: string | undefined): boolean => unit !== undefined && /[\p{L}\p{N}]/u.test(unit);
  const after = isEdge([...text].at(-1)) ? String.raw`(?![\p{L}\p{N}_])` : '';
  const before = isEdge([...text][0]) ? String.raw`(?<![\p{L}\p{N}_]${word})` : '';
  return word + after + before;
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
