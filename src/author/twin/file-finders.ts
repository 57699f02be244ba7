/**
 * Learns how each search tool of a file service tells which files it means: the reading whose finds are named by every
 * recorded answer, while no other known file is.
 */
import {
  FILE_FINDERS,
  type FilesSpec,
  type FileToolSpec,
  foundBelow,
  makeTree,
  meantPath,
} from '../../engines/index.js';
import type { LearnedCall, LearnedState } from './learned-state.js';

/** The dialect with the reading that fits each search best; as it is where no answer tells. */
export function withFinders(files: FilesSpec, { sessions }: LearnedState): FilesSpec {
  const calls = sessions.flat();
  const tools = Object.entries(files.tools).map(([name, tool]): [string, FileToolSpec] => {
    if (tool.does !== 'search') return [name, tool];
    const own = calls.filter(({ call }) => call.tool === name && !call.isError);
    const fits = FILE_FINDERS.map((finds) => ({
      finds,
      count: own.filter((one) => isFound(files, { tool, finds }, one)).length,
    }));
    const best = fits.reduce((a, b) => (b.count > a.count ? b : a));
    return [name, best.count === 0 ? tool : { ...tool, finds: best.finds }];
  });
  return { ...files, tools: Object.fromEntries(tools) };
}

function isFound(
  { roots }: FilesSpec,
  of: { readonly tool: FileToolSpec; readonly finds: FileToolSpec['finds'] },
  { call, before }: LearnedCall,
): boolean {
  const { tool, finds } = of;
  const text = (name: string): string => (typeof call.args[name] === 'string' ? call.args[name] : '');
  const rows = [...(before.get('files')?.values() ?? [])];
  const tree = makeTree(rows, roots);
  const { path } = meantPath((tool.path ?? []).map(text).join('/'), roots);
  const found = foundBelow(tree, path, {
    ...(finds !== undefined && { finds }),
    pattern: text(tool.pattern ?? ''),
    excludes: [],
  });
  if (found === null) return false;
  const names = new Set(found.map((one) => one.path));
  const shown = (one: string): boolean => isNamed(call.text, one.slice(one.lastIndexOf('/') + 1));
  return tree.below(path).every((one) => names.has(one.path) === shown(one.path));
}

/** True if a text names a file: its name stands there alone, not as a part of another name or path. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isStart = !/[\p{L}\p{N}_.-]/u.test(text[at - 1] ?? ' ');
    if (isStart && !/[\p{L}\p{N}_/-]/u.test(text[at + name.length] ?? ' ')) return true;
  }
  return false;
}
