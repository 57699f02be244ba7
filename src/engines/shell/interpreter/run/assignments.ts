/**
 * Assignments: `name=value`, `name+=value`, `name[i]=value` and `name=( … )`.
 */
import type { Running } from '../../kernel/index.js';
import type { AssignmentHead, Word } from '../../syntax/ast.js';
import { parseParts } from '../../syntax/word-parts.js';
import { expandFields, expandParts, expandSubscript } from '../expand/expander.js';
import { checkWritable, indexOf, writeName, writeVariable } from '../expand/names.js';
import { TextSink } from '../expand/sinks.js';
import { ShellFailure } from '../failures.js';
import type { Shell } from '../shell.js';
import { AssociativeArray, IndexedArray } from '../state/arrays.js';
import { ATTRIBUTE, type Variable } from '../state/variable.js';
import { withOutputs } from './substitution.js';
import { tracedWord, traceLine } from './trace.js';

/** One element of `name=( … )`. */
export interface ArrayItem {
  readonly key?: string;
  readonly append: boolean;
  readonly value: string;
}

/** An assignment with its value expanded. */
export interface ExpandedAssignment {
  readonly head: AssignmentHead;
  readonly value: string;
  readonly items?: readonly ArrayItem[];
}

/** Expands the value of an assignment word. */
export function* expandAssignment(shell: Shell, word: Word): Running<ExpandedAssignment> {
  const head = word.assignment as AssignmentHead;
  if (head.items !== undefined) {
    const items: ArrayItem[] = [];
    for (const item of head.items) items.push(...(yield* expandItem(shell, item)));
    return { head, value: '', items };
  }
  return { head, value: yield* withOutputs(shell, () => assignedText(shell, word, head.valueAt)) };
}

/** The text behind `=`, expanded without splitting. */
function assignedText(shell: Shell, word: Word, valueAt: number): string {
  const holder = word as { parsed?: { value?: ReturnType<typeof parseParts> } };
  holder.parsed ??= {};
  holder.parsed.value ??= parseParts(word.text.slice(valueAt), 'assignment', shell.readOptions());
  const parts = holder.parsed.value;
  const [only] = parts;
  if (parts.length === 0) return '';
  if (parts.length === 1 && only?.kind === 'text') return only.text;
  const sink = new TextSink();
  expandParts(shell, parts, sink);
  return sink.text;
}

function* expandItem(shell: Shell, item: Word): Running<ArrayItem[]> {
  const head = item.assignment;
  if (head !== undefined && head.name === '' && head.subscript !== undefined) {
    const value = yield* withOutputs(shell, () => assignedText(shell, item, head.valueAt));
    return [{ key: head.subscript, append: head.append, value }];
  }
  return yield* withOutputs(shell, () => {
    const fields: string[] = [];
    expandFields(shell, item, fields);
    return fields.map((value) => ({ append: false, value }));
  });
}

/** Carries out an assignment where its name is found. */
export function* assign(shell: Shell, assignment: ExpandedAssignment): Running<void> {
  const { head, value, items } = assignment;
  yield* withOutputs(shell, () => {
    if (items === undefined) {
      if (head.subscript === '@' || head.subscript === '*') {
        const variable = shell.variables.find(head.name);
        if (variable?.isAssociative !== true)
          throw new ShellFailure(`${head.name}[${head.subscript}]: bad array subscript`);
      }
      const { name, subscript, append } = head;
      if (subscript === undefined) writeName(shell, { name, value, append });
      else writeName(shell, { name, subscript, value, append });
      return;
    }
    if (head.subscript !== undefined)
      throw new ShellFailure(
        `${head.name}[${head.subscript}]: cannot assign list to array member`,
        'command',
      );
    const target = shell.variables.target(head.name).name;
    assignItems(shell, shell.variables.forWriting(target), { name: target, append: head.append, items });
  });
}

/** Fills an array variable with the elements of `( … )`. */
export function assignItems(
  shell: Shell,
  variable: Variable,
  list: { readonly name: string; readonly append: boolean; readonly items: readonly ArrayItem[] },
): void {
  checkWritable(shell, variable, list.name);
  if (variable.isAssociative) assignAssociative(shell, variable, list);
  else assignIndexed(shell, variable, list);
  if (shell.is('allexport')) variable.attributes |= ATTRIBUTE.exported;
}

function assignAssociative(
  shell: Shell,
  variable: Variable,
  list: { readonly name: string; readonly append: boolean; readonly items: readonly ArrayItem[] },
): void {
  const { items, append, name } = list;
  if (!append) variable.array = new AssociativeArray();
  else variable.mutableArray();
  const isPairs = items[0] !== undefined && items[0].key === undefined;
  for (let index = 0; index < items.length; index += 1) {
    const item = items[index] as ArrayItem;
    if (isPairs) {
      const value = items[index + 1]?.value ?? '';
      writeVariable(shell, variable, { name, subscript: item.value, value, isLiteralKey: true });
      index += 1;
    } else if (item.key === undefined) {
      shell.error(`${name}: ${item.value}: must use subscript when assigning associative array`);
    } else
      writeVariable(shell, variable, {
        name,
        subscript: expandSubscript(shell, item.key),
        value: item.value,
        append: item.append,
        isLiteralKey: true,
      });
  }
}

function assignIndexed(
  shell: Shell,
  variable: Variable,
  list: { readonly name: string; readonly append: boolean; readonly items: readonly ArrayItem[] },
): void {
  const { items, append, name } = list;
  variable.becomeArray('indexed');
  // Elements may refer to the old array, which is replaced only when all are known.
  let next = 0;
  if (append) {
    const array = variable.mutableArray() as IndexedArray;
    next = array.highest + 1;
  } else variable.array = new IndexedArray();
  for (const item of items) {
    if (item.key !== undefined)
      next = indexOf(shell, variable, name, item.key, `[${item.key}]=${item.value}`);
    writeVariable(shell, variable, { name, subscript: String(next), value: item.value, append: item.append });
    next += 1;
  }
}

/** The trace line of an assignment. */
export function* traceAssignment(shell: Shell, assignment: ExpandedAssignment): Running<void> {
  if (!shell.is('xtrace')) return;
  const { head, value, items } = assignment;
  const left = `${head.name}${head.subscript === undefined ? '' : `[${head.subscript}]`}${head.append ? '+=' : '='}`;
  if (items === undefined) yield* traceLine(shell, left + (value === '' ? '' : tracedWord(value)));
  else yield* traceLine(shell, `${left}(${(head.items ?? []).map((item) => item.text).join(' ')})`);
}
