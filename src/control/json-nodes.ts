/**
 * Reads a JSON text into its values together with the places where they stand.
 *
 * The text has been read by `parseJson` before (so it is valid and its depth is bounded); this reader only adds the
 * places. Offsets are UTF-16 units.
 */
import { type Json, parseJson } from '../core/index.js';

/** One value of a JSON text. */
export interface JsonNode {
  readonly value: Json;
  /** Where the value begins. */
  readonly start: number;
  /** For a member of an object: its name and where the name begins. */
  readonly name?: string;
  readonly keyStart?: number;
  /** Members or items, in order. */
  readonly children: readonly JsonNode[];
}

/** The values of a valid JSON text with their places; objects and lists in it are the ones of the result's `value`. */
export function readJsonNodes(text: string): JsonNode {
  return new NodeReader(text).value();
}

class NodeReader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(member: { readonly name: string; readonly keyStart: number } | null = null): JsonNode {
    this.space();
    const start = this.at;
    const first = this.text[start];
    const place = { start, ...member };
    if (first === '{') return this.members(place);
    if (first === '[') return this.items(place);
    return { value: this.plain(), children: [], ...place };
  }

  private members(place: { readonly start: number }): JsonNode {
    const children: JsonNode[] = [];
    this.at += 1;
    for (this.space(); this.text[this.at] !== '}' && this.at < this.text.length; this.space()) {
      const keyStart = this.at;
      const name = String(this.plain());
      this.space();
      this.at += 1; // the colon
      children.push(this.value({ name, keyStart }));
      this.comma();
    }
    this.at += 1;
    const value = Object.fromEntries(children.map((child) => [child.name ?? '', child.value]));
    return { value, children, ...place };
  }

  private items(place: { readonly start: number }): JsonNode {
    const children: JsonNode[] = [];
    this.at += 1;
    for (this.space(); this.text[this.at] !== ']' && this.at < this.text.length; this.space()) {
      children.push(this.value());
      this.comma();
    }
    this.at += 1;
    return { value: children.map((child) => child.value), children, ...place };
  }

  private plain(): Json {
    const start = this.at;
    if (this.text[start] === '"') {
      for (this.at++; this.at < this.text.length && this.text[this.at] !== '"'; this.at++) {
        if (this.text[this.at] === '\\') this.at += 1;
      }
      this.at += 1;
    } else {
      while (this.at < this.text.length && !/[\s,\]}:]/.test(this.text[this.at] ?? '')) this.at += 1;
    }
    const read = parseJson(this.text.slice(start, this.at));
    return read.ok ? read.value : null;
  }

  private comma(): void {
    this.space();
    if (this.text[this.at] === ',') this.at += 1;
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }
}
