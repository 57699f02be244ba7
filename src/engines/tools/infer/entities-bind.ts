/**
 * Finds the field that a filter or range argument asks for.
 *
 * By the same name, a key, the same words, or the noun of an id; ranges by the words left (`min_price` → price).
 */

import type { Field } from '../service.js';
import type { Draft } from './entities.js';
import { fieldNameOf, rangeWords } from './entities-fields.js';
import { keyStrength, keyWordsOf } from './infer-keys.js';
import type { Property } from './infer-schema.js';
import { singularWords, splitWords } from './words.js';

/** The field that a filter argument asks for; undefined if the collection has none such. */
export function filterField(argument: Property, draft: Draft): string | undefined {
  const scoped = draft.scope.get(argument.name);
  if (scoped !== undefined) return scoped;
  const { fields } = draft;
  if (fields.has(argument.name)) return argument.name;
  const written = fieldNameOf(argument, {
    fields,
    scope: draft.scope,
    key: draft.collection.key,
    noun: draft.noun,
    nouns: draft.nouns,
  });
  if (fields.has(written)) return written;
  const words = singularWords(splitWords(argument.name)).join(' ');
  const alike = [...fields.keys()].find((name) => singularWords(splitWords(name)).join(' ') === words);
  if (alike !== undefined) return alike;
  const { stem, word } = keyWordsOf(argument);
  const bare = [...fields.keys()].find(
    (name) => stem.length > 0 && word !== '' && splitWords(name).join(' ') === stem.join(' '),
  );
  return (
    bare ??
    (keyWordsOf(argument).many && word !== '' && keyStrength(argument, draft.noun) >= 2
      ? draft.collection.key[0]
      : undefined)
  );
}

/** The field that a range argument bounds: min_price → price, since → the time it was made. */
export function rangeField(
  argument: Property,
  draft: Draft,
): { field: string; test: 'min' | 'max' } | undefined {
  const range = rangeWords(argument);
  if (range === undefined) return undefined;
  const names = [...draft.fields.keys()];
  const rest = range.rest.filter((word) => !['date', 'time', 'at', 'on'].includes(word));
  const find = (test: (words: readonly string[], field: Field) => boolean) =>
    names.find((name) => {
      const field = draft.fields.get(name);
      return field !== undefined && test(splitWords(name), field);
    });
  const exact = rest.length === 0 ? undefined : find((words) => rest.every((word) => words.includes(word)));
  if (exact !== undefined) return { field: exact, test: range.test };
  if (rest.length > 0) return undefined;
  const timed = (words: readonly string[]) =>
    words.some((word) =>
      ['date', 'time', 'at', 'start', 'datetime', 'timestamp', 'day', 'due', 'starts'].includes(word),
    );
  const field =
    find((words, one) => one.stamp === undefined && timed(words)) ??
    find((_, one) => one.stamp === 'created');
  return field === undefined ? undefined : { field, test: range.test };
}
