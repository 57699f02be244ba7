/**
 * `paste` of coreutils 9.1: lines of files side by side, or one file a line.
 *
 * Source: paste(1).
 */
import { type Running, toBytes } from '../../../kernel/index.js';
import type { ByteLines } from '../../program/byte-lines.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, systemError, type Tool } from '../../program/tool.js';

const OPTIONS = defineOptions('d,delimiters: s,serial z,zero-terminated');

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

function delimitersOf(tool: Tool, text: string): string[] {
  const bytes = latin1(toBytes(text));
  if (/(^|[^\\])(\\\\)*\\$/.test(bytes)) tool.die(`delimiter list ends with an unescaped backslash: ${text}`);
  const list: string[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const character = bytes[at] as string;
    if (character !== '\\') list.push(character);
    else {
      at += 1;
      const next = bytes[at] as string;
      list.push(ESCAPES[next] ?? next);
    }
  }
  return list.length > 0 ? list : [''];
}

function* serial(tool: Tool, delimiters: readonly string[], separator: string): Running<void> {
  for (const name of tool.operands) {
    const fd = yield* tool.input(name);
    if (fd === null) continue;
    const lines = tool.lines(fd, separator);
    try {
      let count = 0;
      for (;;) {
        const line = yield* lines.next();
        if (line === null) break;
        tool.raw(count === 0 ? line : (delimiters[(count - 1) % delimiters.length] ?? '') + line);
        count += 1;
      }
      tool.raw(separator);
    } catch (error) {
      if (systemError(error).code !== 'EISDIR') throw error;
      tool.raw(separator);
      tool.failed(error, name);
    }
    tool.close(fd);
  }
}

function* parallel(tool: Tool, delimiters: readonly string[], separator: string): Running<void> {
  let standardInput: ByteLines | undefined;
  const inputs: (ByteLines | null)[] = [];
  const names: string[] = [];
  for (const name of tool.operands) {
    try {
      if (name === '-') standardInput ??= tool.lines(0, separator);
      inputs.push(
        name === '-' ? (standardInput ?? null) : tool.lines(yield* tool.proc.open(name), separator),
      );
      names.push(name);
    } catch (error) {
      tool.die(`${tool.path(name)}: ${systemError(error).text}`);
    }
  }
  for (;;) {
    let text = '';
    let isAny = false;
    for (let index = 0; index < inputs.length; index++) {
      const input = inputs[index] ?? null;
      let line: string | null = null;
      try {
        line = input === null ? null : yield* input.next();
      } catch (error) {
        tool.failed(error, names[index] ?? '');
      }
      if (line === null) inputs[index] = null;
      else isAny = true;
      text += (line ?? '') + (index < inputs.length - 1 ? (delimiters[index % delimiters.length] ?? '') : '');
    }
    if (!isAny) return;
    tool.raw(text + separator);
  }
}

/** The command. */
export const paste = defineTool('paste', function* (tool) {
  let list = '\t';
  let isSerial = false;
  let separator = '\n';
  for (const { key, value = '' } of tool.options(OPTIONS)) {
    if (key === 'd') list = value === '' ? '\\0' : value;
    if (key === 's') isSerial = true;
    if (key === 'z') separator = '\0';
  }
  if (tool.operands.length === 0) tool.operands = ['-'];
  const delimiters = delimitersOf(tool, list);
  if (isSerial) yield* serial(tool, delimiters, separator);
  else yield* parallel(tool, delimiters, separator);
});
