/**
 * Writes a child's file: JSON, one line for each key, row, tool and step, the same bytes for the same child.
 */
import { isJsonObject, type Json, type JsonObject, renderJson } from '../../core/index.js';

/** Writes children of one seed; parts that all children share are written once. */
export class ChildWriter {
  private readonly known = new WeakMap<object, string>();

  /** The file's text, with a line feed at its end. */
  write(file: JsonObject): string {
    const members = Object.entries(file).map(
      ([key, value]) => `${JSON.stringify(key)}:${this.member(key, value)}`,
    );
    return `{\n${members.join(',\n')}\n}\n`;
  }

  private member(key: string, value: Json): string {
    if (key === 'state' && isJsonObject(value)) {
      const parts = Object.entries(value).map(
        ([name, part]) => `${JSON.stringify(name)}:${name === 'data' ? collections(part) : renderJson(part)}`,
      );
      return `{${parts.join(',\n')}}`;
    }
    if (typeof value !== 'object' || value === null) return renderJson(value);
    if (!['tools', 'entities', 'overrides'].includes(key)) return lines(value);
    let text = this.known.get(value);
    if (text === undefined) {
      text = lines(value);
      this.known.set(value, text);
    }
    return text;
  }
}

function collections(data: Json): string {
  if (!isJsonObject(data)) return renderJson(data);
  const parts = Object.entries(data).map(([name, rows]) => `${JSON.stringify(name)}:${lines(rows)}`);
  return `{\n${parts.join(',\n')}}`;
}

/** A list or object with one line for each of its parts. */
function lines(value: Json): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[\n${value.map((item: Json) => renderJson(item)).join(',\n')}]`;
  }
  if (!isJsonObject(value)) return renderJson(value);
  const members = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${renderJson(part)}`);
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}}`;
}
