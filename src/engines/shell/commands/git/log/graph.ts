/**
 * The lines of `log --graph`: one column per line of history, merges to the right, crossings as slashes.
 *
 * The idea (git's own): between two commits the columns of before and after are known; a mapping says for each place of
 * the screen to which new column it leads, and moves left one step per line until it fits. Source: the output of
 * git 2.39 and Documentation/technical of its graph interface. Commits come children first.
 */
import type { Walked } from './walk.js';

type GraphState = 'padding' | 'pre-commit' | 'commit' | 'post-merge' | 'collapsing';

const MERGE_SIGNS = ['/', '|', '\\'];

/** Draws the graph beside the commits of a walk. */
export class LogGraph {
  private commit = '';
  private parents: readonly string[] = [];
  private columns: string[] = [];
  private newColumns: string[] = [];
  private mapping: number[] = [];
  private oldMapping: number[] = [];
  private width = 0;
  private commitIndex = 0;
  private previousIndex = 0;
  private expansionRow = 0;
  private layout = 0;
  private edges = 0;
  private previousEdges = 0;
  private state: GraphState = 'padding';
  private previousState: GraphState = 'padding';
  private readonly shown: ReadonlySet<string>;

  constructor(commits: readonly Walked[]) {
    this.shown = new Set(commits.map(({ oid }) => oid));
  }

  /** Goes on to a commit. */
  start({ oid, parents }: Walked): void {
    this.commit = oid;
    this.parents = [...new Set(parents)].filter((parent) => this.shown.has(parent));
    this.previousIndex = this.commitIndex;
    this.updateColumns();
    this.expansionRow = 0;
    this.state = this.needsExpansion() ? 'pre-commit' : 'commit';
  }

  /** A line that parts entries, with its newline. */
  gap(): string {
    return `${this.paddingLine()}\n`;
  }

  /** An entry's text beside the graph, which is drawn to its end. Ends in a newline where the text does. */
  entry(text: string): string {
    let out = '';
    for (;;) {
      const isCommit = this.state === 'commit';
      const line = this.nextLine();
      out += line;
      if (isCommit) break;
      out += '\n';
    }
    const isEnded = text.endsWith('\n');
    const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
    out += lines.map((line, at) => (at === 0 ? line : `${this.nextLine()}${line}`)).join('\n');
    if (!this.isFinished()) {
      out += '\n';
      while (!this.isFinished()) {
        out += this.nextLine();
        if (!this.isFinished()) out += '\n';
      }
    }
    return isEnded ? `${out}\n` : out;
  }

  /** Lines that follow an entry, such as its differences. */
  block(text: string): string {
    const lines = text.endsWith('\n') ? text.slice(0, -1).split('\n') : text.split('\n');
    return lines.map((line) => `${this.paddingLine()}${line}\n`).join('');
  }

  private isFinished(): boolean {
    return this.state === 'padding';
  }

  private needsExpansion(): boolean {
    return (
      this.parents.length >= 3 &&
      this.commitIndex < this.columns.length - 1 &&
      this.expansionRow < (this.parents.length + this.layout - 3) * 2
    );
  }

  private updateColumns(): void {
    this.columns = this.newColumns;
    this.newColumns = [];
    this.mapping = new Array<number>(2 * (this.columns.length + this.parents.length) + 2).fill(-1);
    this.width = 0;
    this.previousEdges = this.edges;
    this.edges = 0;
    let seen = false;
    for (let at = 0; at <= this.columns.length; at++) {
      if (at === this.columns.length && seen) break;
      const here = at === this.columns.length ? this.commit : this.columns[at];
      if (here !== this.commit) {
        this.insert(here ?? '', -1);
        continue;
      }
      seen = true;
      this.commitIndex = at;
      this.layout = -1;
      for (const parent of this.parents) this.insert(parent, at);
      if (this.parents.length === 0) this.width += 2;
    }
    this.trimMapping();
  }

  private trimMapping(): void {
    while (this.mapping.length > 1 && (this.mapping[this.mapping.length - 1] ?? -1) < 0) this.mapping.pop();
  }

  private insert(commit: string, index: number): void {
    let column = this.newColumns.indexOf(commit);
    if (column < 0) column = this.newColumns.push(commit) - 1;
    let place: number;
    if (this.parents.length > 1 && index > -1 && this.layout === -1) {
      const distance = index - column;
      const shift = distance > 1 ? 2 * distance - 3 : 1;
      this.layout = distance > 0 ? 0 : 1;
      this.edges = this.parents.length + this.layout - 2;
      place = this.width + (this.layout - 1) * shift;
      this.width += 2 * this.layout;
    } else if (this.edges > 0 && column === this.mapping[this.width - 2]) {
      place = this.width - 2;
      this.edges = -1;
    } else {
      place = this.width;
      this.width += 2;
    }
    this.mapping[place] = column;
  }

  private become(state: GraphState): void {
    this.previousState = this.state;
    this.state = state;
  }

  private isSettled(): boolean {
    return this.mapping.every((target, at) => target < 0 || target === at >> 1);
  }

  private padded(line: string): string {
    return line.padEnd(this.width);
  }

  private nextLine(): string {
    switch (this.state) {
      case 'padding':
        return this.padded('| '.repeat(this.newColumns.length));
      case 'pre-commit':
        return this.padded(this.preCommitLine());
      case 'commit':
        return this.padded(this.commitLine());
      case 'post-merge':
        return this.padded(this.postMergeLine());
      default:
        return this.padded(this.collapsingLine());
    }
  }

  private paddingLine(): string {
    if (this.state !== 'commit') return this.nextLine();
    let line = '';
    for (const column of this.columns)
      line += `|${column === this.commit && this.parents.length > 2 ? ' '.repeat((this.parents.length - 2) * 2) : ' '}`;
    this.previousState = 'padding';
    return this.padded(line);
  }

  private preCommitLine(): string {
    let line = '';
    let seen = false;
    for (const [at, column] of this.columns.entries()) {
      if (column === this.commit) {
        seen = true;
        line += `|${' '.repeat(this.expansionRow)}`;
      } else if (seen && this.expansionRow === 0)
        line += this.previousState === 'post-merge' && this.previousIndex < at ? '\\' : '|';
      else line += seen ? '\\' : '|';
      line += ' ';
    }
    this.expansionRow++;
    if (!this.needsExpansion()) this.become('commit');
    return line;
  }

  private commitLine(): string {
    let line = '';
    let seen = false;
    for (let at = 0; at <= this.columns.length; at++) {
      if (at === this.columns.length && seen) break;
      const here = at === this.columns.length ? this.commit : this.columns[at];
      if (here === this.commit) {
        seen = true;
        line += '*';
        if (this.parents.length > 3) line += this.octopus();
      } else if (seen && this.edges > 1) line += '\\';
      else if (seen && this.edges === 1)
        line +=
          this.previousState === 'post-merge' && this.previousEdges > 0 && this.previousIndex < at
            ? '\\'
            : '|';
      else if (
        this.previousState === 'collapsing' &&
        this.oldMapping[2 * at + 1] === at &&
        (this.mapping[2 * at] ?? -1) < at
      )
        line += '/';
      else line += '|';
      line += ' ';
    }
    if (this.parents.length > 1) this.become('post-merge');
    else this.become(this.isSettled() ? 'padding' : 'collapsing');
    return line;
  }

  private octopus(): string {
    const dashed = this.parents.length + this.layout - 3;
    let line = '';
    for (let at = 0; at < dashed; at++) line += at === dashed - 1 ? '-.' : '--';
    return line;
  }

  private postMergeLine(): string {
    const [firstParent] = this.parents;
    let line = '';
    let seen = false;
    let passedParent = false;
    for (let at = 0; at <= this.columns.length; at++) {
      if (at === this.columns.length && seen) break;
      const here = at === this.columns.length ? this.commit : this.columns[at];
      if (here === this.commit) {
        seen = true;
        let sign = this.layout;
        for (let parent = 0; parent < this.parents.length; parent++) {
          line += MERGE_SIGNS[sign];
          if (sign === 2) {
            if (this.edges > 0 || parent < this.parents.length - 1) line += ' ';
          } else sign++;
        }
        if (this.edges === 0) line += ' ';
      } else if (seen) line += `${this.edges > 0 ? '\\' : '|'} `;
      else {
        line += '|';
        if (this.layout !== 0 || at !== this.commitIndex - 1) line += passedParent ? '_' : ' ';
      }
      if (here === firstParent) passedParent = true;
    }
    this.become(this.isSettled() ? 'padding' : 'collapsing');
    return line;
  }

  private collapsingLine(): string {
    const from = this.mapping;
    const size = from.length;
    const to = new Array<number>(size).fill(-1);
    let [edge, edgeTarget] = [-1, -1];
    const startEdge = (at: number, target: number, place: number): void => {
      if (edge !== -1) return;
      edge = place;
      edgeTarget = target;
      for (let column = target * 2 + 3; column < at - 2; column += 2) to[column] = target;
    };
    for (let at = 0; at < size; at++) {
      const target = from[at] ?? -1;
      if (target < 0) continue;
      if (target * 2 === at) to[at] = target;
      else if ((to[at - 1] ?? -1) < 0) {
        to[at - 1] = target;
        startEdge(at, target, at);
      } else if (to[at - 1] !== target) {
        to[at - 2] = target;
        startEdge(at, target, at - 1);
      }
    }
    this.oldMapping = [...to];
    this.mapping = to;
    if ((to[size - 1] ?? -1) < 0) to.length = Math.max(0, size - 1);
    let line = '';
    let usedEdge = false;
    for (let at = 0; at < to.length; at++) {
      const target = to[at] ?? -1;
      if (target < 0) line += ' ';
      else if (target * 2 === at) line += '|';
      else if (target === edgeTarget && at !== edge - 1) {
        if (at !== target * 2 + 3) to[at] = -1;
        usedEdge = true;
        line += '_';
      } else {
        if (usedEdge && at < edge) to[at] = -1;
        line += '/';
      }
    }
    if (this.isSettled()) this.become('padding');
    return line;
  }
}
