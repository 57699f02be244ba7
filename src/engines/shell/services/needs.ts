/**
 * What a daemon needs to come up: looked at as the daemon's own user, with the machine's permissions, clock and disk.
 */
import { parsePosix } from '../commands/tools/regex/parse-posix.js';
import { Regex } from '../commands/tools/regex/regex.js';
import { RegexSyntaxError } from '../commands/tools/regex/regex-tree.js';
import { type Process, SystemError, toText } from '../kernel/index.js';
import { decodeCertificate } from './certificate.js';
import type { ServiceNeed, ServicePort } from './service-spec.js';

/** Longer configuration files are read up to here. */
const MAX_BYTES = 1 << 20;

/** What is wrong with a need, in the daemon's words; null where all is well. */
export function unmetNeed(proc: Process, need: ServiceNeed): string | null {
  const why = whyNot(proc, need);
  return why === null ? null : (need.says ?? why);
}

function whyNot(proc: Process, need: ServiceNeed): string | null {
  try {
    if (need.writable !== undefined) return notWritable(proc, need.writable);
    if (need.certificate !== undefined) return notInDate(proc, need.certificate);
    if (need.file !== undefined) return notFitting(need, readWhole(proc, need.file));
    return null;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    const path = need.file ?? need.certificate ?? need.writable ?? '';
    return `cannot open ${path}: ${error.text}`;
  }
}

function notWritable(proc: Process, path: string): string | null {
  const inode = proc.stat(path);
  proc.access(path, 2);
  if (inode.kind !== 'directory') return null;
  const probe = `${path}/.probe-${proc.pid}`;
  try {
    const fd = proc.openNow(probe, { write: true, create: true });
    try {
      proc.file(fd).writeNow(new Uint8Array([10]));
    } finally {
      proc.close(fd);
      proc.unlink(probe);
    }
    return null;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return `cannot write to ${path}: ${error.text}`;
  }
}

function notInDate(proc: Process, path: string): string | null {
  const certificate = decodeCertificate(readWhole(proc, path));
  if (certificate === null) return `cannot load certificate ${path}: no start line`;
  const nowMs = proc.now() / 1000;
  if (nowMs > certificate.notAfterMs) return `certificate ${path} has expired`;
  return nowMs < certificate.notBeforeMs ? `certificate ${path} is not yet valid` : null;
}

function notFitting({ file = '', holds, lacks, json }: ServiceNeed, text: string): string | null {
  const lines = text.replace(/\n$/, '').split('\n');
  if (json === true) {
    try {
      JSON.parse(text);
    } catch {
      return `${file}: not valid JSON`;
    }
  }
  if (lacks !== undefined) {
    const regex = lineRegex(lacks);
    const at = lines.findIndex((line) => regex.test(line));
    if (at >= 0) return `${file}:${at + 1}: invalid line "${lines[at] ?? ''}"`;
  }
  if (holds !== undefined) {
    const regex = lineRegex(holds);
    if (!lines.some((line) => regex.test(line))) return `${file}: a required setting is missing or invalid`;
  }
  return null;
}

/** The port that a daemon will listen on now: the one in its file, or the one of the world. */
export function portNow(proc: Process, given: ServicePort): number {
  const { from } = given;
  if (from === undefined) return given.port;
  try {
    const regex = lineRegex(from.match);
    for (const line of readWhole(proc, from.file).split('\n')) {
      const found = regex.search(line);
      const [start = -1, end = -1] = found === null ? [] : [found[2], found[3]];
      const port = Number(line.slice(start, end));
      if (found !== null && Number.isInteger(port) && port > 0 && port < 65_536) return port;
    }
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
  }
  return given.port;
}

/** A whole file, as a process may read it. Raises what opening raises. */
export function readWhole(proc: Process, path: string): string {
  const fd = proc.openNow(path);
  try {
    return toText(proc.file(fd).readNow(MAX_BYTES) ?? new Uint8Array(0));
  } finally {
    proc.close(fd);
  }
}

const regexes = new Map<string, Regex>();

function lineRegex(pattern: string): Regex {
  let regex = regexes.get(pattern);
  if (regex === undefined) {
    regex = new Regex(parsePosix(pattern, DIALECT));
    if (regexes.size > 500) regexes.clear();
    regexes.set(pattern, regex);
  }
  return regex;
}

const DIALECT = {
  extended: true,
  danglingRepeat: 'error',
  literalBadInterval: false,
  literalRightParen: false,
  ignoreCase: false,
} as const;

/** What is wrong with an expression; null where it can be used. */
export function regexProblem(pattern: string): string | null {
  try {
    lineRegex(pattern);
    return null;
  } catch (error) {
    if (error instanceof RegexSyntaxError) return error.message;
    throw error;
  }
}
