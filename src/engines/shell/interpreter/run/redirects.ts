/**
 * Redirections: expanded in the shell, applied in the shell (and undone) or in a child.
 *
 * The idea: a redirection becomes a plain operation on descriptors first; what can fail is opening. Saved descriptors lie
 * at 10 and above, as in bash. Source: bash manual, Redirections; messages as observed in bash 5.2.
 */
import { type OpenFlags, type Process, type Running, SystemError, toBytes } from '../../kernel/index.js';
import { OpenComputed } from '../../kernel/open-file.js';
import type { Redirect } from '../../syntax/ast.js';
import { parseParts } from '../../syntax/word-parts.js';
import { expandFields, expandParts, expandText } from '../expand/expander.js';
import { readName, writeName } from '../expand/names.js';
import { TextSink } from '../expand/sinks.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { withOutputs } from './substitution.js';

/** One operation on descriptors. */
type Operation =
  | {
      readonly kind: 'open';
      readonly fd: number;
      readonly path: string;
      readonly flags: OpenFlags;
      readonly both: boolean;
      readonly noclobber: boolean;
    }
  | {
      readonly kind: 'dup';
      readonly fd: number;
      readonly from: number;
      readonly move: boolean;
      readonly shown: string;
    }
  | { readonly kind: 'close'; readonly fd: number }
  | { readonly kind: 'text'; readonly fd: number; readonly text: string };

/** A redirection ready to be applied; `variable` gets the descriptor's number. */
export interface PreparedRedirect {
  readonly operation: Operation;
  readonly variable?: string;
}

/** A redirection that failed: the message without the shell's prefix. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

const READ: OpenFlags = { read: true };
const WRITE: OpenFlags = { write: true, create: true, truncate: true };
const APPEND: OpenFlags = { write: true, append: true, create: true };
const BOTH: OpenFlags = { read: true, write: true, create: true };

/** Expands redirections; what they need of command outputs is run. */
export function* prepareRedirects(shell: Shell, redirects: readonly Redirect[]): Running<PreparedRedirect[]> {
  const out: PreparedRedirect[] = [];
  for (const redirect of redirects) out.push(yield* withOutputs(shell, () => prepare(shell, redirect)));
  return out;
}

function prepare(shell: Shell, redirect: Redirect): PreparedRedirect {
  const { operator, variable } = redirect;
  const fd = redirect.fd ?? (operator.startsWith('<') ? 0 : 1);
  const named = variable === undefined ? {} : { variable };
  if (redirect.heredoc !== undefined) {
    const { body, quoted } = redirect.heredoc;
    return { operation: { kind: 'text', fd, text: quoted ? body : heredocText(shell, redirect) }, ...named };
  }
  if (operator === '<<<')
    return { operation: { kind: 'text', fd, text: `${expandText(shell, redirect.target)}\n` }, ...named };
  const target = targetOf(shell, redirect);
  if (operator === '<&' || operator === '>&') {
    const match = /^(\d+)(-?)$/.exec(target);
    if (target === '-') {
      const held = variable === undefined ? fd : Number(readName(shell, variable) ?? Number.NaN);
      return { operation: { kind: 'close', fd: held } };
    }
    if (match !== null)
      return {
        operation: { kind: 'dup', fd, from: Number(match[1]), move: match[2] === '-', shown: target },
        ...named,
      };
    if (operator === '<&' || redirect.fd !== undefined)
      throw new ShellFailure(`${redirect.target.text}: ambiguous redirect`, 'command');
    return { operation: opening(fd, target, { flags: WRITE, both: true, noclobber: shell.is('noclobber') }) };
  }
  switch (operator) {
    case '<':
      return { operation: opening(fd, target, { flags: READ }), ...named };
    case '<>':
      return { operation: opening(fd, target, { flags: BOTH }), ...named };
    case '>>':
      return { operation: opening(fd, target, { flags: APPEND }), ...named };
    case '>|':
      return { operation: opening(fd, target, { flags: WRITE }), ...named };
    case '&>>':
      return { operation: opening(1, target, { flags: APPEND, both: true }) };
    case '&>':
      return {
        operation: opening(1, target, { flags: WRITE, both: true, noclobber: shell.is('noclobber') }),
      };
    default:
      return { operation: opening(fd, target, { flags: WRITE, noclobber: shell.is('noclobber') }), ...named };
  }
}

function opening(
  fd: number,
  path: string,
  how: { flags: OpenFlags; both?: boolean; noclobber?: boolean },
): Operation {
  return {
    kind: 'open',
    fd,
    path,
    flags: how.flags,
    both: how.both === true,
    noclobber: how.noclobber === true,
  };
}

function heredocText(shell: Shell, redirect: Redirect): string {
  const word = redirect.target as { parsed?: { heredoc?: ReturnType<typeof parseParts> } };
  word.parsed ??= {};
  word.parsed.heredoc ??= parseParts(redirect.heredoc?.body ?? '', 'double', shell.readOptions());
  const sink = new TextSink();
  expandParts(shell, word.parsed.heredoc, sink);
  return sink.text;
}

function targetOf(shell: Shell, redirect: Redirect): string {
  const fields: string[] = [];
  expandFields(shell, redirect.target, fields);
  const [target] = fields;
  if (target === undefined || fields.length > 1)
    throw new ShellFailure(`${redirect.target.text}: ambiguous redirect`, 'command');
  return target;
}

/** Descriptors as they were before; `undo` brings them back. */
export class SavedDescriptors {
  private readonly saved: { fd: number; at: number | undefined }[] = [];

  constructor(private readonly proc: Process) {}

  /** Keeps what a descriptor is now. */
  keep(fd: number): void {
    const { proc } = this;
    if (!proc.isOpen(fd)) {
      this.saved.push({ fd, at: undefined });
      return;
    }
    this.saved.push({ fd, at: proc.place(proc.file(fd), { from: 10, closeOnExec: true }) });
  }

  /** Brings everything back, the last first. */
  undo(): void {
    const { proc } = this;
    for (const { fd, at } of this.saved.reverse()) {
      if (at === undefined) {
        if (proc.isOpen(fd)) proc.close(fd);
      } else {
        proc.dup2(at, fd);
        proc.close(at);
      }
    }
    this.saved.length = 0;
  }

  /** Lets the changes stay. */
  forget(): void {
    for (const { at } of this.saved) if (at !== undefined && this.proc.isOpen(at)) this.proc.close(at);
    this.saved.length = 0;
  }
}

/** Applies redirections to a proc. `saved` keeps what was there. @throws RedirectError */
export function* applyRedirects(
  proc: Process,
  redirects: readonly PreparedRedirect[],
  how: { readonly saved?: SavedDescriptors; readonly shell?: Shell } = {},
): Running<void> {
  for (const redirect of redirects) {
    try {
      yield* apply(proc, redirect, how);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      throw new RedirectError(describe(redirect.operation, error));
    }
  }
}

function describe(operation: Operation, error: SystemError): string {
  if (operation.kind === 'open') return `${operation.path}: ${error.text}`;
  if (operation.kind === 'dup') return `${operation.shown}: ${error.text}`;
  if (operation.kind === 'close') return `${operation.fd}: ${error.text}`;
  return `cannot create temp file for here-document: ${error.text}`;
}

function* apply(
  proc: Process,
  redirect: PreparedRedirect,
  how: { readonly saved?: SavedDescriptors; readonly shell?: Shell },
): Running<void> {
  const { operation, variable } = redirect;
  if (variable !== undefined && operation.kind !== 'close') {
    const opened = yield* sourceOf(proc, operation);
    const fd = proc.place(proc.file(opened), { from: 10 });
    if (operation.kind !== 'dup') proc.close(opened);
    if (how.shell !== undefined) writeName(how.shell, { name: variable, value: String(fd) });
    return;
  }
  how.saved?.keep(operation.fd);
  if (operation.kind === 'close') {
    if (proc.isOpen(operation.fd)) proc.close(operation.fd);
    return;
  }
  if (operation.kind === 'dup') {
    proc.dup2(operation.from, operation.fd);
    if (operation.move && operation.from !== operation.fd) {
      how.saved?.keep(operation.from);
      proc.close(operation.from);
    }
    return;
  }
  const opened = yield* sourceOf(proc, operation);
  if (opened !== operation.fd) {
    proc.dup2(opened, operation.fd);
    proc.close(opened);
  }
  if (operation.kind === 'open' && operation.both) {
    how.saved?.keep(2);
    proc.dup2(operation.fd, 2);
  }
}

/** A descriptor that gives a text: here-documents and here-strings. */
function openText(proc: Process, text: string): number {
  return proc.place(new OpenComputed(proc.kernel.pipeInode(proc.actor), toBytes(text), '/tmp/sh-thd'));
}

/** Opens what an operation reads or writes; the lowest free descriptor. */
function* sourceOf(proc: Process, operation: Operation): Running<number> {
  if (operation.kind === 'dup') return operation.from;
  if (operation.kind === 'text') return openText(proc, operation.text);
  if (operation.kind === 'close') return operation.fd;
  const device = /^\/dev\/(?:fd\/(\d+)|(std(?:in|out|err)))$/.exec(operation.path);
  if (device !== null) {
    const fd =
      device[1] === undefined ? ['stdin', 'stdout', 'stderr'].indexOf(device[2] ?? '') : Number(device[1]);
    if (proc.isOpen(fd)) return proc.dup(fd);
  }
  if (operation.noclobber) {
    const exists = proc.exists(operation.path);
    if (exists && proc.stat(operation.path).kind === 'file')
      throw new RedirectError(`${operation.path}: cannot overwrite existing file`);
  }
  return yield* proc.open(operation.path, operation.flags);
}
