/**
 * `tr` of coreutils 9.1: translates, squeezes, deletes bytes.
 *
 * Source: tr(1). Sets are in `tr-set.ts`.
 */
import { toBytes } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { expandSet, type TrSet } from './tr-set.js';

const OPTIONS = defineOptions('c,complement C d,delete s,squeeze-repeats t,truncate-set1');

/** The bytes that a set names, or those that it does not name. */
function members(set: TrSet, complement: boolean): number[] {
  if (!complement) return set.bytes;
  const named = new Set(set.bytes);
  return Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => !named.has(byte));
}

function flags(bytes: readonly number[]): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of bytes) set[byte] = 1;
  return set;
}

interface TrLine {
  complement: boolean;
  delete: boolean;
  squeeze: boolean;
  truncate: boolean;
}

function checkOperands(tool: Tool, line: TrLine): void {
  const { operands } = tool;
  const min = line.delete === line.squeeze ? 2 : 1;
  const max = 1 + (line.delete ? (line.squeeze ? 1 : 0) : 1);
  if (operands.length < min) {
    if (operands.length === 0) tool.usage('missing operand');
    tool.warn(`missing operand after ${tool.quote(operands[operands.length - 1] ?? '')}`);
    tool.io.err(
      line.squeeze
        ? 'Two strings must be given when both deleting and squeezing repeats.\n'
        : 'Two strings must be given when translating.\n',
    );
    tool.usage();
  }
  if (operands.length > max) {
    tool.warn(`extra operand ${tool.quote(operands[max] ?? '')}`);
    if (operands.length === 2)
      tool.io.err('Only one string may be given when deleting without squeezing repeats.\n');
    tool.usage();
  }
}

/** Checks of two sets that are used to translate; gives the table. */
function translation(tool: Tool, line: TrLine, first: TrSet, second: TrSet): Uint8Array {
  const from = members(first, line.complement);
  let to = second.bytes;
  if (second.repeats > 1) tool.die('only one [c*] repeat construct may appear in string2');
  if (second.hasEquivalence) tool.die('[=c=] expressions may not appear in string2 when translating');
  if (second.classes.some((name) => name !== 'lower' && name !== 'upper'))
    tool.die(
      "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'",
    );
  for (const { at, name } of second.cases) {
    const partner = first.cases.find(
      (one) => one.at === at && (one.name === 'lower' || one.name === 'upper'),
    );
    if (partner === undefined || line.complement) tool.die('misaligned [:upper:] and/or [:lower:] construct');
    if (name === undefined) tool.die('misaligned');
  }
  if (second.open !== undefined) {
    const missing = Math.max(0, from.length - (to.length - 0));
    to = [
      ...to.slice(0, second.open.at),
      ...new Array<number>(missing).fill(second.open.byte),
      ...to.slice(second.open.at),
    ];
  }
  if (!line.truncate) {
    const last = to[to.length - 1];
    if (last === undefined) tool.die('when not truncating set1, string2 must be non-empty');
    if (from.length > to.length && second.endsWithClass)
      tool.die(
        'when translating with string1 longer than string2,\nthe latter string must not end with a character class',
      );
    if (line.complement && first.classes.length > 0 && new Set(to).size > 1 && to.length < from.length)
      tool.die(
        'when translating with complemented character classes,\nstring2 must map all characters in the domain to one',
      );
    while (to.length < from.length) to.push(last ?? 0);
  }
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  from.slice(0, to.length).forEach((byte, index) => {
    table[byte] = to[index] ?? byte;
  });
  return table;
}

/** The command. */
export const tr = defineTool('tr', function* (tool) {
  const line: TrLine = { complement: false, delete: false, squeeze: false, truncate: false };
  for (const { key } of tool.options(OPTIONS, { stop: true })) {
    if (key === 'c' || key === 'C') line.complement = true;
    if (key === 'd') line.delete = true;
    if (key === 's') line.squeeze = true;
    if (key === 't') line.truncate = true;
  }
  checkOperands(tool, line);
  const [first, second] = tool.operands.map((text) => expandSet(tool, latin1(toBytes(text))));
  if (first === undefined) return 1;
  if (first.open !== undefined || first.repeats > 0)
    tool.die('the [c*] repeat construct may not appear in string1');
  const translates = !line.delete && second !== undefined;
  const table = translates ? translation(tool, line, first, second) : null;
  const drop = line.delete ? flags(members(first, line.complement)) : null;
  const squeezed = second ?? first;
  const squeeze = line.squeeze
    ? flags(
        translates && table !== null && second !== undefined
          ? line.complement && second.open !== undefined
            ? [...new Set(members(first, true).map((byte) => table[byte] ?? byte))]
            : [...second.bytes, ...(second.open === undefined ? [] : [second.open.byte])]
          : second !== undefined
            ? second.bytes
            : members(squeezed, line.complement),
      )
    : null;
  let last = -1;
  for (;;) {
    const piece = yield* tool.io.read(tool.proc, 0);
    if (piece.length === 0) return 0;
    const result = new Uint8Array(piece.length);
    let length = 0;
    for (let index = 0; index < piece.length; index++) {
      let byte = piece[index] as number;
      if (drop !== null && drop[byte] === 1) continue;
      if (table !== null) byte = table[byte] as number;
      if (squeeze !== null && byte === last && squeeze[byte] === 1) continue;
      result[length++] = byte;
      last = byte;
    }
    tool.io.out(result.subarray(0, length));
  }
});
