/**
 * Kinds of secrets by their shape: keys of known services, tokens, private keys, and credentials where they are named.
 *
 * Each kind looks for a literal first and only then runs its pattern, whose repetitions are bounded: the cost is linear in
 * the text. What is found is the secret part alone; prefixes (`ghp_`, `Bearer `) stay readable. Sources: the services'
 * public descriptions of their keys. Not covered: keys without a shape that are not named (32 hex digits alone).
 */
import type { PlaceholderShape } from './placeholders.js';

/** Something found: units of the text that was looked at. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly shape: PlaceholderShape;
}

/** Tells of a finding. */
export type FindingListener = (finding: Finding) => void;

interface ShapeKind {
  readonly kind: string;
  /** One of these has to be there at all. */
  readonly needs: readonly string[];
  /** The group `s` is the secret. */
  readonly pattern: RegExp;
  readonly accepts?: (secret: string) => boolean;
}

const hasDigit = (secret: string): boolean => /\d/.test(secret);

/** Keys that are known by themselves, the more special first. */
const KEY_SHAPES: readonly ShapeKind[] = [
  {
    kind: 'aws-key',
    needs: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA)(?<s>[A-Z0-9]{16})(?![A-Za-z0-9])/dg,
  },
  {
    kind: 'github-token',
    needs: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /(?<![A-Za-z0-9])gh[pousr]_(?<s>[A-Za-z0-9]{20,255})/dg,
  },
  {
    kind: 'github-token',
    needs: ['github_pat_'],
    pattern: /(?<![A-Za-z0-9])github_pat_(?<s>[A-Za-z0-9_]{20,255})/dg,
  },
  {
    kind: 'gitlab-token',
    needs: ['glpat-'],
    pattern: /(?<![A-Za-z0-9])glpat-(?<s>[\w-]{20,100})/dg,
  },
  {
    kind: 'anthropic-key',
    needs: ['sk-ant-'],
    pattern: /(?<![A-Za-z0-9])sk-ant-(?:[a-z]{2,8}\d\d-)?(?<s>[\w-]{16,250})/dg,
  },
  {
    kind: 'openai-key',
    needs: ['sk-'],
    pattern: /(?<![A-Za-z0-9_-])sk-(?!ant-)(?:proj-|svcacct-|admin-|or-v1-)?(?<s>[\w-]{20,250})/dg,
    accepts: (secret) => isFilledStart(secret) || (hasDigit(secret) && /[A-Za-z]/.test(secret)),
  },
  {
    kind: 'slack-token',
    needs: ['xox', 'xapp-'],
    pattern: /(?<![A-Za-z0-9])(?:xox[a-z]|xapp)-(?<s>[A-Za-z0-9-]{10,250})/dg,
    accepts: (secret) => isFilledStart(secret) || hasDigit(secret),
  },
  {
    kind: 'slack-token',
    needs: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/(?<s>[A-Za-z0-9_/]{20,120})/dg,
  },
  {
    kind: 'google-key',
    needs: ['AIza'],
    pattern: /(?<![A-Za-z0-9])AIza(?<s>[\w-]{35})(?![\w-])/dg,
  },
  {
    kind: 'google-key',
    needs: ['ya29.', 'GOCSPX-'],
    pattern: /(?<![A-Za-z0-9])(?:ya29\.|GOCSPX-)(?<s>[\w-]{20,400})/dg,
  },
  {
    kind: 'stripe-key',
    needs: ['_live_', '_test_', 'whsec_'],
    pattern: /(?<![A-Za-z0-9])(?:[srp]k_(?:live|test)_|whsec_)(?<s>[A-Za-z0-9]{10,250})/dg,
  },
  {
    kind: 'npm-token',
    needs: ['npm_'],
    pattern: /(?<![A-Za-z0-9])npm_(?<s>[A-Za-z0-9]{36})(?![A-Za-z0-9])/dg,
  },
  {
    kind: 'pypi-token',
    needs: ['pypi-AgE'],
    pattern: /(?<![A-Za-z0-9])pypi-AgE(?<s>[\w-]{40,400})/dg,
  },
  {
    kind: 'hugging-face-token',
    needs: ['hf_'],
    pattern: /(?<![A-Za-z0-9])hf_(?<s>[A-Za-z0-9]{30,50})(?![A-Za-z0-9])/dg,
  },
  {
    kind: 'jwt',
    needs: ['eyJ'],
    pattern: /(?<![A-Za-z0-9])eyJ(?<s>[\w-]{6,4000}\.[\w-]{6,8000}(?:\.[\w-]{6,4000})?)(?![A-Za-z0-9])/dg,
  },
];

/** Secrets that are known by what stands before them. */
const NAMED_SHAPES: readonly ShapeKind[] = [
  {
    kind: 'url-password',
    needs: ['://'],
    pattern:
      /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@"'<>\\]{0,100}:(?<s>[^\s/@"'<>\\]{1,200})@/dgi,
    accepts: isValue,
  },
  {
    kind: 'authorization',
    needs: ['earer', 'EARER'],
    pattern: /\bbearer[ \t:]{1,3}(?<s>[\w.~+/-]{8,4000}={0,2})/dgi,
    accepts: (secret) => hasFilling(secret) || hasDigit(secret) || secret.length >= 24,
  },
  {
    kind: 'authorization',
    needs: ['asic ', 'ASIC '],
    pattern: /\bauthorization["']?[\s:=]{1,4}["']?basic[ \t]{1,3}(?<s>[A-Za-z0-9+/]{4,1000}={0,2})/dgi,
  },
];

const NAMES =
  '(?:passw(?:or)?d|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?|client[_-]?key|signing[_-]?key|encryption[_-]?key|auth[_-]?key|account[_-]?key)';
const NAMED_START = new RegExp(
  `(?<name>${NAMES}(?:[_-]?(?:id|key|value|hash|base|production|prod|staging|dev|test|live|\\d{1,3})){0,2})(?<mark>["']?[ \\t]{0,4}(?:=|:|=>|:=)[ \\t]{0,4}|[ \\t]{1,4}(?=["']?[^\\s"']))(?<quote>["'\`]?)`,
  'dgi',
);
/** Names that speak of tokens without being secret. */
const HARMLESS_NAME =
  /page|cursor|contin|sync|count|max|min|num|limit|total|used|usage|input|output|prompt|complet|cached|tokeniz|per_|budget|pad|eos|bos|unk|mask|sep|special|next|prev|hash|type|name|policy|prompt|field|label|length|url|path|file|dir/i;
const VALUE = /[^\s\x00-\x1f\x7f"'`,;<>(){}\\[\]]{6,400}/y;

/** Values that stand for a secret and are none. */
function isValue(value: string): boolean {
  return !/^(?:\$|%|\*|<|\{|x+$|\.+$|-+$)/i.test(value) || isFilledStart(value);
}

function isFilledStart(value: string): boolean {
  return /^x{4}/i.test(value);
}

function hasFilling(value: string): boolean {
  return isFilledStart(value) || /^.?0{6}/.test(value);
}

/** Bits a character, by the characters' own frequencies. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const unit of value) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** True if a value that is named as a secret looks drawn or chosen, not like a word, a path or a piece of code. */
function looksSecret(value: string, name: string, isQuoted: boolean): boolean {
  if (!isValue(value) || hasFilling(value)) return hasFilling(value);
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const isPassword = /pass|pwd/i.test(name);
  if (/^[\d.]+$/.test(value)) return isPassword && isQuoted && value.length >= 6;
  if (
    /^(?:true|false|null|none|undefined|string|required|optional|process|import|this|self|os)\b/i.test(value)
  )
    return false;
  if (/^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+$/.test(value) && !/\d{3}/.test(value)) return false;
  if (
    /^[./~]|^[a-z]+:\/\//.test(value) ||
    /^[A-Z][A-Z_]*$/.test(value) ||
    /^[a-z]+(?:[-_][a-z]+)*$/.test(value)
  )
    return false;
  if (isPassword) return kinds >= 2;
  return value.length >= 8 && kinds >= 2 && hasDigit(value) && entropyOf(value) >= 2.5;
}

function findNamed(text: string, tell: FindingListener): void {
  if (!/passw|pwd|secret|token|key|credential|passphrase/i.test(text)) return;
  for (const match of text.matchAll(NAMED_START)) {
    const { mark = '', quote = '' } = match.groups ?? {};
    const before = /[\w.-]*$/.exec(text.slice(Math.max(0, match.index - 40), match.index))?.[0] ?? '';
    const name = before + (match.groups?.name ?? '');
    // Without = or : only a command line's own flag names what follows.
    if (!/[=:]/.test(mark) && !/^--?[a-z]/i.test(name)) continue;
    if (HARMLESS_NAME.test(name) && !/secret|passw/i.test(name)) continue;
    VALUE.lastIndex = match.index + match[0].length;
    const found = VALUE.exec(text);
    if (found === null) continue;
    const value = found[0].replace(/[.:!?]+$/, '');
    const end = found.index + value.length;
    if (text[end] === '(' || text[end] === '[') continue;
    if (looksSecret(value, name, quote !== '')) {
      tell({ start: found.index, end, kind: 'named-secret', shape: 'body' });
    }
  }
}

const PEM_START = /-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_MOST = 40_000;

/** The lines of a private key; a block that is cut ends where its lines do. */
function findPem(text: string, tell: FindingListener): void {
  if (!text.includes('PRIVATE KEY')) return;
  let looked = 0;
  for (const match of text.matchAll(PEM_START)) {
    if (match.index < looked) continue;
    const from = match.index + match[0].length;
    const body = text.slice(from, from + PEM_MOST);
    const stop = body.indexOf('-----');
    const inner = stop < 0 ? keyLines(body) : body.slice(0, stop);
    looked = from + inner.length;
    const start = from + (inner.length - inner.trimStart().length);
    const end = from + inner.trimEnd().length;
    if (end - start >= 8) tell({ start, end, kind: 'private-key', shape: 'body' });
  }
}

/** The lines from the start that a key may consist of. */
function keyLines(body: string): string {
  let end = 0;
  for (const line of body.split('\n')) {
    if (!/^[A-Za-z0-9+/=\s]*$|^[A-Z][\w-]{1,30}: /.test(line)) break;
    end += line.length + 1;
  }
  return body.slice(0, end);
}

function findShapes(shapes: readonly ShapeKind[], text: string, tell: FindingListener): void {
  for (const { kind, needs, pattern, accepts } of shapes) {
    if (!needs.some((need) => text.includes(need))) continue;
    for (const match of text.matchAll(pattern)) {
      const span = match.indices?.groups?.s;
      const secret = match.groups?.s;
      if (span === undefined || secret === undefined || accepts?.(secret) === false) continue;
      tell({ start: span[0], end: span[1], kind, shape: 'body' });
    }
  }
}

/** Finds keys that are known by their shape alone. */
export function findKeys(text: string, tell: FindingListener): void {
  findShapes(KEY_SHAPES, text, tell);
}

/** Finds everything of this file, the surer first. */
export function findSecrets(text: string, tell: FindingListener): void {
  findPem(text, tell);
  findKeys(text, tell);
  findShapes(NAMED_SHAPES, text, tell);
  findNamed(text, tell);
}

/** The names of the kinds of this file. */
export const SECRET_KINDS: readonly string[] = [
  ...new Set([...KEY_SHAPES, ...NAMED_SHAPES].map(({ kind }) => kind)),
  'named-secret',
  'private-key',
];
