/**
 * The coding of one bzip2 block: Burrows-Wheeler order, move to front, Huffman tables chosen as bzip2 1.0.8 does.
 *
 * The order of rotations comes from prefix doubling, so that repetitive text is no slower than other text. Source: the
 * description of the format in bzip2's manual and RFC-like notes on it; the choices follow what the program writes.
 */

/** Bits, most significant first. */
export class BitWriter {
  private bytes = new Uint8Array(1 << 16);
  private size = 0;
  private held = 0;
  private count = 0;

  /** Adds the low `width` bits (at most 24) of a number. */
  add(width: number, value: number): void {
    for (let left = width; left > 0; ) {
      const take = Math.min(left, 8 - this.count);
      const part = (value >>> (left - take)) & ((1 << take) - 1);
      this.held = (this.held << take) | part;
      this.count += take;
      left -= take;
      if (this.count === 8) this.push();
    }
  }

  /** What was written, filled up with zero bits. */
  finish(): Uint8Array {
    if (this.count > 0) this.add(8 - this.count, 0);
    return this.bytes.slice(0, this.size);
  }

  private push(): void {
    if (this.size === this.bytes.length) {
      const larger = new Uint8Array(this.size * 2);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.size++] = this.held & 0xff;
    this.held = 0;
    this.count = 0;
  }
}

/** The start of every rotation, in their order. */
function rotations(block: Uint8Array): Int32Array {
  const size = block.length;
  let rank = new Int32Array(size);
  let order = new Int32Array(size);
  const counts = new Int32Array(Math.max(257, size + 1));
  for (let at = 0; at < size; at++) counts[(block[at] ?? 0) + 1] = (counts[(block[at] ?? 0) + 1] ?? 0) + 1;
  for (let at = 1; at <= 256; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
  for (let at = 0; at < size; at++) {
    const byte = block[at] ?? 0;
    const place = counts[byte] ?? 0;
    counts[byte] = place + 1;
    order[place] = at;
  }
  let classes = rankBy(order, rank, (one, other) => block[one] === block[other]);
  let nextOrder = new Int32Array(size);
  let nextRank = new Int32Array(size);
  for (let step = 1; step < size && classes < size; step *= 2) {
    // Sorted by the second half already; a stable count by the first half's rank does the rest.
    counts.fill(0, 0, classes + 1);
    for (let at = 0; at < size; at++) counts[(rank[at] ?? 0) + 1] = (counts[(rank[at] ?? 0) + 1] ?? 0) + 1;
    for (let at = 1; at <= classes; at++) counts[at] = (counts[at] ?? 0) + (counts[at - 1] ?? 0);
    for (let at = 0; at < size; at++) {
      const second = order[at] ?? 0;
      const start = second >= step ? second - step : second - step + size;
      const group = rank[start] ?? 0;
      const place = counts[group] ?? 0;
      counts[group] = place + 1;
      nextOrder[place] = start;
    }
    const before = rank;
    classes = rankBy(
      nextOrder,
      nextRank,
      (one, other) =>
        before[one] === before[other] && before[(one + step) % size] === before[(other + step) % size],
    );
    [order, nextOrder] = [nextOrder, order];
    [rank, nextRank] = [nextRank, rank];
  }
  return order;
}

/** Gives each rotation the number of its class; returns how many there are. */
function rankBy(order: Int32Array, rank: Int32Array, same: (one: number, other: number) => boolean): number {
  let classes = 0;
  for (let at = 0; at < order.length; at++) {
    if (at > 0 && !same(order[at - 1] ?? 0, order[at] ?? 0)) classes += 1;
    rank[order[at] ?? 0] = classes;
  }
  return order.length === 0 ? 0 : classes + 1;
}

const GROUP = 50;
const ROUNDS = 4;
const MAX_LENGTH = 17;

/** Writes one block: its magic number, checksum and everything behind. */
export function writeBlock(out: BitWriter, block: Uint8Array, crc: number): void {
  out.add(24, 0x314159);
  out.add(24, 0x265359);
  out.add(16, crc >>> 16);
  out.add(16, crc & 0xffff);
  out.add(1, 0);
  const order = rotations(block);
  out.add(24, order.indexOf(0));
  const used = [...new Set(block)].sort((one, other) => one - other);
  writeUsed(out, used);
  const symbols = moveToFront(block, order, used);
  writeSymbols(out, symbols, used.length + 2);
}

function writeUsed(out: BitWriter, used: readonly number[]): void {
  const has = new Uint8Array(256);
  for (const byte of used) has[byte] = 1;
  const rows = Array.from({ length: 16 }, (_, row) => has.subarray(row * 16, row * 16 + 16));
  for (const row of rows) out.add(1, row.includes(1) ? 1 : 0);
  for (const row of rows) if (row.includes(1)) for (const bit of row) out.add(1, bit);
}

/** The last bytes of the rotations as places in a list, with runs of the first place counted in base 2. */
function moveToFront(block: Uint8Array, order: Int32Array, used: readonly number[]): Uint16Array {
  const list = Uint8Array.from(used);
  const symbols = new Uint16Array(block.length + 2);
  let size = 0;
  let run = 0;
  const endRun = (): void => {
    for (; run > 0; run = (run - 1) >> 1) symbols[size++] = run & 1 ? 0 : 1;
  };
  for (const start of order) {
    const byte = block[start === 0 ? block.length - 1 : start - 1] ?? 0;
    if (list[0] === byte) {
      run += 1;
      continue;
    }
    endRun();
    const place = list.indexOf(byte);
    list.copyWithin(1, 0, place);
    list[0] = byte;
    symbols[size++] = place + 1;
  }
  endRun();
  symbols[size++] = used.length + 1;
  return symbols.slice(0, size);
}

function firstTables(frequencies: Int32Array, tables: number, total: number): Uint8Array[] {
  const out: Uint8Array[] = [];
  let rest = total;
  let start = 0;
  for (let part = tables; part > 0; part--) {
    const wanted = Math.floor(rest / part);
    let end = start - 1;
    let sum = 0;
    while (sum < wanted && end < frequencies.length - 1) sum += frequencies[++end] ?? 0;
    if (end > start && part !== tables && part !== 1 && (tables - part) % 2 === 1)
      sum -= frequencies[end--] ?? 0;
    const lengths = new Uint8Array(frequencies.length).fill(15);
    if (end >= start) lengths.fill(0, start, end + 1);
    out[part - 1] = lengths;
    start = end + 1;
    rest -= sum;
  }
  return out;
}

function writeSymbols(out: BitWriter, symbols: Uint16Array, alphabet: number): void {
  const frequencies = new Int32Array(alphabet);
  for (const symbol of symbols) frequencies[symbol] = (frequencies[symbol] ?? 0) + 1;
  const count = symbols.length;
  const tableCount = count < 200 ? 2 : count < 600 ? 3 : count < 1200 ? 4 : count < 2400 ? 5 : 6;
  const lengths = firstTables(frequencies, tableCount, count);
  let selectors: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const found = lengths.map(() => new Int32Array(alphabet));
    selectors = [];
    for (let at = 0; at < count; at += GROUP) {
      const group = symbols.subarray(at, at + GROUP);
      const best = cheapest(lengths, group);
      selectors.push(best);
      const own = found[best];
      if (own !== undefined) for (const symbol of group) own[symbol] = (own[symbol] ?? 0) + 1;
    }
    found.forEach((one, table) => {
      lengths[table] = codeLengths(one);
    });
  }
  out.add(3, tableCount);
  out.add(15, selectors.length);
  writeSelectors(out, selectors, tableCount);
  for (const table of lengths) writeLengths(out, table);
  const codes = lengths.map(codesOf);
  selectors.forEach((table, index) => {
    for (const symbol of symbols.subarray(index * GROUP, index * GROUP + GROUP))
      out.add(lengths[table]?.[symbol] ?? 0, codes[table]?.[symbol] ?? 0);
  });
}

function cheapest(lengths: readonly Uint8Array[], group: Uint16Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  lengths.forEach((table, at) => {
    let cost = 0;
    for (const symbol of group) cost += table[symbol] ?? 0;
    if (cost < least) [best, least] = [at, cost];
  });
  return best;
}

function writeSelectors(out: BitWriter, selectors: readonly number[], tableCount: number): void {
  const list = Array.from({ length: tableCount }, (_, at) => at);
  for (const selector of selectors) {
    const place = list.indexOf(selector);
    list.splice(place, 1);
    list.unshift(selector);
    for (let at = 0; at < place; at++) out.add(1, 1);
    out.add(1, 0);
  }
}

function writeLengths(out: BitWriter, table: Uint8Array): void {
  let now = table[0] ?? 0;
  out.add(5, now);
  for (const length of table) {
    for (; now < length; now++) out.add(2, 2);
    for (; now > length; now--) out.add(2, 3);
    out.add(1, 0);
  }
}

/** Canonical codes of code lengths. */
function codesOf(lengths: Uint8Array): Int32Array {
  const codes = new Int32Array(lengths.length);
  let code = 0;
  for (let length = 1; length <= 20; length++) {
    lengths.forEach((one, symbol) => {
      if (one === length) codes[symbol] = code++;
    });
    code <<= 1;
  }
  return codes;
}

/** Lengths of a Huffman code; frequencies are flattened until none is too long. */
function codeLengths(frequencies: Int32Array): Uint8Array {
  const weights = [0, ...[...frequencies].map((one) => (one === 0 ? 1 : one) * 256)];
  for (;;) {
    const lengths = huffman(weights, frequencies.length);
    if (lengths.every((one) => one <= MAX_LENGTH)) return lengths;
    for (let at = 1; at <= frequencies.length; at++)
      weights[at] = (1 + Math.floor(Math.floor((weights[at] ?? 0) / 256) / 2)) * 256;
  }
}

/** One tree. A weight's low byte is the depth of its subtree: it decides between equal ones. */
function huffman(leaves: readonly number[], size: number): Uint8Array {
  const weight = leaves.slice(0, size + 1);
  const parent: number[] = [-2];
  const heap: number[] = [0];
  const of = (place: number): number => weight[heap[place] ?? 0] ?? 0;
  const up = (from: number): void => {
    const node = heap[from] ?? 0;
    let at = from;
    for (; (weight[node] ?? 0) < of(at >> 1); at >>= 1) heap[at] = heap[at >> 1] ?? 0;
    heap[at] = node;
  };
  const takeLeast = (): number => {
    const least = heap[1] ?? 0;
    const node = heap.pop() ?? 0;
    if (heap.length === 1) return least;
    let at = 1;
    for (let child = 2; child < heap.length; child = at * 2) {
      if (child + 1 < heap.length && of(child + 1) < of(child)) child += 1;
      if ((weight[node] ?? 0) < of(child)) break;
      heap[at] = heap[child] ?? 0;
      at = child;
    }
    heap[at] = node;
    return least;
  };
  const put = (node: number): void => {
    parent[node] = -1;
    heap.push(node);
    up(heap.length - 1);
  };
  for (let node = 1; node <= size; node++) put(node);
  while (heap.length > 2) {
    const [one, other] = [takeLeast(), takeLeast()];
    const [first, second] = [weight[one] ?? 0, weight[other] ?? 0];
    const depth = 1 + Math.max(first % 256, second % 256);
    const node = weight.length;
    weight.push(first - (first % 256) + second - (second % 256) + depth);
    parent[one] = node;
    parent[other] = node;
    put(node);
  }
  return Uint8Array.from({ length: size }, (_, index) => {
    let depth = 0;
    for (let node = index + 1; (parent[node] ?? -1) >= 0; node = parent[node] ?? -1) depth += 1;
    return depth;
  });
}
