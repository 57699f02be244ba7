/**
 * Expansion of words: the parts of a word, one after another, into a sink.
 *
 * The idea: everything here is a plain function. Where the output of a command is needed, `NeedOutput` is thrown; the
 * runner runs the command and starts the word again with what it wrote. Results that must not happen twice meanwhile
 * (`$((i++))`, `RANDOM`) are kept with the part. Source: bash manual, Shell Expansions.
 */
import type { Word } from '../../syntax/ast.js';
import { type Part, type PartsMode, parseParts } from '../../syntax/word-parts.js';
import { NeedOutput, ShellFailure } from '../failures.js';
import { BraceLimitError, expandBraces } from '../patterns/braces.js';
import { patternOf } from '../patterns/pattern.js';
import type { Shell } from '../shell.js';
import { expandGlob } from './globbing.js';
import { evaluate, splitCharacters, starJoiner } from './names.js';
import { expandParameter } from './parameter-values.js';
import { type Field, FieldSink, PatternSink, type Sink, TextSink } from './sinks.js';
import { expandTilde } from './tilde.js';

/** A text in parts. */
interface ParsedText {
  readonly parts: readonly Part[];
  /** The only part's text when nothing needs expansion and nothing can match. */
  readonly plain: string | undefined;
}

/** What is kept on a word. */
interface ParsedWord {
  texts?: readonly ParsedText[];
  byMode?: Partial<Record<PartsMode, readonly Part[]>>;
}

const MAX_DEPTH = 150;

function parsedOf(word: Word): ParsedWord {
  word.parsed ??= {};
  return word.parsed as ParsedWord;
}

function parseText(shell: Shell, text: string): ParsedText {
  const mode = /^[A-Za-z_]\w*=/.test(text) ? 'assignment' : 'word';
  const parts = parseParts(text, mode, shell.readOptions());
  const only = parts.length === 1 ? parts[0] : undefined;
  const plain =
    only?.kind === 'text' && (only.quoted || !/[*?[\\]|[+@!]\(/.test(only.text))
      ? only.text
      : only?.kind === 'double' && only.parts.length === 1 && only.parts[0]?.kind === 'text'
        ? only.parts[0].text
        : undefined;
  return { parts, plain };
}

/** The parts of a word in some mode, kept on the word. */
function partsOf(shell: Shell, word: Word, mode: PartsMode): readonly Part[] {
  const parsed = parsedOf(word);
  parsed.byMode ??= {};
  parsed.byMode[mode] ??= parseParts(word.text, mode, shell.readOptions());
  return parsed.byMode[mode];
}

/** The fields of a word on a command line: braces, expansions, splitting, file names. */
export function expandFields(shell: Shell, word: Word, into: string[]): void {
  const parsed = parsedOf(word);
  if (parsed.texts === undefined) {
    const braces = word.text.includes('{') && shell.is('braceexpand');
    parsed.texts = (braces ? bracesOf(word.text) : [word.text]).map((text) => parseText(shell, text));
  }
  for (const text of parsed.texts) {
    if (text.plain !== undefined) {
      into.push(text.plain);
      continue;
    }
    const sink = new FieldSink(splitCharacters(shell));
    expandParts(shell, text.parts, sink);
    for (const field of sink.finish()) addMatches(shell, field, into);
  }
}

function bracesOf(text: string): readonly string[] {
  try {
    return expandBraces(text);
  } catch (error) {
    if (error instanceof BraceLimitError) throw new ShellFailure(error.message);
    throw error;
  }
}

/** Adds the files that a field matches, or the field itself. */
function addMatches(shell: Shell, field: Field, into: string[]): void {
  const { pattern } = field;
  if (pattern === undefined || shell.is('noglob') || !couldMatch(shell, pattern)) {
    into.push(field.text);
    return;
  }
  const found = globOf(shell, pattern);
  if (found.length > 0) {
    for (const one of found) into.push(one);
    return;
  }
  if (shell.shopt('failglob')) throw new ShellFailure(`no match: ${field.text}`);
  if (!shell.shopt('nullglob')) into.push(field.text);
}

function couldMatch(shell: Shell, pattern: string): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern[at] as string;
    if (char === '\\') at += 1;
    else if (char === '*' || char === '?') return true;
    else if (char === '[' && pattern.indexOf(']', at + 2) !== -1) return true;
    else if ('+@!'.includes(char) && pattern[at + 1] === '(' && shell.shopt('extglob')) return true;
  }
  return false;
}

/** The files that a pattern names. */
function globOf(shell: Shell, pattern: string): string[] {
  const ignore = shell.variables.find('GLOBIGNORE')?.value ?? '';
  return expandGlob(shell.process, pattern, {
    dotglob: shell.shopt('dotglob') || ignore !== '',
    globstar: shell.shopt('globstar'),
    nocaseglob: shell.shopt('nocaseglob'),
    extglob: shell.shopt('extglob'),
    globskipdots: shell.shopt('globskipdots'),
    ignored: ignore === '' ? [] : ignore.split(':'),
  });
}

/** A word as one text: assignments, `case`, here-strings. */
export function expandText(shell: Shell, word: Word, mode: PartsMode = 'word'): string {
  const parts = partsOf(shell, word, mode);
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text') return only.text;
  const sink = new TextSink();
  expandParts(shell, parts, sink);
  return sink.text;
}

/** Text that is no word of the tree (prompts, here-documents, values of variables), as one text. */
export function expandString(shell: Shell, text: string, mode: PartsMode): string {
  if (!/[$`\\"'~]/.test(text)) return text;
  const sink = new TextSink();
  expandParts(shell, cachedParts(shell, text, mode), sink);
  return sink.text;
}

const cache = new Map<string, readonly Part[]>();

/** Parts of a text, kept for the texts that were used lately. */
function cachedParts(shell: Shell, text: string, mode: PartsMode): readonly Part[] {
  if (shell.shopt('expand_aliases')) return parseParts(text, mode, shell.readOptions());
  const key = `${mode}${shell.shopt('extglob') ? '+' : '-'}${text}`;
  const kept = cache.get(key);
  if (kept !== undefined) return kept;
  if (cache.size > 1000) cache.clear();
  const parts = parseParts(text, mode, shell.readOptions());
  cache.set(key, parts);
  return parts;
}

/** A word as a pattern: quoted characters lose their magic. */
export function expandPattern(shell: Shell, word: Word): string {
  const sink = new PatternSink();
  expandParts(shell, partsOf(shell, word, 'word'), sink);
  return sink.text;
}

/** A word as a regular expression. */
export function expandRegex(shell: Shell, word: Word): string {
  const sink = new PatternSink((text) => text.replace(/[\\^$.[\]|()*+?{}]/g, '\\$&'));
  expandParts(shell, partsOf(shell, word, 'word'), sink);
  return sink.text;
}

/** An expression before it is evaluated: expanded as between double quotes, with the quotes dropped. */
export function expandArithmeticText(shell: Shell, text: string): string {
  if (!/[$`"\\]/.test(text)) return text;
  const bare = text.replace(/(^|[^\\])"/g, '$1');
  return expandString(shell, bare, 'double');
}

/** The key that a subscript of an associative array means. */
export function expandSubscript(shell: Shell, subscript: string): string {
  return expandString(shell, subscript, 'word');
}

/** Expands parts into a sink. `isValue`: the text comes out of an expansion, so unquoted pieces are split. */
export function expandParts(shell: Shell, parts: readonly Part[], sink: Sink, isValue = false): void {
  shell.depth += 1;
  if (shell.depth > MAX_DEPTH) {
    shell.depth = 0;
    throw new ShellFailure('maximum expansion nesting level exceeded');
  }
  for (const part of parts) expandPart(shell, part, sink, isValue);
  shell.depth -= 1;
}

function expandPart(shell: Shell, part: Part, sink: Sink, isValue: boolean): void {
  switch (part.kind) {
    case 'text':
      if (part.quoted) sink.quoted(part.text);
      else if (isValue) sink.split(part.text);
      else sink.literal(part.text);
      break;
    case 'double':
      expandDouble(shell, part.parts, sink);
      break;
    case 'tilde':
      addTilde(shell, part.name, sink);
      break;
    case 'parameter':
      expandParameter(shell, part, sink);
      break;
    case 'arithmetic':
      addValue(
        sink,
        part.quoted,
        once(shell, part, () => arithmeticOf(shell, part)),
      );
      break;
    case 'command':
    case 'process': {
      const output = shell.outputs?.get(part);
      if (output === undefined) throw new NeedOutput(part);
      if (part.kind === 'process') sink.quoted(output);
      else addValue(sink, part.quoted, output);
      break;
    }
  }
}

function addValue(sink: Sink, quoted: boolean, value: string): void {
  if (quoted) sink.quoted(value);
  else sink.split(value);
}

function addTilde(shell: Shell, name: string, sink: Sink): void {
  const folder = expandTilde(shell, name);
  if (folder === undefined) sink.literal(`~${name}`);
  else sink.quoted(folder);
}

/** A result that is kept while a word is started again. */
export function once(shell: Shell, part: Part, compute: () => string): string {
  const { outputs } = shell;
  if (outputs === undefined) return compute();
  const kept = outputs.get(part);
  if (kept !== undefined) return kept;
  const value = compute();
  outputs.set(part, value);
  return value;
}

function arithmeticOf(shell: Shell, part: Part & { kind: 'arithmetic' }): string {
  let text = part.text;
  if (/[$`"\\']/.test(text)) {
    part.parts ??= parseParts(text.replace(/(^|[^\\])"/g, '$1'), 'double', shell.readOptions());
    const sink = new TextSink();
    expandParts(shell, part.parts, sink);
    text = sink.text;
  }
  const { commandName } = shell;
  shell.commandName = '';
  try {
    return evaluate(shell, text).toString();
  } finally {
    shell.commandName = commandName;
  }
}

/** Between double quotes: a field even when it is empty, unless it is only `"$@"` without elements. */
function expandDouble(shell: Shell, parts: readonly Part[], sink: Sink): void {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.kind === 'parameter') {
    expandParameter(shell, only, sink);
    return;
  }
  if (parts.length === 0 || !parts.every((part) => part.kind === 'parameter')) sink.quoted('');
  for (const part of parts) expandPart(shell, part, sink, false);
}

/** Gives a list to a sink. */
export function addList(
  shell: Shell,
  list: { values: readonly string[]; isStar: boolean },
  how: { sink: Sink; quoted: boolean },
): void {
  const { sink, quoted } = how;
  if (list.isStar && quoted) {
    sink.quoted(list.values.join(starJoiner(shell)));
    return;
  }
  const joiner = list.isStar ? starJoiner(shell) : ' ';
  list.values.forEach((value, index) => {
    if (index > 0) sink.between(joiner, quoted);
    if (quoted) sink.quoted(value);
    else sink.split(value);
  });
}

/** Whether a text matches the pattern of a word, with the options of the shell. */
export function matches(shell: Shell, text: string, pattern: string): boolean {
  return patternOf(pattern, { extglob: true, ignoreCase: shell.shopt('nocasematch') }).test(text);
}
