/**
 * What is written of a run, without keys: every text that is a secret is overwritten with stars of the same length.
 *
 * The idea: an agent may say its keys anywhere (its log, its answer, a call's arguments, which the world then answers
 * with), so the whole record is gone through. The length stays, because origins are places in an observation. Secrets are
 * the values of key-like environment variables, of 8 characters or more, and the token of the run. Not covered: a key
 * that an agent writes in another form (encoded, cut in two).
 */
import type { Json } from '../core/index.js';

const KEY_NAMES = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)S?$/i;
const MIN_CHARS = 8;

/** The values of an environment that must not be written down. */
export function secretsOf(environment: Readonly<Record<string, string | undefined>>): string[] {
  const values = Object.entries(environment).flatMap(([name, value]) =>
    value !== undefined && KEY_NAMES.test(name) ? [value.trim()] : [],
  );
  return [...new Set(values.filter((value) => value.length >= MIN_CHARS))];
}

/** A copy of a JSON value in which no text holds one of the secrets; the value itself where none does. */
export function withoutSecrets<T extends Json>(value: T, secrets: readonly string[]): T {
  const forms = secrets
    .flatMap((secret) => [...new Set([secret, JSON.stringify(secret).slice(1, -1)])])
    // The longest first: one may be a part of another.
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return value;
  return cleaned(value, (text) => {
    let clean = text;
    for (const form of forms)
      if (clean.includes(form)) clean = clean.replaceAll(form, '*'.repeat(form.length));
    return clean;
  }) as T;
}

function cleaned(value: Json, clean: (text: string) => string): Json {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((item) => cleaned(item, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), cleaned(item, clean)]));
}
