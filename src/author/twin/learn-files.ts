/**
 * Learns the dialect of a service on files: which tool does what, under which folders, in whose words.
 *
 * Tools are bound by their names, descriptions and the names of their arguments; roots, words and what a write does
 * with missing folders are taken from what the recording shows. Whether the dialect is right is not decided here: it
 * is used only if it gives more of the recorded answers than the inference without it (`world-from-recording.ts`).
 * Not covered: services that name files by ids.
 */
import { isJsonObject, type JsonObject } from '../../core/index.js';
import type { FilesSpec, FileToolSpec } from '../../engines/index.js';
import { fileTool } from './file-tools.js';
import type { TwinCall, TwinSource } from './twin-source.js';

/** Tools on files that there are at least in a service on files. */
const FEWEST = 3;

/** The dialect; undefined where the tools are not about files. */
export function learnFiles({ tools, sessions }: TwinSource): FilesSpec | undefined {
  const bound = tools.flatMap((tool): [string, FileToolSpec][] => {
    const file = fileTool(tool);
    return file === undefined ? [] : [[tool.name, file]];
  });
  const does = new Set(bound.map(([, one]) => one.does));
  const isService = does.has('read') && (does.has('write') || does.has('list') || does.has('edit'));
  if (bound.length < FEWEST || !isService) return undefined;
  const calls = sessions.flat();
  const known = Object.fromEntries(bound);
  const paths = calls.flatMap((call) => pathOf(known, call) ?? []);
  if (paths.length === 0) return undefined;
  const roots = rootsOf(known, calls, paths);
  return {
    roots: [...roots],
    parents: parentsOf(known, calls),
    words: wordsOf(calls),
    ...timesOf(known, calls),
    tools: Object.fromEntries(bound.map(([name, file]) => [name, withNeeds(file, name, calls)])),
  };
}

/** The path that a call gives, as it is written. */
function pathOf(tools: FilesSpec['tools'], { tool, args }: TwinCall): string | undefined {
  const file = Object.hasOwn(tools, tool) ? tools[tool] : undefined;
  const parts = (file?.path ?? []).flatMap((name) => {
    const value = args[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
  return parts.length === 0 ? undefined : parts.join('/');
}

const ABSOLUTE = /(?:^|[\s'"`(,:])(\/[^\s'"`,:)]+)/g;
const REFUSED = /denied|outside|not allowed|not permitted|forbidden|traversal|escape|not in\b/i;

/** The folders that paths must lie in: told by a tool, else named by a refusal; all of them where neither is. */
function rootsOf(
  tools: FilesSpec['tools'],
  calls: readonly TwinCall[],
  paths: readonly string[],
): readonly string[] {
  const isAbsolute = paths.filter((path) => path.startsWith('/')).length > paths.length / 2;
  if (!isAbsolute) return [];
  const told = calls.find(({ tool, isError }) => !isError && tools[tool]?.does === 'roots');
  if (told !== undefined) return absoluteIn(told.text);
  const refused = calls.find(({ isError, text }) => isError && REFUSED.test(text));
  const given = refused === undefined ? undefined : pathOf(tools, refused);
  const named = absoluteIn(refused?.text ?? '').filter((path) => path !== given);
  return named.length > 0 ? named : ['/'];
}

function absoluteIn(text: string): readonly string[] {
  const found = [...text.matchAll(ABSOLUTE)].map((match) => (match[1] ?? '').replace(/[/.]+$/, ''));
  return [...new Set(found.filter((path) => path !== ''))];
}

function wordsOf(calls: readonly TwinCall[]): FilesSpec['words'] {
  const texts = calls.map(({ text }) => text);
  if (texts.some((text) => /\bE(?:NOENT|EXIST|ISDIR|NOTDIR): /.test(text))) return 'node';
  return texts.some((text) => /\[Errno \d+\] /.test(text)) ? 'python' : 'plain';
}

const MISSING = /ENOENT|no such|not exist|not found/i;

/** Whether writes make the folders that they lack. Not shown: they do, unless there is a tool that makes folders. */
function parentsOf(tools: FilesSpec['tools'], calls: readonly TwinCall[]): FilesSpec['parents'] {
  const seen: string[] = [];
  let shown: FilesSpec['parents'] | undefined;
  for (const call of calls) {
    const path = pathOf(tools, call) ?? '';
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (tools[call.tool]?.does === 'write' && folder !== '') {
      if (call.isError && MISSING.test(call.text)) shown ??= 'needed';
      // A folder that nothing named so far was made by the write.
      if (!call.isError && !seen.some((text) => text.includes(folder))) shown ??= 'made';
    }
    if (!call.isError) seen.push(path, call.text, ...Object.values(call.args).map(String));
  }
  const hasFolders = Object.values(tools).some(({ does }) => does === 'folder');
  return shown ?? (hasFolders ? 'needed' : 'made');
}

/** What a write needs, where the recording does not show the contrary. */
function withNeeds(file: FileToolSpec, name: string, calls: readonly TwinCall[]): FileToolSpec {
  const { needsFile, needsNone, ...rest } = file;
  const seen: string[] = [];
  let isFileMissing = false;
  let isRefused = false;
  for (const call of calls) {
    const path = pathOf({ [name]: file }, call);
    if (call.tool === name && call.isError && /exist/i.test(call.text) && !MISSING.test(call.text))
      isRefused = true;
    if (call.tool === name && path !== undefined && !call.isError) {
      if (!seen.includes(path) && !seen.some((text) => text.includes(path.slice(path.lastIndexOf('/') + 1))))
        isFileMissing = true;
    }
    if (!call.isError) seen.push(...Object.values(call.args).map(String), call.text);
    if (path !== undefined && !call.isError) seen.push(path);
  }
  return {
    ...rest,
    ...(needsFile === true && !isFileMissing && { needsFile }),
    ...(needsNone === true && isRefused && { needsNone }),
  };
}

const TIMES: Readonly<Record<string, RegExp>> = {
  created: /^"?(?:created|birth)\w*"?\s*[:=]\s*"?([^"\n]*\d{2}:\d{2}[^"\n]*?)"?,?$/im,
  modified:
    /^"?(?:modified|mtime|updated|last modified|lastModified)\w*"?\s*[:=]\s*"?([^"\n]*\d{2}:\d{2}[^"\n]*?)"?,?$/im,
  accessed: /^"?(?:accessed|atime)\w*"?\s*[:=]\s*"?([^"\n]*\d{2}:\d{2}[^"\n]*?)"?,?$/im,
};

/** A scope whose row has the times that an answer shows: the clock of the recording is not the twin's. */
export function withShownTimes(scope: JsonObject, text: string): JsonObject {
  const { row } = scope;
  if (!isJsonObject(row) || row.isFile === undefined) return scope;
  const times = Object.entries(TIMES).flatMap(([name, pattern]): [string, string][] => {
    const time = pattern.exec(text.slice(0, 5_000))?.[1];
    return time === undefined ? [] : [[name, time]];
  });
  return { ...scope, row: { ...row, ...Object.fromEntries(times) } };
}

/** How the times of an answer are written; nothing where none tells. */
function timesOf(tools: FilesSpec['tools'], calls: readonly TwinCall[]): Pick<FilesSpec, 'times'> {
  const told = calls.find(
    ({ tool, isError, text }) =>
      !isError && tools[tool]?.does === 'info' && Object.values(TIMES).some((pattern) => pattern.test(text)),
  );
  if (told === undefined) return {};
  const isJs = /\b[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT/.test(told.text);
  return { times: isJs ? 'js' : 'iso' };
}
