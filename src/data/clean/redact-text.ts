/**
 * Replaces what is found in one text, in every view of it, and remembers what was found for the texts after it.
 *
 * The idea: the decoded view first (JSON escapes and percent signs undone), then the text as it stands, then wrapped lines
 * and chunks joined (keys only). Placeholders are known again and stay, so the views do not disturb one another and a second run
 * changes nothing. A secret that is long and mixed enough is afterwards looked for everywhere, named or not; a user name
 * as a whole word.
 */
import { encodedForms, findEncoded } from './encoded-secrets.js';
import { findPersonal, isPlaceholderDomain, type PersonalOptions } from './personal-kinds.js';
import { isFilled, type PlaceholderShape, type Placeholders } from './placeholders.js';
import { type Finding, type FindingListener, findKeys, findSecrets } from './secret-kinds.js';
import {
  chunkView,
  decodedView,
  joinedView,
  plainView,
  type Replacement,
  type TextView,
  writeBack,
} from './text-views.js';

/** What redacting of one trajectory shares. */
export interface Redaction extends PersonalOptions {
  readonly placeholders: Placeholders;
  /** Kinds that stay. */
  readonly keep: ReadonlySet<string>;
  /** Secrets to be looked for everywhere → their kind. */
  readonly secrets: Map<string, string>;
  /** User names to be looked for everywhere. */
  readonly names: Set<string>;
  /** Placeholders that were there before. */
  readonly taken: Set<string>;
  /** Told of each place; the value is for counting and never leaves. */
  readonly onPlace: (kind: string, value: string) => void;
}

const SHORTEST_SWEPT = 8;
const SHORTEST_NAME = 3;
const LONGEST_SWEPT = 500;

/** The text without what is found by its shape. As long as before. In an original text placeholders are of an earlier run. */
export function redactShapes(text: string, redaction: Redaction, isOriginal: boolean): string {
  if (text.length < 5) return text;
  const either: Finder = (view, tell) => {
    findSecrets(view, tell);
    findPersonal(view, tell, redaction);
  };
  const all: Finder = (view, tell) => {
    findSecrets(view, tell);
    findEncoded(view, tell, either);
    findPersonal(view, tell, redaction);
  };
  const joined: Finder = (view, tell) => {
    findKeys(view, tell);
    findEncoded(view, tell, either);
  };
  return inViews(text, redaction, { all, joined, isOriginal });
}

/** Characters on either side of a seam that are looked at. */
const SEAM = 400;

/**
 * Two texts that follow one another without the keys that go over from one to the other; as long as before. A key that
 * is whole on its side takes only what goes on like a key.
 */
export function redactSeam(before: string, after: string, redaction: Redaction): readonly [string, string] {
  const left = before.slice(-SEAM).trimEnd();
  const right = after.slice(0, SEAM).trimStart();
  if (left === '' || right === '' || !/[\w-]$/.test(left)) return [before, after];
  const leftAt = before.trimEnd().length - left.length;
  const rightAt = after.length - after.trimStart().length;
  let made: readonly [string, string] = [before, after];
  findKeys(left + right, ({ start, end, kind, shape }) => {
    const value = (left + right).slice(start, end);
    const isOver = start <= left.length && end > left.length + 2;
    const rest = value.slice(left.length - start);
    if (!isOver || redaction.keep.has(kind) || isFilled(value) || !/\d|[a-z][A-Z]|[A-Z]{4}/.test(rest))
      return;
    redaction.onPlace(kind, value);
    remember(kind, value, redaction);
    const by = redaction.placeholders.of(shape, value);
    const cut = left.length - start;
    made = [
      before.slice(0, leftAt + start) + by.slice(0, cut) + before.slice(leftAt + left.length),
      after.slice(0, rightAt) + by.slice(cut) + after.slice(rightAt + value.length - cut),
    ];
  });
  return made;
}

/** Replaces the secrets and names that were found elsewhere; for when all texts were looked at. Keeps lengths. */
export function knownRedactor(redaction: Redaction): (text: string) => string {
  if (redaction.secrets.size + redaction.names.size === 0) return (text) => text;
  const encoded = [...redaction.secrets].flatMap(([value, kind]) =>
    encodedForms(value).map((form) => [form, kind] as const),
  );
  const secrets = knownFinder([...redaction.secrets, ...encoded], SHORTEST_SWEPT);
  const names = nameFinder(redaction.names);
  const all: Finder = (view, tell) => {
    secrets(view, tell);
    names(view, tell);
  };
  return (text) => inViews(text, redaction, { all, joined: secrets, isOriginal: false });
}

type Finder = (text: string, tell: FindingListener) => void;

function inViews(
  text: string,
  redaction: Redaction,
  finders: { readonly all: Finder; readonly joined: Finder; readonly isOriginal: boolean },
): string {
  let now = text;
  // Chunks first: a part of a key may look whole.
  const chunks = chunkView(decodedView(now) ?? plainView(now));
  if (chunks !== undefined) now = redactView(chunks, redaction, { find: finders.joined, isOriginal: false });
  const decoded = decodedView(now);
  const { all, isOriginal } = finders;
  if (decoded !== undefined) now = redactView(decoded, redaction, { find: all, isOriginal });
  const isStill = isOriginal && decoded === undefined;
  now = redactView(plainView(now), redaction, { find: all, isOriginal: isStill });
  if (now.includes('\n') || decoded !== undefined) {
    const joined = joinedView(decodedView(now) ?? plainView(now));
    if (joined !== undefined)
      now = redactView(joined, redaction, { find: finders.joined, isOriginal: false });
  }
  return now;
}

function redactView(
  view: TextView,
  redaction: Redaction,
  { find, isOriginal }: { readonly find: Finder; readonly isOriginal: boolean },
): string {
  const findings: Finding[] = [];
  find(view.text, (finding) => {
    if (!redaction.keep.has(finding.kind)) findings.push(finding);
  });
  if (findings.length === 0) return view.source;
  const replacements: Replacement[] = [];
  for (const finding of withoutOverlaps(findings, view.text.length)) {
    const { start, end, kind, shape } = finding;
    const value = view.text.slice(start, end);
    if (isPlaceholder(shape, value, view.text.slice(end))) {
      if (isOriginal) redaction.taken.add(value);
      continue;
    }
    if (shape !== 'email-domain') redaction.onPlace(kind, value);
    remember(kind, value, redaction);
    replacements.push({ start, end, by: redaction.placeholders.of(shape, value) });
  }
  return replacements.length === 0 ? view.source : writeBack(view, replacements);
}

/** The first finding of a place has it; the order of findings is the order of how sure they are. */
function withoutOverlaps(findings: readonly Finding[], length: number): readonly Finding[] {
  if (findings.length === 1) return findings;
  const covered = new Uint8Array(length);
  const kept = findings.filter(({ start, end }) => {
    for (let i = start; i < end; i++) if (covered[i] === 1) return false;
    covered.fill(1, start, end);
    return true;
  });
  return kept.sort((one, other) => one.start - other.start);
}

function isPlaceholder(shape: PlaceholderShape, value: string, after: string): boolean {
  if (shape === 'email-domain') return isPlaceholderDomain(value);
  if (shape === 'email-name')
    return isPlaceholderDomain(/^@[^\s@]{1,260}/.exec(after)?.[0].match(/^@[\p{L}\p{N}.-]+/u)?.[0] ?? '');
  if (shape === 'mac') return /^(?:00[:-]){3}/.test(value);
  if (shape === 'digits' || shape === 'card') return isFilled(value.replace(/\D/g, ''));
  return shape === 'body' && isFilled(value);
}

function remember(kind: string, value: string, redaction: Redaction): void {
  if (kind === 'user-name') {
    if (value.length >= SHORTEST_NAME) redaction.names.add(value);
    return;
  }
  const isPersonal = ['email', 'phone', 'card', 'iban', 'ipv4', 'ipv6', 'mac'].includes(kind);
  if (isPersonal || value.length < SHORTEST_SWEPT || value.length > LONGEST_SWEPT) return;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((one) => one.test(value)).length;
  if (kinds >= 2) redaction.secrets.set(value, kind);
}

/** Finds any of many values in time linear in the text, by their first characters. */
function knownFinder(values: readonly (readonly [string, string])[], prefix: number): Finder {
  const byStart = new Map<string, (readonly [string, string])[]>();
  const firsts = new Set<number>();
  for (const entry of values) {
    const start = entry[0].slice(0, prefix);
    byStart.set(
      start,
      [...(byStart.get(start) ?? []), entry].sort((a, b) => b[0].length - a[0].length),
    );
    firsts.add(start.charCodeAt(0));
  }
  return (text, tell) => {
    for (let i = 0; i <= text.length - prefix; i++) {
      if (!firsts.has(text.charCodeAt(i))) continue;
      const found = byStart.get(text.slice(i, i + prefix))?.find(([value]) => text.startsWith(value, i));
      if (found === undefined) continue;
      const [value, kind] = found;
      tell({ start: i, end: i + value.length, kind, shape: 'body' });
      i += value.length - 1;
    }
  };
}

const WORD = /[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*/gu;

/** Finds user names as whole words, also as a part of a word between dots and dashes. */
function nameFinder(names: ReadonlySet<string>): Finder {
  return (text, tell) => {
    if (names.size === 0) return;
    for (const match of text.matchAll(WORD)) {
      const word = match[0];
      const tells = (start: number, end: number): void =>
        tell({ start: match.index + start, end: match.index + end, kind: 'user-name', shape: 'body' });
      if (names.has(word)) {
        tells(0, word.length);
        continue;
      }
      if (!/[._-]/.test(word)) continue;
      let at = 0;
      for (const part of word.split(/[._-]/)) {
        if (names.has(part)) tells(at, at + part.length);
        at += part.length + 1;
      }
      const trimmed = word.replace(/[._-]+$/, '');
      if (trimmed.length < word.length && names.has(trimmed)) tells(0, trimmed.length);
    }
  };
}
