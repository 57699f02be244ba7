/**
 * A shell at its prompt as data: to be copied for a fork, and as JSON for a snapshot.
 *
 * The idea: everything that a prompt can depend on is copied into maps that nobody changes; functions keep their trees,
 * and become text only in JSON. Running jobs and coprocesses are processes and cannot be copied; the machine captures
 * a shell only when it has none.
 */
import type { Json } from '../../../../core/index.js';
import type { Process } from '../../kernel/index.js';
import { Parser } from '../../syntax/parser.js';
import { printFunction } from '../../syntax/printer.js';
import { Shell, type ShellFunction } from '../shell.js';
import { installSpecials } from '../special-variables.js';
import { AssociativeArray, IndexedArray } from '../state/arrays.js';
import { CopyMap, CopySet } from '../state/copy-map.js';
import { Variable } from '../state/variable.js';

/** Fields that are copied as they are. */
const PLAIN = [
  'name',
  'scriptSource',
  'isLogin',
  'lastStatus',
  'lastBackground',
  'lastArgument',
  'line',
  'pid',
  'historyStart',
  'historyLoaded',
  'getoptsOffset',
  'getoptsIndex',
  'randomSeed',
  'secondsBaseUs',
  'logicalCwd',
  'warnedOfJobs',
  'subshellLevel',
] as const;

type PlainFields = Pick<Shell, (typeof PLAIN)[number]>;

/** A shell as data. */
export interface ShellImage {
  readonly plain: PlainFields;
  readonly isPosixSh: boolean;
  readonly variables: ReadonlyMap<string, Variable>;
  readonly functions: ReadonlyMap<string, ShellFunction>;
  readonly texts: ReadonlyMap<TextMap, CopyMap<string, string>>;
  readonly sets: ReadonlyMap<SetName, readonly string[]>;
  readonly lists: ReadonlyMap<ListName, readonly string[]>;
  readonly shopts: CopyMap<string, boolean>;
  readonly hashTable: ReadonlyMap<string, { readonly path: string; readonly hits: number }>;
  readonly pipeStatus: readonly number[];
}

type TextMap = 'aliases' | 'traps' | 'completions' | 'ulimits';
type SetName = 'options' | 'disabledBuiltins';
type ListName = 'positional' | 'directoryStack' | 'history';
const TEXT_MAPS: readonly TextMap[] = ['aliases', 'traps', 'completions', 'ulimits'];
const SETS: readonly SetName[] = ['options', 'disabledBuiltins'];

function copyVariables(variables: ReadonlyMap<string, Variable>): Map<string, Variable> {
  return new Map([...variables].map(([name, variable]) => [name, variable.copy()]));
}

/** Takes a shell's state. */
export function imageOf(shell: Shell): ShellImage {
  return {
    plain: Object.fromEntries(PLAIN.map((name) => [name, shell[name]])) as unknown as PlainFields,
    isPosixSh: shell.isPosixSh,
    variables: copyVariables(shell.variables.globals),
    functions: new Map([...shell.functions].map(([name, one]) => [name, { ...one }])),
    texts: new Map(TEXT_MAPS.map((name) => [name, shell[name].copy()])),
    sets: new Map(SETS.map((name) => [name, [...shell[name]]])),
    lists: new Map([
      ['positional', shell.positional],
      ['directoryStack', [...shell.directoryStack]],
      ['history', shell.history],
    ]),
    shopts: shell.shopts.copy(),
    hashTable: new Map([...shell.hashTable].map(([name, entry]) => [name, { ...entry }])),
    pipeStatus: shell.pipeStatus,
  };
}

/** A shell from its state, in another process. */
export function shellOf(image: ShellImage, process: Process): Shell {
  const shell = new Shell({
    process,
    name: image.plain.name,
    isInteractive: true,
    isPosixSh: image.isPosixSh,
  });
  Object.assign(shell, image.plain);
  shell.variables.globals = copyVariables(image.variables);
  shell.functions = new CopyMap([...image.functions].map(([name, one]) => [name, { ...one }]));
  for (const name of TEXT_MAPS) shell[name] = image.texts.get(name)?.copy() ?? new CopyMap();
  for (const name of SETS) shell[name] = new CopySet(image.sets.get(name));
  shell.positional = image.lists.get('positional') ?? [];
  shell.directoryStack = [...(image.lists.get('directoryStack') ?? [])];
  shell.history = image.lists.get('history') ?? [];
  shell.shopts = image.shopts.copy();
  shell.hashTable = new CopyMap([...image.hashTable].map(([name, entry]) => [name, { ...entry }]));
  shell.pipeStatus = image.pipeStatus;
  installSpecials(shell);
  return shell;
}

function encodeVariable(variable: Variable): Json {
  const elements = variable.array?.entries().map(([key, value]) => [key, value]);
  return {
    attributes: variable.attributes,
    ...(variable.text === undefined ? {} : { text: variable.text }),
    ...(elements === undefined ? {} : { elements }),
  };
}

function decodeVariable(json: {
  attributes: number;
  text?: string;
  elements?: [string, string][];
}): Variable {
  const variable = new Variable(json.text, json.attributes);
  if (json.elements === undefined) return variable;
  const array = variable.isAssociative ? new AssociativeArray() : new IndexedArray();
  for (const [key, value] of json.elements) {
    if (array instanceof AssociativeArray) array.set(key, value);
    else array.set(Number(key), value);
  }
  variable.array = array;
  return variable;
}

function pairs<T extends Json>(map: Iterable<readonly [string, T]>): Json {
  return [...map].map(([key, value]) => [key, value]);
}

/** A state as JSON. */
export function encodeImage(image: ShellImage): Json {
  const plain = Object.fromEntries(
    Object.entries(image.plain).filter(([, value]) => value !== undefined),
  ) as Record<string, Json>;
  return {
    plain,
    isPosixSh: image.isPosixSh,
    variables: [...image.variables].map(([name, variable]) => [name, encodeVariable(variable)]),
    functions: [...image.functions].map(([name, one]) => ({
      name,
      text: printFunction(one.definition),
      source: one.source,
      line: one.definition.line + one.lineOffset,
      flags: [one.isExported, one.isReadonly, one.isTraced],
    })),
    texts: [...image.texts].map(([name, map]) => [name, pairs(map)]),
    sets: [...image.sets].map(([name, members]) => [name, [...members]]),
    lists: [...image.lists].map(([name, members]) => [name, [...members]]),
    shopts: pairs(image.shopts),
    hashTable: [...image.hashTable].map(([name, entry]) => [name, entry.path, entry.hits]),
    pipeStatus: [...image.pipeStatus],
  };
}

interface ImageJson {
  readonly plain: PlainFields;
  readonly isPosixSh: boolean;
  readonly variables: readonly [string, { attributes: number }][];
  readonly functions: readonly {
    name: string;
    text: string;
    source: string;
    line: number;
    flags: readonly boolean[];
  }[];
  readonly texts: readonly [TextMap, [string, string][]][];
  readonly sets: readonly [SetName, string[]][];
  readonly lists: readonly [ListName, string[]][];
  readonly shopts: readonly [string, boolean][];
  readonly hashTable: readonly [string, string, number][];
  readonly pipeStatus: readonly number[];
}

/** A state back from its JSON; functions are read again from their text. */
export function decodeImage(json: Json): ShellImage {
  const data = json as unknown as ImageJson;
  const functions = new Map<string, ShellFunction>();
  for (const one of data.functions) {
    const definition = new Parser(`function ${one.text}`, { extglob: () => true }).next();
    if (definition?.kind !== 'function') continue;
    const [isExported = false, isReadonly = false, isTraced = false] = one.flags;
    functions.set(one.name, {
      definition,
      source: one.source,
      lineOffset: one.line - 1,
      isExported,
      isReadonly,
      isTraced,
    });
  }
  return {
    plain: data.plain,
    isPosixSh: data.isPosixSh,
    variables: new Map(data.variables.map(([name, variable]) => [name, decodeVariable(variable)])),
    functions,
    texts: new Map(data.texts.map(([name, entries]) => [name, new CopyMap(entries)])),
    sets: new Map(data.sets),
    lists: new Map(data.lists),
    shopts: new CopyMap(data.shopts),
    hashTable: new Map(data.hashTable.map(([name, path, hits]) => [name, { path, hits }])),
    pipeStatus: data.pipeStatus,
  };
}
