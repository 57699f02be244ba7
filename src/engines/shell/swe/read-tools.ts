/**
 * Tools that look: read, list, glob, grep.
 */
import { matchPath } from '../commands/git/work/ignore.js';
import type { MachineFiles, SeenEntry } from './machine-files.js';
import type { Call, Said, Working } from './tool-call.js';

/** A file's lines; a text that ends in a newline has no empty last line. */
export function linesOfText(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  return lines;
}

const EMPTY_LAST = new Set(['→', '\t']);

/** Shows a file's lines, or a folder where the harness does. */
export function readTool(call: Call): Said {
  const path = call.path(call.text('path') ?? '');
  const seen = call.bench.look((files) => files.look(path));
  if (seen.kind === 'nothing') return call.say('readMissing', { path });
  if (seen.kind === 'denied') return call.say('denied', { error: seen.why });
  if (seen.kind === 'folder') return call.say('readFolder', { path, list: twoLevels(call, path) });
  call.remember(path, seen.text);
  const { lineMark, readLines } = call.texts;
  const range = call.use.fields.offset;
  const all =
    lineMark !== null && EMPTY_LAST.has(lineMark) && call.texts.mustRead
      ? seen.text.split('\n')
      : linesOfText(seen.text);
  if (seen.text === '') return call.say('readEmpty', { path });
  if (Array.isArray(range)) {
    const [from = 1, to = -1] = range.map(Number);
    const last = to === -1 ? all.length : to;
    if (from < 1 || from > all.length)
      return {
        isError: true,
        text: `Invalid \`view_range\` parameter: [${from}, ${to}]. Its first element \`${from}\` should be within the range of lines of the file: [1, ${all.length}]`,
      };
    if (last > all.length)
      return {
        isError: true,
        text: `Invalid \`view_range\` parameter: [${from}, ${to}]. Its second element \`${to}\` should be smaller than the number of lines in the file: \`${all.length}\``,
      };
    return call.say('read', { path, text: call.numbered(all.slice(from - 1, last), from) });
  }
  const start =
    lineMark === null ? (call.number('offset') ?? 0) : Math.max(1, call.number('offset') ?? 1) - 1;
  const count = call.number('limit') ?? readLines;
  const shown = all.slice(start, start + count);
  if (lineMark === null) {
    const isCut = start > 0 || start + count < all.length;
    if (!isCut) return call.say('read', { path, text: seen.text });
    return call.say('readCut', {
      path,
      text: call.numbered(shown),
      from: start + 1,
      to: start + shown.length,
      count: all.length,
      next: start + shown.length + 1,
    });
  }
  if (shown.length === 0)
    return {
      isError: false,
      text: `<system-reminder>Warning: the file exists but is shorter than the provided offset (${start + 1}). The file has ${all.length} lines.</system-reminder>`,
    };
  return call.say('read', { path, text: call.numbered(shown, start + 1) });
}

function twoLevels(call: Call, path: string): string {
  return call.bench.look((files) => {
    const rows = [path];
    for (const entry of files.list(path)) {
      if (entry.name.startsWith('.')) continue;
      rows.push(entry.isFolder ? `${entry.path}/` : entry.path);
      if (entry.isFolder)
        for (const inner of files.list(entry.path))
          if (!inner.name.startsWith('.')) rows.push(inner.isFolder ? `${inner.path}/` : inner.path);
    }
    return rows.join('\n');
  });
}

/** Lists a folder. */
export function listTool(call: Call): Said {
  const path = call.path(call.text('folder') ?? '.');
  const found = call.bench.look((files) =>
    files.look(path).kind === 'folder' ? files.list(path) : undefined,
  );
  if (found === undefined) return call.say('listMissing', { path });
  if (call.texts.lineMark === null) {
    const sorted = [...found].sort(
      (one, other) => Number(other.isFolder) - Number(one.isFolder) || (one.name < other.name ? -1 : 1),
    );
    const list = sorted.map((entry) => (entry.isFolder ? `[DIR] ${entry.name}` : entry.name)).join('\n');
    return found.length === 0
      ? { text: `Directory ${path} is empty.`, isError: false }
      : call.say('listed', { path, list });
  }
  const rows = call.bench.look((files) => treeRows(files, path, 1));
  return call.say('listed', { path, list: [`- ${path}/`, ...rows].join('\n') });
}

function treeRows(files: MachineFiles, path: string, depth: number): string[] {
  return files.list(path).flatMap((entry) => {
    if (entry.name.startsWith('.') || entry.name === '__pycache__') return [];
    const row = `${'  '.repeat(depth)}- ${entry.name}${entry.isFolder ? '/' : ''}`;
    return entry.isFolder && depth < 8 ? [row, ...treeRows(files, entry.path, depth + 1)] : [row];
  });
}

/** Entries that searches leave out. */
function skipped(entry: SeenEntry): boolean {
  return entry.name === '.git' || entry.name === 'node_modules';
}

/** `{a,b}` of a pattern as several patterns. */
function braces(pattern: string): string[] {
  const found = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (found === null) return [pattern];
  return (found[2] ?? '')
    .split(',')
    .flatMap((one) => braces(`${found[1]}${one}${found[3]}`))
    .slice(0, 200);
}

/** Finds files by a pattern of paths. */
export function globTool(call: Call): Said {
  const pattern = call.text('pattern') ?? '';
  const folder = call.path(call.text('folder') ?? '.');
  const wanted = braces(
    pattern.startsWith('/') ? pattern.slice(folder === '/' ? 1 : folder.length + 1) : pattern,
  );
  const found = call.bench
    .look((files) => files.below(folder, skipped))
    .filter(({ path }) =>
      wanted.some((one) => matchPath(one, path.slice(folder === '/' ? 1 : folder.length + 1))),
    );
  const sorted = [...found].sort(
    (one, other) =>
      (call.texts.lineMark === null ? other.mtimeUs - one.mtimeUs : one.mtimeUs - other.mtimeUs) ||
      (one.path < other.path ? -1 : 1),
  );
  const values = {
    pattern,
    folder,
    count: found.length,
    list: sorted
      .slice(0, 100)
      .map(({ path }) => path)
      .join('\n'),
  };
  return found.length === 0 ? call.say('globNothing', values) : call.say('globbed', values);
}

/** grep over the files, as the search of the harness gives its hits. */
export function* grepTool(call: Call): Working<Said> {
  const pattern = call.text('pattern') ?? '';
  const shown = call.text('folder') ?? '.';
  const place = call.path(shown);
  const include = call.text('include');
  const entries = call.bench.look((files) => {
    const seen = files.look(place);
    if (seen.kind === 'file') return [{ path: place, name: '', isFolder: false, mtimeUs: seen.mtimeUs }];
    return files.below(place, (entry) => skipped(entry) || entry.name.startsWith('.'));
  });
  const names = include === undefined ? undefined : braces(include);
  const wanted = entries.filter(
    ({ path, name }) =>
      names === undefined ||
      names.some(
        (one) => matchPath(one.includes('/') ? one : `**/${one}`, path.slice(1)) || matchPath(one, name),
      ),
  );
  const mode = String(
    call.own('output_mode') ?? (call.texts.lineMark === null ? 'lines' : 'files_with_matches'),
  );
  const flags = [
    call.own('-i') === true || call.texts.lineMark === null ? '-i' : '',
    ...['-A', '-B', '-C'].map((flag) =>
      typeof call.own(flag) === 'number' ? `${flag} ${call.own(flag)}` : '',
    ),
  ].join(' ');
  const values = { pattern, folder: shown };
  if (wanted.length === 0) return call.say('grepNothing', values);
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const base = call.bench.state.folder;
  const relative = (path: string): string =>
    path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
  const files = wanted.map(({ path }) => quoted(relative(path))).join(' ');
  const how = mode === 'files_with_matches' ? '-l' : mode === 'count' ? '-c' : '-n';
  const name = mode === 'content' && entries.length === 1 && entries[0]?.name === '' ? '-h' : '-H';
  const result = yield* call.bench.work({
    do: 'run',
    command: `grep -I ${name} ${how} ${flags} -P -e ${quoted(pattern)} -- ${files}`,
    folder: base,
    variables: '',
    limitMs: 60_000,
  });
  if (result.exitCode > 1) return { text: result.output.trimEnd(), isError: true };
  const rows = linesOfText(result.output).filter((row) => mode !== 'count' || !/:0$/.test(row));
  if (rows.length === 0)
    return mode === 'content'
      ? { text: 'No matches found', isError: false }
      : call.say('grepNothing', values);
  if (mode === 'lines') return geminiRows(call, rows, values);
  const head = call.own('head_limit');
  const kept = typeof head === 'number' && head > 0 ? rows.slice(0, head) : rows;
  if (mode === 'content' || mode === 'count')
    return call.say('grepLines', { ...values, list: kept.join('\n') });
  const times = new Map(wanted.map(({ path, mtimeUs }) => [relative(path), mtimeUs]));
  const sorted = [...kept].sort(
    (one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0) || (one < other ? -1 : 1),
  );
  return call.say('grepFiles', {
    ...values,
    count: rows.length,
    plural: rows.length === 1 ? '' : 's',
    list: sorted.join('\n'),
  });
}

function geminiRows(call: Call, rows: readonly string[], values: Readonly<Record<string, string>>): Said {
  const byFile = new Map<string, string[]>();
  for (const row of rows) {
    const match = /^(.*?):(\d+):(.*)$/s.exec(row);
    if (match === null) continue;
    byFile.set(match[1] ?? '', [
      ...(byFile.get(match[1] ?? '') ?? []),
      `L${match[2]}: ${(match[3] ?? '').trim()}`,
    ]);
  }
  const list = [...byFile].map(([file, hits]) => `File: ${file}\n${hits.join('\n')}\n`).join('---\n');
  return call.say('grepLines', { ...values, count: rows.length, es: rows.length === 1 ? '' : 'es', list });
}
