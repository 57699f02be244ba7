/**
 * `envsubst` of GNU gettext 0.21: environment variables put into a text.
 *
 * Source: envsubst(1). `$NAME` and `${NAME}` only; everything else stays as it is.
 */
import { bytesOf, latin1 } from '../../program/latin1.js';
import { defineOptions } from '../../program/options.js';
import { defineTool } from '../../program/tool.js';
import { helpText } from '../help-texts.js';

const TABLE = defineOptions('help,h variables,v version,V', '');
const REFERENCE = /\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g;

/** The command. */
export const envsubst = defineTool(
  'envsubst',
  function* (tool) {
    let asksNames = false;
    for (const { key } of tool.options(TABLE)) asksNames ||= key === 'variables';
    const [format] = tool.operands;
    if (tool.operands.length > 1) tool.die('too many arguments');
    if (asksNames && format === undefined) tool.die('missing arguments');
    const named =
      format === undefined ? undefined : [...format.matchAll(REFERENCE)].map((one) => one[1] ?? one[2] ?? '');
    if (asksNames) {
      tool.out((named ?? []).map((name) => `${name}\n`).join(''));
      return;
    }
    const text = latin1(yield* tool.proc.readAll(0));
    const made = text.replace(REFERENCE, (whole, braced: string | undefined, bare: string | undefined) => {
      const name = braced ?? bare ?? '';
      if (named !== undefined && !named.includes(name)) return whole;
      const value = tool.env(name);
      return value === undefined ? '' : latin1(new TextEncoder().encode(value));
    });
    tool.io.out(bytesOf(made));
  },
  { texts: helpText('envsubst') },
);
