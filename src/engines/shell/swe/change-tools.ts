/**
 * Tools that change files: write, edit, several edits, insert, undo.
 */
import { linesOfText } from './read-tools.js';
import type { Call, Said, Working } from './tool-call.js';

/** Why a file may not be changed now; undefined where it may. */
function refusal(call: Call, path: string, text: string): Said | undefined {
  if (!call.texts.mustRead) return undefined;
  const known = call.bench.state.known[path];
  if (known === undefined) return call.say('notRead', { path });
  return known === text ? undefined : call.say('changedSince', { path });
}

function* put(call: Call, path: string, text: string, before: string | undefined): Working<Said | undefined> {
  const result = yield* call.bench.work({ do: 'write', path, text });
  if (result.exitCode !== 0) return call.say('denied', { error: result.output });
  const { state } = call.bench;
  const history =
    before === undefined
      ? state.before
      : { ...state.before, [path]: [...(state.before[path] ?? []), before].slice(-20) };
  call.bench.state = { ...state, before: history, known: { ...state.known, [path]: text } };
  return undefined;
}

/** Writes a whole file. */
export function* writeTool(call: Call): Working<Said> {
  const path = call.path(call.text('path') ?? '');
  const text = call.text('content') ?? '';
  const seen = call.bench.look((files) => files.look(path));
  if (seen.kind === 'folder')
    return call.say('denied', { error: `EISDIR: illegal operation on a directory, open '${path}'` });
  if (seen.kind === 'file') {
    if (call.texts.texts.exists !== '') return call.say('exists', { path });
    const refused = refusal(call, path, seen.text);
    if (refused !== undefined) return refused;
  }
  const failed = yield* put(call, path, text, seen.kind === 'file' ? seen.text : undefined);
  return failed ?? call.say(seen.kind === 'file' ? 'overwrote' : 'created', { path });
}

/** Where a text stands in another, from the left, without overlaps. */
function places(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0 && part !== ''; at = text.indexOf(part, at + part.length))
    found.push(at);
  return found;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

interface Edit {
  readonly old: string;
  readonly now: string;
  readonly all: boolean;
}

/** One edit of a text; words where it cannot be done. */
function edited(
  call: Call,
  path: string,
  text: string,
  { old, now, all }: Edit,
): { readonly text: string; readonly count: number; readonly at: number } | Said {
  if (old === now) return call.say('same', { path });
  const found = places(text, old);
  if (found.length === 0) return call.say('notFound', { path, old });
  if (found.length > 1 && !all) {
    const lines = `[${found.map((at) => lineAt(text, at)).join(', ')}]`;
    return call.say('several', { path, old, count: found.length, lines });
  }
  return { text: text.split(old).join(now), count: found.length, at: found[0] ?? 0 };
}

/** Replaces a text in a file. */
export function* editTool(call: Call): Working<Said> {
  const path = call.path(call.text('path') ?? '');
  const edit = {
    old: call.text('oldText') ?? '',
    now: call.text('newText') ?? '',
    all: call.own('replace_all') === true || call.own('allow_multiple') === true,
  };
  const seen = call.bench.look((files) => files.look(path));
  if (seen.kind !== 'file') {
    if (seen.kind === 'nothing' && edit.old === '' && call.texts.texts.exists === '') {
      const failed = yield* put(call, path, edit.now, undefined);
      return failed ?? call.say('created', { path });
    }
    return call.say('editMissing', { path });
  }
  const refused = refusal(call, path, seen.text);
  if (refused !== undefined) return refused;
  const result = edited(call, path, seen.text, edit);
  if (!('count' in result)) return result;
  const failed = yield* put(call, path, result.text, seen.text);
  if (failed !== undefined) return failed;
  const text = snippet(call, result.text, lineAt(seen.text, result.at), edit.now.split('\n').length - 1);
  return call.say(edit.all ? 'editedAll' : 'edited', { path, text, count: result.count });
}

/** Lines around an edit, numbered. */
function snippet(call: Call, text: string, line: number, added: number): string {
  const lines = text.split('\n');
  const from = Math.max(0, line - 1 - call.texts.snippetLines);
  const to = line - 1 + call.texts.snippetLines + added;
  const shown = lines.slice(from, to + 1);
  if (call.texts.lineMark === null) return shown.join('\n');
  return call.numbered(shown, from + 1);
}

/** Several replacements in one file, all or none. */
export function* multiEditTool(call: Call): Working<Said> {
  const path = call.path(call.text('path') ?? '');
  const items = call.use.fields.items;
  const edits = (Array.isArray(items) ? items : []) as readonly Readonly<Record<string, unknown>>[];
  const seen = call.bench.look((files) => files.look(path));
  if (seen.kind !== 'file') return call.say('editMissing', { path });
  const refused = refusal(call, path, seen.text);
  if (refused !== undefined) return refused;
  let { text } = seen;
  const rows: string[] = [];
  for (const [at, one] of edits.entries()) {
    const edit = {
      old: String(one.old_string ?? ''),
      now: String(one.new_string ?? ''),
      all: one.replace_all === true,
    };
    const result = edited(call, path, text, edit);
    if (!('count' in result)) return result;
    text = result.text;
    rows.push(
      `${at + 1}. Replaced "${edit.old.slice(0, 50)}${edit.old.length > 50 ? '...' : ''}" with "${edit.now.slice(0, 50)}${edit.now.length > 50 ? '...' : ''}"`,
    );
  }
  const failed = yield* put(call, path, text, seen.text);
  return failed ?? call.say('multiEdited', { path, count: edits.length, list: rows.join('\n') });
}

/** Inserts lines after a line. */
export function* insertTool(call: Call): Working<Said> {
  const path = call.path(call.text('path') ?? '');
  const seen = call.bench.look((files) => files.look(path));
  if (seen.kind !== 'file') return call.say('editMissing', { path });
  const lines = linesOfText(seen.text);
  const line = call.number('line') ?? -1;
  if (line < 0 || line > lines.length) return call.say('badLine', { status: line, count: lines.length });
  const added = (call.text('newText') ?? String(call.own('insert_text') ?? ''))
    .replace(/\n$/, '')
    .split('\n');
  const text = `${[...lines.slice(0, line), ...added, ...lines.slice(line)].join('\n')}\n`;
  const failed = yield* put(call, path, text, seen.text);
  return failed ?? call.say('inserted', { path, text: snippet(call, text, line + 1, added.length - 1) });
}

/** Takes the last change of a file back. */
export function* undoTool(call: Call): Working<Said> {
  const path = call.path(call.text('path') ?? '');
  const history = call.bench.state.before[path] ?? [];
  const last = history[history.length - 1];
  if (last === undefined) return call.say('nothingToUndo', { path });
  const failed = yield* put(call, path, last, undefined);
  call.bench.state = {
    ...call.bench.state,
    before: { ...call.bench.state.before, [path]: history.slice(0, -1) },
  };
  return failed ?? call.say('undone', { path, text: call.numbered(linesOfText(last)) });
}
