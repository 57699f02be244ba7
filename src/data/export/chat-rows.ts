/**
 * Formats of chat trainers: ms-swift, prompt and completion (TRL, Unsloth), and rows for reinforcement learning.
 *
 * Traps that the rows respect: ms-swift reads a fraction only with its non-binary loss scale, so `loss` is always there
 * and `loss_scale` only with weights; TRL has no mask per message, so a kept turn is a row of its own; verl reads the
 * reference out of `reward_model.ground_truth`. Source: protocols, B.2, B.3, B.6, B.7.
 */
import type { JsonObject } from '../../core/index.js';
import type { Sample } from '../samples/sample.js';
import {
  answerText,
  bareMessage,
  type ColumnType,
  type ExportChoices,
  type ExportFormat,
  FACT_COLUMNS,
  learntIndexes,
  rowFacts,
} from './export-format.js';

const MESSAGES: ColumnType = { list: { role: 'text', content: 'text' } };

/** ms-swift SFT: messages with `loss`, and `loss_scale` with weights. */
export const msSwift: ExportFormat = {
  name: 'ms-swift',
  about:
    'messages with loss per turn (ms-swift; with --weights loss_scale, for --is_binary_loss_scale false)',
  columns: ({ weights }) => ({
    messages: {
      list: {
        role: 'text',
        content: 'text',
        loss: 'boolean',
        ...(weights && { loss_scale: 'number' as const }),
      },
    },
    keep_ratios: 'numbers',
    ...FACT_COLUMNS,
  }),
  rows: (sample, choices) => {
    const learnt = new Set(learntIndexes(sample, choices));
    if (learnt.size === 0) return { noRow: 'no learnt turn' };
    const messages = sample.messages.map((message, index): JsonObject => {
      const bare = bareMessage(message, choices);
      if (message.role !== 'assistant') return bare;
      const loss = learnt.has(index);
      const scale = loss ? (sample.kind === 'whole' ? (message.keepRatio ?? 1) : 1) : 0;
      return { ...bare, loss, ...(choices.weights && { loss_scale: scale }) };
    });
    return [{ messages, keep_ratios: keepRatios(sample), ...rowFacts(sample) }];
  },
};

/** The keep ratio of each assistant message, in order; 1 where no mask spoke. */
function keepRatios(sample: Sample): readonly number[] {
  return sample.messages.flatMap(({ role, keepRatio }) => (role === 'assistant' ? [keepRatio ?? 1] : []));
}

/** TRL and Unsloth: one row per learnt turn. */
export const promptCompletion: ExportFormat = {
  name: 'prompt-completion',
  about: 'prompt and completion messages, one row per learnt turn (TRL, Unsloth, NeMo RL)',
  columns: () => ({ prompt: MESSAGES, completion: MESSAGES, keep_ratio: 'number', ...FACT_COLUMNS }),
  rows: (sample, choices) => {
    const learnt = learntIndexes(sample, { ...choices, weights: false });
    if (learnt.length === 0) return { noRow: 'no learnt turn' };
    return learnt.map((index) => {
      const message = sample.messages[index];
      const facts = rowFacts(sample);
      return {
        prompt: sample.messages.slice(0, index).map((one) => bareMessage(one, choices)),
        completion: message === undefined ? [] : [bareMessage(message, choices)],
        keep_ratio: message?.keepRatio ?? 1,
        ...facts,
        id: sample.kind === 'whole' ? `${sample.id}#t${message?.turn ?? index}` : sample.id,
        turn: message?.turn ?? sample.turn ?? 0,
      };
    });
  },
};

/** The prompt and the reference of a sample of one turn, or why it has none. */
function oneTurn(
  sample: Sample,
  choices: ExportChoices,
): { readonly prompt: readonly JsonObject[]; readonly reference: string } | { readonly noRow: string } {
  const last = sample.messages.at(-1);
  if (sample.kind !== 'turn' || last?.role !== 'assistant') {
    return { noRow: 'a whole trajectory; make samples with `data expand --mode rl`' };
  }
  return {
    prompt: sample.messages.slice(0, -1).map((one) => bareMessage(one, choices)),
    reference: last.content,
  };
}

/** verl: rows for reinforcement learning of the world model itself. */
export const verl: ExportFormat = {
  name: 'verl',
  about: 'rows for reinforcement learning: prompt, data_source, reward_model.ground_truth, extra_info (verl)',
  columns: () => ({
    data_source: 'text',
    prompt: MESSAGES,
    ability: 'text',
    reward_model: { fields: { style: 'text', ground_truth: 'text' } },
    extra_info: { fields: { index: 'integer', split: 'text', ...FACT_COLUMNS } },
  }),
  rows: (sample, choices, index) => {
    const made = oneTurn(sample, choices);
    if ('noRow' in made) return made;
    return [
      {
        data_source: `lwm/${sample.domain}`,
        prompt: made.prompt,
        ability: 'world-model',
        reward_model: { style: 'model', ground_truth: made.reference },
        extra_info: { index, split: 'train', ...rowFacts(sample) },
      },
    ];
  },
};

/** ms-swift GRPO and TRL: messages without the answer, the answer as `solution`. */
export const promptSolution: ExportFormat = {
  name: 'prompt-solution',
  about: 'rows for reinforcement learning: messages without the answer, and solution (ms-swift GRPO, TRL)',
  columns: () => ({ messages: MESSAGES, solution: 'text', ...FACT_COLUMNS }),
  rows: (sample, choices) => {
    const made = oneTurn(sample, choices);
    if ('noRow' in made) return made;
    return [{ messages: made.prompt, solution: made.reference, ...rowFacts(sample) }];
  },
};

/** AgentWorldBench rows: what its scripts and `umwelt bench` read. */
export const agentWorldBench: ExportFormat = {
  name: 'agentworldbench',
  about: 'rows of AgentWorldBench: prompt and response lists, system_str, turn_idx',
  columns: () => ({
    task: 'text',
    id: 'integer',
    prompt: 'texts',
    response: 'texts',
    current_prompt: 'text',
    system_str: 'text',
    turn_idx: 'integer',
    total_turns: 'integer',
  }),
  rows: (sample, choices, index) => {
    if (sample.kind !== 'turn') return { noRow: 'a whole trajectory; make samples of one turn' };
    if (sample.droppedTurns > 0) return { noRow: 'turns before it were left out; use a larger window' };
    const all = sample.messages.filter(({ role }) => role !== 'system');
    const prompt = all.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
    const response = all.flatMap((message) =>
      message.role === 'assistant' ? [answerText(message, choices)] : [],
    );
    const { messages, domain, totalTurns } = sample;
    return [
      {
        task: domain,
        id: index,
        prompt,
        response,
        current_prompt: prompt.at(-1) ?? '',
        system_str: messages[0]?.role === 'system' ? messages[0].content : '',
        turn_idx: response.length,
        total_turns: Math.max(totalTurns, response.length),
      },
    ];
  },
};
