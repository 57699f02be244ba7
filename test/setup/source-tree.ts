/**
 * Reads `src/` as data for the architecture test: every file with its room, imports, exports, functions and calls.
 *
 * Parsed with the TypeScript parser that comes with vite; nothing is executed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** One exported name and whether a docstring stands directly above its declaration. */
export interface ExportedName {
  readonly name: string;
  readonly documented: boolean;
}

/** One file of `src/`, as the architecture test sees it. */
export interface SourceFile {
  /** Path below `src/`, with forward slashes. */
  readonly path: string;
  /** The first folder, for example `core`. */
  readonly room: string;
  readonly isTest: boolean;
  readonly text: string;
  readonly lines: number;
  /** Module specifiers as written. */
  readonly imports: readonly string[];
  readonly exports: readonly ExportedName[];
  /** Files of `src/` that `export *` takes in. */
  readonly reexports: readonly string[];
  /** `name:line` of functions with their number of lines. */
  readonly functions: readonly { readonly at: string; readonly lines: number }[];
  /** Called, constructed and looked-up things as written, for example `Date.now` or `new Function`. */
  readonly calls: readonly string[];
}

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit);
  }
}

/** The names a declaration declares; a destructuring pattern counts by its text. */
function declaredNames(declaration: Node, text: string): string[] {
  if (declaration.type === 'VariableDeclaration') {
    return (declaration.declarations as Node[]).map((d) => nameOf(d.id, text));
  }
  return [nameOf(declaration.id, text)];
}

function nameOf(node: unknown, text: string): string {
  if (!isNode(node)) return '?';
  return typeof node.name === 'string' ? node.name : text.slice(node.start, node.end);
}

function specifierOf(node: Node): string | undefined {
  const source = node.source;
  return isNode(source) && typeof source.value === 'string' ? source.value : undefined;
}

function exportsOf(body: readonly Node[], text: string): ExportedName[] {
  const found: ExportedName[] = [];
  for (const node of body) {
    const documented =
      /\*\/[ \t]*\r?\n[ \t]*$/.test(text.slice(0, node.start)) && hasDocAbove(text, node.start);
    if (node.type === 'ExportDefaultDeclaration') found.push({ name: 'default', documented });
    if (node.type !== 'ExportNamedDeclaration') continue;
    if (isNode(node.declaration)) {
      found.push(...declaredNames(node.declaration, text).map((name) => ({ name, documented })));
    }
    for (const item of node.specifiers as Node[]) {
      found.push({ name: nameOf(item.exported, text), documented: true });
    }
  }
  return found;
}

/** True if the comment that ends above `start` is a docstring and not the file's opening comment. */
function hasDocAbove(text: string, start: number): boolean {
  const opening = text.lastIndexOf('/*', start);
  const before = text.slice(0, opening).replace(/^#![^\n]*\n/, '');
  return text.startsWith('/**', opening) && before.trim() !== '';
}

function functionsOf(program: Node, text: string): { at: string; lines: number }[] {
  const found: { at: string; lines: number }[] = [];
  walk(program, (node) => {
    if (!/^(Arrow)?Function(Declaration|Expression)$/.test(node.type)) return;
    const line = text.slice(0, node.start).split('\n').length;
    found.push({
      at: `${nameOf(node.id, text)}:${line}`,
      lines: text.slice(node.start, node.end).split('\n').length,
    });
  });
  return found;
}

function callsOf(program: Node, text: string): string[] {
  const found: string[] = [];
  walk(program, (node) => {
    if (node.type === 'MemberExpression') found.push(text.slice(node.start, node.end).replace(/\s+/g, ''));
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return;
    const callee = node.callee as Node;
    const name = text.slice(callee.start, callee.end).replace(/\s+/g, '');
    const bare = (node.arguments as unknown[]).length === 0 ? '()' : '';
    found.push(node.type === 'NewExpression' ? `new ${name}${bare}` : name);
  });
  return found;
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8');
  const program = parseSync(path, text, { lang: 'ts' }).program as unknown as Node & { body: Node[] };
  const imports: string[] = [];
  walk(program, (node) => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) imports.push(specifier);
  });
  const all = program.body.filter((node) => node.type === 'ExportAllDeclaration');
  return {
    path,
    room: path.split('/')[0] ?? '',
    isTest: /\.(test|contract)\.ts$/.test(path),
    text,
    lines: text.split('\n').length - 1,
    imports,
    exports: exportsOf(program.body, text),
    reexports: all.map((node) => resolveImport(path, specifierOf(node) ?? '')),
    functions: functionsOf(program, text),
    calls: callsOf(program, text),
  };
}

/** The path below `src/` that a relative specifier in a file means. */
export function resolveImport(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

/** Every TypeScript file below `src/`, in path order. */
export function readSourceTree(): readonly SourceFile[] {
  const paths = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  return paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map(readSource);
}
