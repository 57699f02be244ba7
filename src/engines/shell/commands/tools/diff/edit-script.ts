/**
 * The differences of two lists of lines, as GNU diff finds them.
 *
 * Myers' divide and conquer with a bidirectional search, then the shifting of runs of changes to where they join others
 * or stand last. Lines that the other file does not have are set aside first. Source: E. Myers, "An O(ND) difference
 * algorithm and its variations"; the behaviour of diffutils 3.8. Not covered: the heuristics for huge files.
 */

/** A run of changes: `deleted` lines from `oldAt` on were replaced by `inserted` lines from `newAt` on. */
export interface Change {
  readonly oldAt: number;
  readonly newAt: number;
  readonly deleted: number;
  readonly inserted: number;
}

/** The changes from one list of equivalence keys to another, in order. */
export function findChanges(oldKeys: readonly string[], newKeys: readonly string[]): Change[] {
  const ids = new Map<string, number>();
  const numbered = (keys: readonly string[]): Int32Array =>
    Int32Array.from(keys, (key) => {
      const known = ids.get(key);
      if (known !== undefined) return known;
      ids.set(key, ids.size);
      return ids.size - 1;
    });
  const [a, b] = [numbered(oldKeys), numbered(newKeys)];
  const [oldChanged, newChanged] = [new Uint8Array(a.length + 2), new Uint8Array(b.length + 2)];
  const [keptOld, keptNew] = [setAside(a, b, oldChanged), setAside(b, a, newChanged)];
  const pick = (values: Int32Array, places: Int32Array): Int32Array =>
    Int32Array.from(places, (at) => values[at] ?? -1);
  compareSequences(pick(a, keptOld), pick(b, keptNew), (side, at) => {
    if (side === 'old') oldChanged[keptOld[at] ?? 0] = 1;
    else newChanged[keptNew[at] ?? 0] = 1;
  });
  shiftRuns(a, oldChanged, newChanged);
  shiftRuns(b, newChanged, oldChanged);
  return collect(oldChanged, newChanged, [a.length, b.length]);
}

/** Marks lines that the other side does not have; gives the places of the rest. */
function setAside(own: Int32Array, other: Int32Array, changed: Uint8Array): Int32Array {
  const there = new Set(other);
  const kept: number[] = [];
  own.forEach((value, at) => {
    if (there.has(value)) kept.push(at);
    else changed[at] = 1;
  });
  return Int32Array.from(kept);
}

/** Marks what a shortest way from one sequence to the other removes and adds. */
export function compareSequences(
  x: Int32Array,
  y: Int32Array,
  mark: (side: 'old' | 'new', at: number) => void,
): void {
  new Comparison(x, y, mark).run();
}

class Comparison {
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;
  private readonly zero: number;

  constructor(
    private readonly x: Int32Array,
    private readonly y: Int32Array,
    private readonly mark: (side: 'old' | 'new', at: number) => void,
  ) {
    const size = x.length + y.length + 3;
    this.forward = new Int32Array(size);
    this.backward = new Int32Array(size);
    this.zero = y.length + 1;
  }

  run(): void {
    // An explicit stack: inputs with many changes would nest deeply.
    const stack: [number, number, number, number][] = [[0, this.x.length, 0, this.y.length]];
    for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
      let [xOff, xLim, yOff, yLim] = part;
      while (xOff < xLim && yOff < yLim && this.x[xOff] === this.y[yOff]) {
        xOff++;
        yOff++;
      }
      while (xOff < xLim && yOff < yLim && this.x[xLim - 1] === this.y[yLim - 1]) {
        xLim--;
        yLim--;
      }
      if (xOff === xLim) for (; yOff < yLim; yOff++) this.mark('new', yOff);
      else if (yOff === yLim) for (; xOff < xLim; xOff++) this.mark('old', xOff);
      else {
        const [xMid, yMid] = this.middle(xOff, xLim, [yOff, yLim]);
        stack.push([xMid, xLim, yMid, yLim], [xOff, xMid, yOff, yMid]);
      }
    }
  }

  /** A point that a shortest way passes, found from both ends. */
  private middle(
    xOff: number,
    xLim: number,
    [yOff, yLim]: readonly [number, number],
  ): readonly [number, number] {
    const { forward, backward, zero } = this;
    const [dMin, dMax] = [xOff - yLim, xLim - yOff];
    const [fMid, bMid] = [xOff - yOff, xLim - yLim];
    let [fMin, fMax, bMin, bMax] = [fMid, fMid, bMid, bMid];
    const odd = ((fMid - bMid) & 1) !== 0;
    forward[zero + fMid] = xOff;
    backward[zero + bMid] = xLim;
    for (;;) {
      if (fMin > dMin) forward[zero + --fMin - 1] = -1;
      else ++fMin;
      if (fMax < dMax) forward[zero + ++fMax + 1] = -1;
      else --fMax;
      for (let d = fMax; d >= fMin; d -= 2) {
        const [low, high] = [forward[zero + d - 1] ?? -1, forward[zero + d + 1] ?? -1];
        let at = low < high ? high : low + 1;
        while (at < xLim && at - d < yLim && this.x[at] === this.y[at - d]) at++;
        forward[zero + d] = at;
        if (odd && bMin <= d && d <= bMax && (backward[zero + d] ?? 0) <= at) return [at, at - d];
      }
      if (bMin > dMin) backward[zero + --bMin - 1] = 0x7fffffff;
      else ++bMin;
      if (bMax < dMax) backward[zero + ++bMax + 1] = 0x7fffffff;
      else --bMax;
      for (let d = bMax; d >= bMin; d -= 2) {
        const [low, high] = [backward[zero + d - 1] ?? 0, backward[zero + d + 1] ?? 0];
        let at = low < high ? low : high - 1;
        while (xOff < at && yOff < at - d && this.x[at - 1] === this.y[at - d - 1]) at--;
        backward[zero + d] = at;
        if (!odd && fMin <= d && d <= fMax && at <= (forward[zero + d] ?? 0)) return [at, at - d];
      }
    }
  }
}

/** Shifts runs of changes of one side so that they join others, meet runs of the other side, or stand last. */
function shiftRuns(own: Int32Array, changed: Uint8Array, other: Uint8Array): void {
  const end = own.length;
  let [i, j] = [0, 0];
  for (;;) {
    while (i < end && changed[i] !== 1) {
      while (other[j++] === 1);
      i++;
    }
    if (i === end) return;
    let start = i;
    while (changed[++i] === 1);
    while (other[j] === 1) j++;
    let length: number;
    let corresponding: number;
    do {
      length = i - start;
      while (start > 0 && own[start - 1] === own[i - 1]) {
        changed[--start] = 1;
        changed[--i] = 0;
        while (start > 0 && changed[start - 1] === 1) start--;
        while (other[--j] === 1);
      }
      corresponding = j > 0 && other[j - 1] === 1 ? i : end;
      while (i !== end && own[start] === own[i]) {
        changed[start++] = 0;
        changed[i++] = 1;
        while (changed[i] === 1) i++;
        while (other[++j] === 1) corresponding = i;
      }
    } while (length !== i - start);
    while (corresponding < i) {
      changed[--start] = 1;
      changed[--i] = 0;
      while (other[--j] === 1);
    }
  }
}

function collect(
  oldChanged: Uint8Array,
  newChanged: Uint8Array,
  [oldEnd, newEnd]: readonly [number, number],
): Change[] {
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < oldEnd || j < newEnd) {
    if (oldChanged[i] !== 1 && newChanged[j] !== 1) {
      i++;
      j++;
      continue;
    }
    const [oldAt, newAt] = [i, j];
    while (i < oldEnd && oldChanged[i] === 1) i++;
    while (j < newEnd && newChanged[j] === 1) j++;
    changes.push({ oldAt, newAt, deleted: i - oldAt, inserted: j - newAt });
  }
  return changes;
}
