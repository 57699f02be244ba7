/**
 * Reading one edited line from a terminal, key by key; and the checkpoint that lets a machine be copied meanwhile.
 */
import type { Json } from '../../../../core/index.js';
import type { Checkpoint } from '../../kernel/checkpoint.js';
import { type Process, type Program, type Running, SystemError, toText } from '../../kernel/index.js';
import { flushOutput } from '../run/output.js';
import { trampoline } from '../run/trampoline.js';
import { installInteractiveSignals, installTrap, runPendingTraps } from '../run/traps.js';
import type { Shell } from '../shell.js';
import { completeWord } from './completion.js';
import { type EditorState, LineEditor } from './line-editor.js';
import { readCommands, type SessionState } from './session.js';
import { decodeImage, encodeImage, imageOf, type ShellImage, shellOf } from './shell-image.js';

/** What was typed. */
export type TypedLine =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'end' }
  | { readonly kind: 'interrupt' };

/** What is needed to read a line. */
export interface LineWish {
  readonly prompt: string;
  /** Lines of the same command before it. */
  readonly typed: string;
  /** A line that was being edited when the machine was copied. */
  readonly editor: EditorState | undefined;
}

/** A wish that is being fulfilled, and how the terminal is set back afterwards. */
type BegunWish = LineWish & { readonly terminal: NonNullable<EditorState['terminal']> };

/** A session that was copied. */
interface Captured {
  readonly image: ShellImage;
  readonly session: SessionState;
}

const RAW = { icanon: false, echo: false, icrnl: false };

/** Reads one line. */
export function* editLine(shell: Shell, wish: LineWish): Running<TypedLine> {
  const own = shell.process;
  const { columns } = own.windowSize(0);
  const host = {
    history: shell.history,
    columns,
    killed: shell.killRing,
    complete: (line: string, cursor: number) => completeWord(shell, line, cursor),
  };
  const editor = new LineEditor(host, wish.prompt);
  const { icanon, echo, icrnl } = wish.editor?.terminal ?? own.tcgetattr(0);
  const terminal = { icanon, echo, icrnl };
  own.tcsetattr(0, RAW);
  if (wish.editor !== undefined) editor.restore(wish.editor);
  else yield* own.write(2, editor.start());
  try {
    return yield* readKeys(shell, editor, { ...wish, terminal });
  } finally {
    own.checkpoint = null;
    own.tcsetattr(0, terminal);
  }
}

function* readKeys(shell: Shell, editor: LineEditor, wish: BegunWish): Running<TypedLine> {
  const own = shell.process;
  let bytes: number[] = [];
  for (;;) {
    shell.wasInterrupted = false;
    own.wasInterrupted = false;
    own.checkpoint = bytes.length === 0 ? checkpointOf(shell, editor, wish) : null;
    let read: Uint8Array;
    try {
      read = yield* own.read(0, 1);
    } catch (error) {
      if (!(error instanceof SystemError) || error.code !== 'EINTR') throw error;
      yield* runPendingTraps(shell);
      yield* own.write(2, '^C\n');
      yield* flushOutput(shell);
      return { kind: 'interrupt' };
    }
    if (read.length === 0) return { kind: 'end' };
    bytes.push(read[0] as number);
    const text = toText(Uint8Array.from(bytes));
    // A character of several bytes is waited for.
    if (bytes.length < 4 && /[\udc80-\udcff]/.test(text) && (bytes[0] as number) >= 0xc2) continue;
    bytes = [];
    for (const char of text) {
      const result = editor.key(char);
      const out = wish.terminal.echo ? result.out : result.done === 'line' ? '\n' : '';
      if (out !== '') yield* own.write(2, out);
      if (result.done === 'line') return { kind: 'line', text: editor.text };
      if (result.done === 'end') return { kind: 'end' };
    }
  }
}

/** What lets the machine copy the shell while it waits for a key. */
function checkpointOf(shell: Shell, editor: LineEditor, wish: BegunWish): Checkpoint | null {
  if (shell.jobs.jobs.length > 0 || shell.subshellLevel > 0) return null;
  const checkpoint: Checkpoint<Captured> = {
    capture: () => ({
      image: imageOf(shell),
      session: { typed: wish.typed, editor: { ...editor.state(), terminal: wish.terminal } },
    }),
    resume: (captured) => resumeSession(captured),
    encode: ({ image, session }) => ({
      image: encodeImage(image),
      session: { typed: session.typed, editor: { ...(session.editor as EditorState) } },
    }),
    decode: (json: Json) => {
      const data = json as unknown as { image: Json; session: SessionState };
      return { image: decodeImage(data.image), session: data.session };
    },
  };
  return checkpoint as Checkpoint;
}

/** A program that goes on at the prompt. */
function resumeSession({ image, session }: Captured): Program {
  return function* (process: Process) {
    const shell = shellOf(image, process);
    installInteractiveSignals(shell);
    for (const name of shell.traps.keys()) installTrap(shell, name);
    return yield* trampoline(readCommands(shell, session));
  };
}
