/**
 * What became of a recording: per tool what is answered exactly, what is derived, what is invented, what is unknown.
 */
import type { ImportReport } from '../../data/index.js';

/** How one tool of a twin answers. */
export interface TwinToolReport {
  readonly tool: string;
  /** Recorded calls: each is answered exactly while the recording determines it. */
  readonly hits: number;
  /** Of those, how many the engine also computes in the very same words without the recording. */
  readonly derived: number;
  /** No recorded answer confirms how the engine computes the tool, or one contradicts it: its answers are marked generated. */
  readonly isGuessed: boolean;
  /** What the engine believes the tool does, or `unknown`. */
  readonly op: string;
  /** The recording taught the shape of its answers. */
  readonly isShaped: boolean;
  /** Parts of its computed answers that are copies or filler. */
  readonly inventions: readonly string[];
}

/** What was learned, and what not. */
export interface TwinReport {
  readonly files: readonly ImportReport[];
  readonly sessions: number;
  readonly calls: number;
  readonly tools: readonly TwinToolReport[];
  /** Tools that the engine cannot compute; they answer from the recording only. */
  readonly unknown: readonly string[];
  /** Rows at the start, by collection. */
  readonly rows: Readonly<Record<string, number>>;
  /** Where the recording contradicts itself or the engine. */
  readonly conflicts: readonly string[];
  readonly notes: readonly string[];
}

/** The report as lines for people. */
export function describeTwin(report: TwinReport): string {
  const { files, calls, sessions, tools, unknown, rows, conflicts, notes } = report;
  const lines = files.flatMap(fileLines);
  lines.push(`${calls} recorded calls in ${sessions} ${sessions === 1 ? 'session' : 'sessions'}`);
  const kept = Object.entries(rows).filter(([, count]) => count > 0);
  if (kept.length > 0)
    lines.push(`rows at the start: ${kept.map(([name, count]) => `${count} ${name}`).join(', ')}`);
  for (const one of tools) lines.push(`  ${toolLine(one)}`);
  if (unknown.length > 0) lines.push(`unknown, answered from the recording only: ${unknown.join(', ')}`);
  const guessed = tools.filter(({ isGuessed }) => isGuessed).map(({ tool }) => tool);
  if (guessed.length > 0)
    lines.push(`guessed, not confirmed by the recording (origin generated): ${guessed.join(', ')}`);
  if (conflicts.length > 0) lines.push('conflicts:', ...conflicts.map((conflict) => `  ${conflict}`));
  return [...lines, ...notes].join('\n');
}

function fileLines({
  file,
  format,
  pairs,
  dangling,
  orphans,
  isCut,
  notes,
  skipped,
}: ImportReport): string[] {
  const cut = isCut ? ', cut off at its end: what came before is used' : '';
  const left = Object.entries(skipped).map(([what, count]) => `${count} ${what}`);
  return [
    `${file}: ${format ?? 'of no known format'}, ${pairs} calls with answers, ${dangling} unanswered, ${orphans} answers without a call${cut}`,
    ...(left.length > 0 ? [`  not calls: ${left.join(', ')}`] : []),
    ...notes.map(({ line, message }) => `  line ${line}: ${message}`),
  ];
}

function toolLine({ tool, op, hits, derived, isShaped, inventions }: TwinToolReport): string {
  const shape = isShaped ? 'shape learned' : hits > 0 ? 'shape not learned' : 'never called';
  const invented = inventions.length === 0 ? '' : `; invents ${inventions.join(', ')}`;
  return `${tool}: ${hits} exact, ${derived} of them computed alike (${op}; ${shape}${invented})`;
}
