/**
 * Values that an agent has seen, by the name of the field they stood in: what a random policy draws ids from.
 *
 * Fed from observations (JSON where it is JSON, else words) and from the state.
 */
import { isJsonObject, type Json, parseJson, type RandomStream } from '../core/index.js';

/** Values kept per field name, and of all names together; enough to draw from, bounded for long episodes. */
const PER_NAME = 200;
const IN_ALL = 4_000;
const DEPTH = 12;

/** A collection of seen values. */
export class ValuePool {
  private readonly byName = new Map<string, Json[]>();
  private readonly all: Json[] = [];

  /** Takes in every scalar of a value, under the name of the field that holds it. */
  addValue(value: Json, name = '', depth = 0): void {
    if (depth > DEPTH) return;
    if (Array.isArray(value))
      for (const item of value as readonly Json[]) this.addValue(item, name, depth + 1);
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) this.addValue(member, key, depth + 1);
    } else if (value !== null && typeof value !== 'boolean') this.keep(value, name);
  }

  /** Takes in an observation's text. */
  addObservation(text: string): void {
    const json = parseJson(text);
    if (json.ok) this.addValue(json.value);
    else
      for (const word of text.slice(0, 20_000).split(/[\s,;:"'()[\]{}]+/))
        if (word !== '') this.keep(word, '');
  }

  /**
   * Draws a value for an argument that the test accepts: of a field of the same name, else of a field whose name
   * the argument's ends with (`order_id` → `id`), else any. Undefined where there is none.
   */
  draw(stream: RandomStream, argument: string, accepts: (value: Json) => boolean): Json | undefined {
    const ending =
      argument
        .split(/[_-]|(?=[A-Z])/)
        .at(-1)
        ?.toLowerCase() ?? argument;
    const lists = [this.byName.get(argument), this.byName.get(ending), this.all];
    // A tenth of the draws look anywhere, so that wrong ids are tried too.
    for (const list of stream.chance(0.1) ? [this.all] : lists) {
      const fitting = (list ?? []).filter(accepts);
      if (fitting.length > 0) return stream.pick(fitting);
    }
    return undefined;
  }

  private keep(value: Json, name: string): void {
    if (this.all.length < IN_ALL) this.all.push(value);
    const list = this.byName.get(name) ?? [];
    if (list.length < PER_NAME && !list.includes(value)) list.push(value);
    this.byName.set(name, list);
  }
}
