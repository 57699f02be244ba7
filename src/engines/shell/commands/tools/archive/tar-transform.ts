/**
 * `--transform` of tar: names through `s/…/…/`.
 *
 * Source: the manual of GNU tar, "Modifying File and Member Names". Not covered: several expressions in one word, the
 * flags that choose kinds of names (`r R s S h H`).
 */
import { parsePosix } from '../regex/parse-posix.js';
import { Regex } from '../regex/regex.js';
import { expandReplacement, parseReplacement } from '../sed/replacement.js';

/** One substitution. */
export interface TarTransform {
  readonly regex: Regex;
  readonly parts: ReturnType<typeof parseReplacement>;
  readonly isGlobal: boolean;
  /** Which match is the first to be replaced, from 1. */
  readonly first: number;
}

/** Reads a substitution; undefined where it is none that is known here. */
export function parseTransform(text: string): TarTransform | undefined {
  const delimiter = text[1];
  if (text[0] !== 's' || delimiter === undefined) return undefined;
  const fields: string[] = [''];
  for (let at = 2; at < text.length; at++) {
    const here = text[at] ?? '';
    if (here === '\\' && at + 1 < text.length)
      fields[fields.length - 1] += text[++at] === delimiter ? delimiter : `\\${text[at]}`;
    else if (here === delimiter && fields.length < 3) fields.push('');
    else fields[fields.length - 1] += here;
  }
  const [pattern = '', replacement = '', flags] = fields;
  if (flags === undefined || !/^[gixI0-9]*$/.test(flags)) return undefined;
  const dialect = {
    extended: flags.includes('x'),
    danglingRepeat: 'literal' as const,
    literalBadInterval: true,
    literalRightParen: true,
    ignoreCase: /[iI]/.test(flags),
  };
  return {
    regex: new Regex(parsePosix(pattern, dialect)),
    parts: parseReplacement(replacement),
    isGlobal: flags.includes('g'),
    first: Number(/\d+/.exec(flags)?.[0] ?? 1),
  };
}

/** A name after all substitutions. */
export function transformed(name: string, transforms: readonly TarTransform[]): string {
  return transforms.reduce(substituted, name);
}

function substituted(name: string, { regex, parts, isGlobal, first }: TarTransform): string {
  let out = '';
  let at = 0;
  for (let count = 1; at <= name.length; count++) {
    const match = regex.search(name, at);
    if (match === null) break;
    const [start = 0, end = 0] = [match[0], match[1]];
    out += name.slice(at, start);
    out += count >= first ? expandReplacement(parts, name, match) : name.slice(start, end);
    at = end;
    if (start === end) out += name.slice(at, ++at);
    if (count >= first && !isGlobal) break;
  }
  return out + name.slice(at);
}
