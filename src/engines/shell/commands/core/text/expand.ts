/**
 * `expand` and `unexpand` of coreutils 9.1: tabs to blanks and back. Columns are bytes, as there.
 *
 * Source: expand(1), unexpand(1); the old form `-4,8` too.
 */
import type { Running } from '../../../kernel/index.js';
import { defineOptions } from '../../program/options.js';
import { TabStops } from '../../program/tab-stops.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const EXPAND = defineOptions('i,initial t,tabs:');
const UNEXPAND = defineOptions('a,all first-only t,tabs:');

/** `-4` and `-2,8` of old, as `-t`. */
function oldForm(args: readonly string[]): readonly string[] {
  return args.map((word) => (/^-\d[\d,]*$/.test(word) ? `-t${word.slice(1)}` : word));
}

function expandLine(text: string, stops: TabStops, onlyInitial: boolean): string {
  if (!text.includes('\t')) return text;
  let out = '';
  let column = 0;
  let converts = true;
  for (const character of text) {
    if (character === '\t' && converts) {
      const next = stops.after(column) ?? column + 1;
      out += ' '.repeat(next - column);
      column = next;
      continue;
    }
    if (character === '\b') column = Math.max(0, column - 1);
    else column += 1;
    if (onlyInitial && character !== ' ') converts = false;
    out += character;
  }
  return out;
}

function unexpandLine(text: string, stops: TabStops, all: boolean): string {
  let out = '';
  let column = 0;
  let pending = '';
  let converts = true;
  let wasBlank = true;
  for (const character of text) {
    const isBlank = character === ' ' || character === '\t';
    if (converts && isBlank) {
      const next = stops.after(column);
      if (next === undefined) {
        converts = false;
        out += pending + character;
        pending = '';
        column += 1;
        continue;
      }
      if (character === '\t') {
        column = next;
        out += `${pending === ' ' && !wasBlank ? '' : ''}\t`;
        pending = '';
        wasBlank = true;
        continue;
      }
      column += 1;
      pending += ' ';
      if (column === next) {
        out += pending.length > 1 || wasBlank ? '\t' : ' ';
        if (pending.length === 1 && !wasBlank) {
          pending = '';
          wasBlank = true;
          continue;
        }
        pending = '';
        wasBlank = true;
      }
      continue;
    }
    out += pending + character;
    pending = '';
    wasBlank = false;
    column = character === '\b' ? Math.max(0, column - 1) : column + 1;
    if (!all) converts = false;
  }
  return out + pending;
}

function* eachLine(tool: Tool, change: (text: string) => string): Running<void> {
  for (const name of tool.operands.length > 0 ? tool.operands : ['-']) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const lines = tool.lines(fd);
    try {
      for (;;) {
        const text = yield* lines.next();
        if (text === null) break;
        tool.raw(change(text) + (lines.endedWithSeparator ? '\n' : ''));
      }
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.failed(error, name);
    }
    tool.close(fd);
  }
}

/** The command `expand`. */
export const expand = defineTool('expand', function* (tool) {
  const stops = new TabStops();
  let onlyInitial = false;
  for (const { key, value = '' } of tool.options(EXPAND, { args: oldForm(tool.args) })) {
    if (key === 'i') onlyInitial = true;
    if (key === 't') stops.add(tool, value);
  }
  stops.finish();
  yield* eachLine(tool, (text) => expandLine(text, stops, onlyInitial));
});

/** The command `unexpand`. */
export const unexpand = defineTool('unexpand', function* (tool) {
  const stops = new TabStops();
  let all = false;
  let firstOnly = false;
  for (const { key, value = '' } of tool.options(UNEXPAND, { args: oldForm(tool.args) })) {
    if (key === 'a') all = true;
    if (key === 'first-only') firstOnly = true;
    if (key === 't') {
      all = true;
      stops.add(tool, value);
    }
  }
  stops.finish();
  yield* eachLine(tool, (text) => unexpandLine(text, stops, all && !firstOnly));
});
