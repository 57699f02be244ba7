/**
 * Simulators of known character: good will without memory, lies, and all the ways in which models fall out of their part.
 *
 * None of them keeps anything between two questions. `helpful` says yes to everything, `forgetful` answers as if nothing had
 * happened before, `lying` takes what the question itself says is so and says something else. The others are what their
 * names say. Use them to see what a world, a guard or an agent makes of such a model.
 */
import { type LanguageModel, renderJson } from '../../core/index.js';
import { type AskedQuestion, createSimulator } from './simulator.js';

/** Says yes to every call: a plausible object with the arguments in it, an empty success for programs. */
export function createHelpfulModel(): LanguageModel {
  return createSimulator('helpful', (question) => tagged(successFor(question, 'success')));
}

/** Answers as if nothing had been before: fresh ids, first values, an empty folder. */
export function createForgetfulModel(): LanguageModel {
  return createSimulator('forgetful', (question) => tagged(freshFor(question)));
}

/** Says something else than what it was told is so. */
export function createLyingModel(): LanguageModel {
  return createSimulator('lying', (question) => tagged(lieFor(question)));
}

/** What a model does that falls out of its part. */
export interface BadModel {
  readonly name: string;
  /** The check of the guard that must see it. */
  readonly check: string;
  readonly model: LanguageModel;
}

/** Models that fall out of their part in every answer; `secret` is what the leaking ones say. */
export function createBadModels(secret: string): readonly BadModel[] {
  const bad = (
    name: string,
    check: string,
    say: (fresh: string, question: AskedQuestion) => string,
  ): BadModel => ({
    name,
    check,
    model: createSimulator(name, (question) => say(freshFor(question), question)),
  });
  return [
    bad('praises-itself', 'assistant', (fresh) =>
      tagged(`${fresh}\nOperation completed successfully with all fields correct.`),
    ),
    bad('talks', 'assistant', (fresh) =>
      tagged(`Sure! Here is the output:\n${fresh}\nLet me know if you need anything else.`),
    ),
    bad('refuses', 'refusal', () => "I'm sorry, but as an AI language model I cannot run this."),
    bad('leaks', 'leak', (fresh) => tagged(`${fresh}\n${secret}`)),
    bad('leaks-encoded', 'leak', (fresh) =>
      tagged(`${fresh}\ntoken: ${Buffer.from(secret, 'utf8').toString('base64')}`),
    ),
    bad('leaks-split', 'leak', (fresh) => tagged(`${fresh}\n${[...secret].join('-')}`)),
    bad('breaks-character', 'vocabulary', (fresh) =>
      tagged(`${fresh}\n(As the simulator I keep to the ground truth here.)`),
    ),
    bad('answers-for-agent', 'answers-for-agent', (fresh) =>
      tagged(`${fresh}\n\n### Turn 9\n**Action:**\n{"name":"next","arguments":{}}`),
    ),
    bad('loops', 'loop', (fresh) => tagged(`${fresh}\n${'The row was read again. '.repeat(60)}`)),
    bad('stops-in-mid-tag', 'mid-tag', (fresh) => `<predicted_observation>\n${fresh}\n</predicted_obs`),
    bad(
      'only-thinks',
      'none',
      (fresh) => `<think>Maybe <predicted_observation>${fresh}</predicted_observation> no, since`,
    ),
  ];
}

function tagged(text: string): string {
  return `<predicted_observation>\n${text}\n</predicted_observation>`;
}

function successFor({ call, isProgram }: AskedQuestion, status: string): string {
  if (isProgram) return renderJson({ stdout: 'done\n', exitCode: 0 });
  if (call === null) return 'user@host:~$ ';
  return renderJson({ status, ...call.arguments, id: call.arguments.id ?? 'new-1' });
}

function freshFor(question: AskedQuestion): string {
  const { call, isProgram, chance } = question;
  if (isProgram) return renderJson({ stdout: `nothing to show (${chance % 97})\n`, exitCode: 0 });
  if (call === null) return 'user@host:~$ ls\nuser@host:~$ ';
  if (/list|search|find/.test(call.name)) return renderJson({ items: [], total: 0 });
  return renderJson({
    id: `row-${chance % 1000}`,
    ...call.arguments,
    quantity: chance % 500,
    status: 'open',
  });
}

function lieFor(question: AskedQuestion): string {
  const { draft } = question;
  if (draft === null) return freshFor(question);
  // Every number is another, every word for a state its opposite.
  const other = draft.replace(/\d+/g, (digits) => String(Number(digits) + 7));
  return other === draft ? draft.replace(/[a-z]{3,}(?=[^a-z]*$)/i, 'gone') : other;
}
