/**
 * A card of a benchmark in Markdown: what is in it, where it is from, how it was made, and what it cannot say.
 */
import type { BuiltBench } from './build-bench.js';

/** What a card tells beside the rows. */
export interface CardFacts {
  readonly title: string;
  readonly seed: number;
  readonly version: string;
  /** Data sets that give rows; null for all. */
  readonly sources: readonly string[] | null;
}

function countsBy<T>(items: readonly T[], name: (item: T) => string): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(name(item), (counts.get(name(item)) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Text in one cell of a table. */
function cell(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[|<>]/g, (sign) => `\\${sign}`);
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((one) => cell(String(one))).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The card. */
export function benchCard({ rows, trajectories, unused, copies }: BuiltBench, facts: CardFacts): string {
  const domains = countsBy(rows, ({ domain }) => domain).map(([domain, count]) => {
    const own = rows.filter((row) => row.domain === domain);
    const tokens = own.reduce((sum, row) => sum + row.tokens, 0) / own.length;
    return [domain, count, new Set(own.map((row) => row.trajectory)).size, Math.round(tokens)];
  });
  const left = Object.entries(unused).map(([why, count]) => `${count} trajectories gave no row: ${why}.`);
  return [
    `# ${cell(facts.title)}`,
    `${rows.length} rows of ${new Set(rows.map((row) => row.trajectory)).size} trajectories, in the file format of AgentWorldBench: each asks for the observation that really followed an action.`,
    table(['domain', 'rows', 'trajectories', 'tokens a row (estimate)'], domains),
    '## Sources and licences',
    table(
      ['source', 'rows'],
      countsBy(rows, ({ source }) => source),
    ),
    table(
      ['licence', 'rows'],
      countsBy(rows, ({ licence }) => licence),
    ),
    '## How it was made',
    [
      `Turns: first, last and three between in text domains; the harder ones in domains with screens. Seed ${facts.seed}, umwelt ${facts.version}.`,
      `${trajectories} trajectories were read. ${left.join(' ')}`.trim(),
      facts.sources === null
        ? 'All sources give rows; keep them out of training data.'
        : `Only these sources give rows, and none of them may be trained on: ${facts.sources.map(cell).join(', ')}.`,
      `${copies.length} rows were near copies of rows of other trajectories and are left out.`,
    ].join('\n\n'),
    '## What it cannot say',
    'Rows of one trajectory are not independent: use intervals over trajectories. A score here is one on these sources, not on all.',
    '',
  ].join('\n\n');
}
