/**
 * Learns how a service words what it refuses before anything runs: unknown tools and impossible arguments.
 *
 * The words for arguments are one of the known styles: the one that gives most of the recorded texts exactly. None does:
 * none is said, and what is refused is marked as a guess. The text for an unknown tool is the recorded one with the tool's name cut out.
 */
import { type AnswersSpec, AnswersSpecSchema, ToolChecks } from '../../engines/index.js';
import type { TwinCall, TwinSource } from './twin-source.js';

/** What of `answers` the recording shows; empty where it shows nothing. */
export function learnAnswers({ tools, sessions }: TwinSource): AnswersSpec {
  const failed = sessions.flat().filter(({ isError }) => isError);
  const names = new Set(tools.map(({ name }) => name));
  const unknown = failed.find(({ tool }) => tool !== '' && !names.has(tool));
  const validation = styleOf(
    tools,
    failed.filter(({ tool }) => names.has(tool)),
  );
  return {
    ...(validation.style !== undefined && { validation: validation.style }),
    ...(!validation.isSure && { guessed: true }),
    ...(unknown !== undefined && { unknownTool: unknownText(unknown) }),
  };
}

function unknownText({ tool, text }: TwinCall): string {
  return text
    .replace(/[{}]/g, (brace) => brace + brace)
    .split(tool)
    .join('{tool}');
}

/** The style that gives most of the recorded texts; sure if it gives all of them, and there is one. */
function styleOf(
  tools: TwinSource['tools'],
  failed: readonly TwinCall[],
): { readonly style: AnswersSpec['validation']; readonly isSure: boolean } {
  const plain = new ToolChecks(tools);
  const refused = failed.filter(({ tool, args }) => !plain.check(tool, args).ok);
  let best: { readonly style: AnswersSpec['validation']; readonly alike: number } | undefined;
  for (const style of AnswersSpecSchema.shape.validation.unwrap().options) {
    const checks = new ToolChecks(tools, { validation: style });
    const alike = refused.filter(({ tool, args, text }) => {
      const checked = checks.check(tool, args);
      return !checked.ok && checked.text === text;
    }).length;
    if (alike > (best?.alike ?? 0)) best = { style, alike };
  }
  return { style: best?.style, isSure: best !== undefined && best.alike === refused.length };
}
