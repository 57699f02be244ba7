/**
 * A sample for a person's eyes: each message or token with its mask, so that a wrong mask can be seen.
 *
 * Without a tokenizer messages are shown whole with what is learnt; with one, each token of the ChatML template stands on
 * a line with its position, id, label and text. Source: hard cases P-RL-2 and P-RL-3.
 */

import type { Sample } from '../samples/sample.js';
import type { Tokenizer } from '../samples/token-counter.js';
import type { ExportChoices } from './export-format.js';
import { NO_LABEL, tokenRow } from './token-rows.js';

/** Lines about a sample: a head, then `+` for what is learnt and `.` for what is context. */
export function showMessages(sample: Sample): readonly string[] {
  const { id, domain, kind, totalTurns, droppedTurns, tokens } = sample;
  const about = `${tokens.total} tokens (${tokens.exact ? tokens.by : 'estimate'}), ${droppedTurns} turns left out`;
  const head = `${id} · ${domain} · ${kind} · ${totalTurns} turns · ${about}`;
  const lines = sample.messages.flatMap(({ role, content, loss, keepRatio, category, turn }) => {
    const sign = loss === true ? '+' : '.';
    const facts = [
      ...(turn === undefined ? [] : [`turn ${turn}`]),
      ...(category === undefined ? [] : [category]),
      ...(keepRatio === undefined ? [] : [`keep ${keepRatio}`]),
    ];
    const title = `${sign} ${role}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
    return [title, ...content.split('\n').map((line) => `${sign}   ${line}`)];
  });
  return [head, ...lines];
}

/** Lines of tokens: position, id, label, weight and text as JSON. */
export function showTokens(sample: Sample, tokenizer: Tokenizer, choices: ExportChoices): readonly string[] {
  const { inputIds, labels, weights } = tokenRow(sample, tokenizer, choices);
  const pieces = tokenizer.pieces(inputIds);
  const learnt = labels.filter((label) => label !== NO_LABEL).length;
  const head = `${sample.id} · ${inputIds.length} tokens, ${learnt} learnt`;
  const lines = inputIds.map((id, i) => {
    const sign = labels[i] === NO_LABEL ? '.' : '+';
    const weight = weights[i] === 1 || weights[i] === 0 ? '' : ` ×${weights[i]}`;
    return `${sign} ${String(i).padStart(6)} ${String(id).padStart(7)} ${JSON.stringify(pieces[i] ?? '')}${weight}`;
  });
  return [head, ...lines];
}
