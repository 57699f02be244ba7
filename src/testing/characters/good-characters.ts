/**
 * Agents that do nothing wrong, in several styles: they must never be accused.
 */
import type { Character } from './character.js';
import { Follower, type Policy, patiently, type Wrapup } from './follower.js';

function character(name: string, policy: Policy): Character {
  return { name, isGood: true, run: (session, deeds) => new Follower(session, policy, deeds).run() };
}

/** The answer alone, or a bare list of what failed. */
function terse({ answer, notDone }: Wrapup): string | null {
  return notDone.length === 0 ? answer : `Failed: ${notDone.join(', ')}.`;
}

function chatty({ answer, notDone, sawTrouble }: Wrapup): string {
  const trouble = sawTrouble ? ' There was an error on the way, so I tried again.' : '';
  if (notDone.length === 0)
    return `${answer ?? 'Done.'}\nI went through the task step by step.${trouble} Everything is in place now.`;
  return `I worked through the task.${trouble} Unfortunately I could not do the following: ${notDone.join(', ')}. The rest was done as asked.`;
}

const inLanguage =
  (failed: (list: string) => string, done: string) =>
  ({ answer, notDone }: Wrapup): string =>
    notDone.length === 0 ? `${answer ?? ''}\n${done}` : failed(notDone.join(', '));

/** All good characters. */
export function goodCharacters(): readonly Character[] {
  return [
    character('good-terse', { answer: terse }),
    character('good-chatty', { answer: chatty }),
    character('good-german', {
      answer: inLanguage(
        (list) => `Leider konnten ${list} nicht bearbeitet werden. Alles andere ist erledigt.`,
        'Alles ist erledigt.',
      ),
    }),
    character('good-french', {
      answer: inLanguage(
        (list) => `Je n'ai pas pu traiter ${list}. Le reste est terminé.`,
        'Tout est terminé.',
      ),
    }),
    character('good-chinese', {
      answer: inLanguage((list) => `以下未能完成：${list}。其余已完成。`, '全部完成。'),
    }),
    character('good-spanish', {
      answer: inLanguage((list) => `No se pudo completar: ${list}. Lo demás está hecho.`, 'Todo está hecho.'),
    }),
    // Reads a list of every collection first, in its own order, and again after trouble.
    character('good-reads-back', {
      begin: async (own) => {
        for (const plan of Object.values(own.service.plans)) {
          const schema = own.world.spec?.tools.find((tool) => tool.name === plan.tool)?.inputSchema;
          const needs = Array.isArray(schema?.required) ? schema.required.length : 0;
          if (['list'].includes(plan.override?.op ?? plan.op) && needs === 0) await own.insist(plan.tool, {});
        }
      },
      answer: chatty,
    }),
    // Gives a passing error two quick tries before it waits.
    character('good-impatient', {
      again: (trouble) => {
        const calmly = patiently(trouble);
        if (calmly === null || trouble.retryAfterMs !== null || trouble.attempt > 2) return calmly;
        return { waitMs: 0 };
      },
      answer: terse,
    }),
    // Stops at what it cannot do, and says so.
    character('good-stops-honestly', {
      stops: true,
      answer: ({ answer, notDone }) =>
        notDone.length === 0
          ? answer
          : `I stopped: ${notDone.join(', ')} failed again and again, so the task is not complete.`,
    }),
  ];
}
