/**
 * Git's objects: their bytes, their names (SHA-1 of header and bytes), and the forms of trees, commits and tags.
 *
 * Source: gitformat-object, "Git Internals" of the Git documentation. Not covered: SHA-256 repositories, signatures
 * (kept as further headers).
 */
import { sha1 } from '@noble/hashes/legacy.js';
import { joinBytes, toBytes, toText } from '../../../kernel/index.js';

/** The kinds of objects. */
export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag';

/** One object. */
export interface GitObject {
  readonly type: ObjectType;
  readonly bytes: Uint8Array;
}

/** One name in a tree. `mode` as git prints it: 100644, 100755, 120000, 40000, 160000 (octal text without zeros). */
export interface TreeEntry {
  readonly mode: string;
  readonly name: string;
  readonly oid: string;
}

/** A person at a moment: `when` in seconds since 1970, `zone` as `+0100`. */
export interface Ident {
  readonly name: string;
  readonly email: string;
  readonly when: number;
  readonly zone: string;
}

/** A commit. */
export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Ident;
  readonly committer: Ident;
  readonly message: string;
}

/** An annotated tag. */
export interface Tag {
  readonly object: string;
  readonly type: ObjectType;
  readonly tag: string;
  readonly tagger: Ident | undefined;
  readonly message: string;
}

/** The name of nothing. */
export const ZERO_OID = '0'.repeat(40);
/** The tree without entries. */
export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Bytes as hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** Hexadecimal digits as bytes. */
export function bytesOfHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

/** An object with its header, as it is hashed and stored. */
export function framed({ type, bytes }: GitObject): Uint8Array {
  return joinBytes([toBytes(`${type} ${bytes.length}\0`), bytes]);
}

/** An object's name: 40 hexadecimal digits. */
export function oidOf(object: GitObject): string {
  return hexOf(sha1(framed(object)));
}

/** The SHA-1 of bytes in hexadecimal digits. */
export function sha1Hex(bytes: Uint8Array): string {
  return hexOf(sha1(bytes));
}

/** The entries of a tree object. */
export function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) break;
    entries.push({
      mode: toText(bytes.subarray(at, space)),
      name: toText(bytes.subarray(space + 1, end)),
      oid: hexOf(bytes.subarray(end + 1, end + 21)),
    });
    at = end + 21;
  }
  return entries;
}

/** The bytes of a tree; folders sort as if their names ended in a slash. */
export function renderTree(entries: readonly TreeEntry[]): Uint8Array {
  const keyed = entries.map((entry) => ({
    entry,
    key: toBytes(entry.mode === '40000' ? `${entry.name}/` : entry.name),
  }));
  keyed.sort((one, other) => compareByteArrays(one.key, other.key));
  return joinBytes(
    keyed.flatMap(({ entry }) => [toBytes(`${entry.mode} ${entry.name}\0`), bytesOfHex(entry.oid)]),
  );
}

function compareByteArrays(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** A person at a moment as a commit holds it. */
export function renderIdent({ name, email, when, zone }: Ident): string {
  return `${name} <${email}> ${when} ${zone}`;
}

/** Reads a person at a moment; what is missing is empty or 0. */
export function parseIdent(text: string): Ident {
  const match = /^(.*?) ?<([^>]*)>(?: (-?\d+) ([+-]\d{4}))?/.exec(text);
  if (match === null) return { name: text, email: '', when: 0, zone: '+0000' };
  return {
    name: match[1] ?? '',
    email: match[2] ?? '',
    when: Number(match[3] ?? 0),
    zone: match[4] ?? '+0000',
  };
}

/** Headers and message of a commit or tag; a header's further lines begin with a space. */
function parseHeaders(text: string): { headers: [string, string][]; message: string } {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text.replace(/\n$/, '') : text.slice(0, end);
  const headers: [string, string][] = [];
  for (const line of head.split('\n')) {
    if (line.startsWith(' ')) continue;
    const space = line.indexOf(' ');
    headers.push([line.slice(0, space), line.slice(space + 1)]);
  }
  return { headers, message: end < 0 ? '' : text.slice(end + 2) };
}

/** Reads a commit; what is missing is empty. */
export function parseCommit(bytes: Uint8Array): Commit {
  const { headers, message } = parseHeaders(toText(bytes));
  const one = (name: string): string => headers.find(([key]) => key === name)?.[1] ?? '';
  return {
    tree: one('tree'),
    parents: headers.filter(([key]) => key === 'parent').map(([, value]) => value),
    author: parseIdent(one('author')),
    committer: parseIdent(one('committer')),
    message,
  };
}

/** The bytes of a commit. */
export function renderCommit(commit: Commit): Uint8Array {
  const lines = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${renderIdent(commit.author)}`,
    `committer ${renderIdent(commit.committer)}`,
  ];
  return toBytes(`${lines.join('\n')}\n\n${commit.message}`);
}

/** Reads a tag. */
export function parseTag(bytes: Uint8Array): Tag {
  const { headers, message } = parseHeaders(toText(bytes));
  const one = (name: string): string | undefined => headers.find(([key]) => key === name)?.[1];
  const tagger = one('tagger');
  return {
    object: one('object') ?? '',
    type: (one('type') ?? 'commit') as ObjectType,
    tag: one('tag') ?? '',
    tagger: tagger === undefined ? undefined : parseIdent(tagger),
    message,
  };
}

/** The bytes of a tag. */
export function renderTag(tag: Tag): Uint8Array {
  const tagger = tag.tagger === undefined ? '' : `tagger ${renderIdent(tag.tagger)}\n`;
  return toBytes(`object ${tag.object}\ntype ${tag.type}\ntag ${tag.tag}\n${tagger}\n${tag.message}`);
}

/** The first line(s) of a message, joined: what `%s` and `--oneline` show. */
export function subjectOf(message: string): string {
  return (message.replace(/^\n+/, '').split(/\n[ \t]*\n/)[0] ?? '').trimEnd().split('\n').join(' ');
}

/** What follows the subject. */
export function bodyOf(message: string): string {
  const match = /\n[ \t]*\n/.exec(message.replace(/^\n+/, ''));
  if (match === null) return '';
  return message
    .replace(/^\n+/, '')
    .slice(match.index)
    .replace(/^\s*\n/, '');
}
