/**
 * The table of a suite for a terminal: worlds and sets of faults down, agents across, one mark for each cell.
 *
 * A cell counts trials: `ok`, `FAILED`, `2 of 3`; runs that do not count are said so, never left out: `undecided`
 * ones were lived, and nobody can tell, `excluded` ones could not be lived. Below stand the reasons, one line for each cell
 * that is not all `ok`. Read as a stream; what is kept is one entry a cell.
 */
import type { ResultsLine } from './results-file.js';
import { CLEAN, type RunRecord } from './run-record.js';
import { type RunStatus, runStatus } from './run-status.js';

interface Cell {
  readonly counts: Record<RunStatus, number>;
  /** The first reason that is not `survived`. */
  why: string;
}

/** How many runs ended how. */
export interface SuiteTotals {
  readonly survived: number;
  readonly failed: number;
  readonly undecided: number;
  readonly excluded: number;
}

/** The table as text, and the totals. */
export interface ResultsTable {
  readonly text: string;
  readonly totals: SuiteTotals;
}

/** Makes the table of a results file. */
export function resultsTable(lines: Iterable<ResultsLine>): ResultsTable {
  const table = new TableBuilder();
  for (const line of lines) {
    if (line.kind === 'run') table.add(line.record);
    if (line.kind === 'header') table.notApplicable = line.header.notApplicable;
  }
  return { text: table.render(), totals: table.totals };
}

class TableBuilder {
  readonly totals = { survived: 0, failed: 0, undecided: 0, excluded: 0 };
  notApplicable: readonly { readonly world: string; readonly faults: string; readonly why: string }[] = [];
  private readonly agents: string[] = [];
  private readonly rows = new Map<string, { world: string; faults: string; cells: Map<string, Cell> }>();

  add(record: RunRecord): void {
    const { status, why } = runStatus(record);
    this.totals[status]++;
    const agent = record.agent.id;
    if (!this.agents.includes(agent)) this.agents.push(agent);
    const key = JSON.stringify([record.world.name, record.faults.id]);
    const row = this.rows.get(key) ?? {
      world: record.world.name,
      faults: record.faults.id,
      cells: new Map(),
    };
    this.rows.set(key, row);
    const cell = row.cells.get(agent) ?? {
      counts: { survived: 0, failed: 0, undecided: 0, excluded: 0 },
      why: '',
    };
    row.cells.set(agent, cell);
    cell.counts[status]++;
    if (status !== 'survived' && cell.why === '') cell.why = why;
  }

  render(): string {
    const rows = [...this.rows.values()];
    const head = ['world', 'faults', ...this.agents];
    const body = rows.map(({ world, faults, cells }) => [
      world,
      faults === CLEAN ? 'none (clean)' : faults,
      ...this.agents.map((agent) => cellText(cells.get(agent))),
    ]);
    const widths = head.map((word, column) =>
      Math.max(word.length, ...body.map((line) => line[column]?.length ?? 0)),
    );
    const lines = [head, widths.map((width) => '-'.repeat(width)), ...body].map((line) =>
      line
        .map((word, column) => word.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
    const reasons = rows.flatMap(({ world, faults, cells }) =>
      this.agents.flatMap((agent) => {
        const cell = cells.get(agent);
        return cell === undefined || cell.why === ''
          ? []
          : [`  ${world} / ${faults} / ${agent}: ${oneLine(cell.why)}`];
      }),
    );
    const idle = this.notApplicable.map(
      ({ world, faults, why }) => `  ${world} / ${faults}: ${oneLine(why)}`,
    );
    return [
      ...lines,
      ...(reasons.length > 0 ? ['', 'Why:', ...reasons] : []),
      ...(idle.length > 0 ? ['', 'Not applicable, not run:', ...idle] : []),
    ].join('\n');
  }
}

function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  const { survived, failed, undecided, excluded } = cell.counts;
  const counted = survived + failed;
  const rest = [
    ...(undecided > 0 ? [`${undecided} undecided`] : []),
    ...(excluded > 0 ? [`${excluded} excluded`] : []),
  ];
  if (counted === 0)
    return undecided > 0 && excluded > 0 ? rest.join(', ') : undecided > 0 ? 'undecided' : 'excluded';
  const aside = rest.length === 0 ? '' : `, ${rest.join(', ')}`;
  if (counted === 1) return `${failed === 0 ? 'ok' : 'FAILED'}${aside}`;
  return failed === 0 ? `ok ${survived} of ${counted}${aside}` : `${survived} of ${counted}${aside}`;
}

const WHY_CHARS = 160;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > WHY_CHARS ? `${line.slice(0, WHY_CHARS - 1)}…` : line;
}
