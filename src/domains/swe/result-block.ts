/**
 * The blocks that results of coding tools are made of. A result is its blocks, line by line, and nothing is left out.
 */

/** How lines of a file are numbered. */
export type NumberStyle = '\t' | '→' | ':' | '| ';

/** One line of a file with its number. */
export interface NumberedLine {
  readonly number: number;
  /** What stands in front of the number: spaces, or `L`. */
  readonly before: string;
  /** What stands between number and text; `-` marks a line of context in a search. */
  readonly mark: NumberStyle | '-';
  readonly text: string;
}

/** One hit of a search. */
export interface MatchLine {
  readonly path: string;
  readonly number: number;
  /** `-` marks a line of context. */
  readonly mark: ':' | '-';
  readonly text: string;
}

/** What a line of a harness says beside the output. */
export type NoteKind =
  | 'file'
  | 'created'
  | 'edited'
  | 'snippet'
  | 'count'
  | 'nothing'
  | 'cut'
  | 'folder'
  | 'running'
  | 'label'
  | 'prompt';

/** One block. */
export type ResultBlock =
  | { readonly kind: 'lines'; readonly lines: readonly NumberedLine[] }
  | { readonly kind: 'matches'; readonly matches: readonly MatchLine[] }
  | { readonly kind: 'paths'; readonly paths: readonly string[] }
  /** A unified diff, its lines as they are. */
  | { readonly kind: 'diff'; readonly paths: readonly string[]; readonly lines: readonly string[] }
  | { readonly kind: 'exit'; readonly code: number; readonly line: string }
  | { readonly kind: 'error'; readonly line: string }
  | { readonly kind: 'note'; readonly note: NoteKind; readonly value?: string; readonly line: string }
  | { readonly kind: 'text'; readonly lines: readonly string[] };

/** A result as blocks. */
export interface SweResult {
  readonly blocks: readonly ResultBlock[];
}

/** The lines of a block as they are written. */
export function linesOfBlock(block: ResultBlock): readonly string[] {
  switch (block.kind) {
    case 'lines':
      return block.lines.map(({ before, number, mark, text }) => `${before}${number}${mark}${text}`);
    case 'matches':
      return block.matches.map(({ path, number, mark, text }) => `${path}${mark}${number}${mark}${text}`);
    case 'paths':
      return block.paths;
    case 'diff':
    case 'text':
      return block.lines;
    default:
      return [block.line];
  }
}

/** Writes a result. */
export function renderSweResult({ blocks }: SweResult): string {
  return blocks.flatMap(linesOfBlock).join('\n');
}

/** The exit code that a result tells, the last one where there are several; undefined where it tells none. */
export function exitCodeOf({ blocks }: SweResult): number | undefined {
  return blocks.findLast((block) => block.kind === 'exit')?.code;
}
