/**
 * Which rows of a seed world are mentioned: by its task, verifiers and scripts, or by other rows.
 *
 * Rows are known by the ids of their collections (texts only); a mention is the id as a word in any text. Made once for
 * each seed world. Not covered: mentions by other fields, such as an address or a name.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ServiceModel } from '../../engines/index.js';
import type { World } from '../../worlds/index.js';

/** A row by collection and place. */
export interface RowPlace {
  readonly collection: string;
  readonly index: number;
}

const WORD = /[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+)*/gu;

/** The mentions among the rows of a seed world. */
export class MentionGraph {
  private readonly places = new Map<string, RowPlace>();
  private readonly mentioned = new Map<string, number[]>();
  private readonly targets = new Map<string, (readonly RowPlace[])[]>();

  constructor(world: World, model: ServiceModel) {
    const data = world.spec?.data ?? {};
    for (const [collection, rows] of Object.entries(data)) {
      const known = Object.hasOwn(model.collections, collection) ? model.collections[collection] : undefined;
      const [key, second] = known?.key ?? [];
      this.mentioned.set(
        collection,
        rows.map(() => 0),
      );
      if (key === undefined || second !== undefined) continue;
      for (const [index, row] of rows.entries()) {
        const id = row[key];
        if (typeof id === 'string' && !this.places.has(id)) this.places.set(id, { collection, index });
      }
    }
    for (const [collection, rows] of Object.entries(data)) {
      this.targets.set(
        collection,
        rows.map((row, index) => this.mentionsOf(row, { collection, index })),
      );
    }
    for (const list of this.targets.values()) for (const places of list) this.count(places, 1);
    const { task, success, facts } = world.file;
    const talk = [task ?? '', success, facts, world.oracle, world.wrong.map(({ actions }) => actions)];
    this.count(this.mentionsOf(talk as unknown as Json, null), 1);
  }

  /** Counts of mentions, to be changed while rows are taken away. */
  counts(): Map<string, number[]> {
    return new Map([...this.mentioned].map(([collection, list]) => [collection, [...list]]));
  }

  /** The rows that a row mentions. */
  targetsOf({ collection, index }: RowPlace): readonly RowPlace[] {
    return this.targets.get(collection)?.[index] ?? [];
  }

  private count(places: readonly RowPlace[], by: number): void {
    for (const { collection, index } of places) {
      const list = this.mentioned.get(collection);
      if (list !== undefined) list[index] = (list[index] ?? 0) + by;
    }
  }

  /** Each row is named once, however often it is mentioned; a row does not mention itself. */
  private mentionsOf(value: Json, own: RowPlace | null): RowPlace[] {
    const found = new Set<RowPlace>();
    const walk = (part: Json): void => {
      if (typeof part === 'string') {
        for (const [word] of part.matchAll(WORD)) {
          const place = this.places.get(word);
          if (place !== undefined && !(place.collection === own?.collection && place.index === own.index))
            found.add(place);
        }
      } else if (Array.isArray(part)) for (const item of part as readonly Json[]) walk(item);
      else if (isJsonObject(part)) for (const member of Object.values(part as JsonObject)) walk(member);
    };
    walk(value);
    return [...found];
  }
}
