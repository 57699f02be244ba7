/**
 * A language model whose tokens are counted: as it reports them, else as an estimate.
 */
import type { LanguageModel } from '../core/index.js';
import { estimateTokens } from '../text/index.js';

/** The model, with a listener for what each answer cost in tokens. Undefined stays so. */
export function countedModel(
  model: LanguageModel | undefined,
  onTokens: (tokens: number) => void,
): LanguageModel | undefined {
  if (model === undefined) return undefined;
  return {
    name: model.name,
    generate: async (request) => {
      const answered = await model.generate(request);
      if (!answered.ok) return answered;
      const { usage, samples } = answered.value;
      const asked =
        usage.promptTokens ?? request.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
      const said = usage.completionTokens ?? samples.reduce((sum, { text }) => sum + estimateTokens(text), 0);
      onTokens(asked + said);
      return answered;
    },
  };
}
