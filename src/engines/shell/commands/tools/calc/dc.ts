/**
 * `dc` of GNU bc 1.07.1: reverse Polish notation.
 *
 * Source: dc(1). See `dc-run.ts`.
 */
import { type Running, SystemError } from '../../../kernel/index.js';
import { latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool, type Tool } from '../../program/tool.js';
import { unknownProgram } from '../../program/unknown-program.js';
import { helpText } from '../help-texts.js';
import { DcForeign, DcQuit, DcRun } from './dc-run.js';
import { lineLength, WrappedOutput } from './wrapped-output.js';

const TABLE = defineOptions('e,expression: f,file: h,help V,version', '');

/** The command. */
export const dc = defineTool(
  'dc',
  function* (tool) {
    const parts: { readonly kind: 'e' | 'f'; readonly value: string }[] = [];
    for (const { key, value = '' } of tool.options(TABLE, { onError: () => usage(tool) })) {
      if (key === 'h') tool.help();
      if (key === 'V') tool.version();
      if (key === 'e' || key === 'f') parts.push({ kind: key, value });
    }
    for (const name of tool.operands) parts.push({ kind: 'f', value: name });
    return yield* calculate(tool, parts);
  },
  { texts: helpText('dc'), sizeBytes: 51_424 },
);

/** One character more than bc's. */
function dcWidth(value: string | undefined): number {
  const width = lineLength(value);
  return width === 0 ? 0 : width + 1;
}

function usage(tool: Tool): never {
  const [usageText, more] = helpText('dc').help.split(/(?<=\n\n)/);
  tool.io.err(usageText ?? '');
  tool.out(more ?? '');
  return tool.exit(1);
}

function* calculate(
  tool: Tool,
  parts: readonly { readonly kind: 'e' | 'f'; readonly value: string }[],
): Running<number> {
  const output = new WrappedOutput(tool.io, dcWidth(tool.env('DC_LINE_LENGTH')));
  const lines = tool.lines(0);
  const say = (message: string): void => tool.io.err(`${tool.name}: ${message}\n`);
  const run = new DcRun(
    tool.proc,
    output,
    say,
    () => lines.next(),
    (message) => {
      // Half of the message goes to standard output, as in the real one.
      tool.io.err(`${tool.name}: `);
      tool.out(message);
    },
  );
  try {
    for (const part of parts) {
      const text = part.kind === 'e' ? part.value : yield* fileText(tool, part.value);
      yield* run.run(text);
    }
    if (parts.length > 0) return 0;
    // A text in brackets may span lines.
    for (let line = yield* lines.next(); line !== null; line = yield* lines.next()) {
      let chunk = line;
      while ((chunk.match(/\[/g) ?? []).length > (chunk.match(/\]/g) ?? []).length) {
        const more = yield* lines.next();
        if (more === null) break;
        chunk += `\n${more}`;
      }
      yield* run.run(chunk);
      if (tool.io.mustDrain) yield* tool.io.drain();
    }
    return 0;
  } catch (error) {
    if (error instanceof DcQuit) return 0;
    if (error instanceof DcForeign) return yield* unknownProgram('dc')(tool.proc);
    throw error;
  }
}

function* fileText(tool: Tool, name: string): Running<string> {
  try {
    return latin1(yield* tool.proc.readFile(name));
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return tool.die(`Could not open file ${name}`);
  }
}
