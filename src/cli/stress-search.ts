/**
 * `umwelt stress --search`: for each world and agent of a suite the smallest schedule that breaks the agent, as a world
 * file that plays, with the command lines that play it.
 */
import { type Json, renderJson } from '../core/index.js';
import {
  createHostedPlaces,
  createSuiteJudge,
  LOCAL_PLACES,
  type SearchResult,
  type SearchSubject,
  type SuitePlan,
  searchBreak,
  secretsOf,
  writeBrokenWorld,
} from '../stress/index.js';
import { EXIT } from './failure.js';
import { type Output, visible } from './output.js';
import { packageVersion } from './package-files.js';

/** Searches for every world and agent of a plan and writes what it finds. Gives the exit code. */
export async function searchSuite(plan: SuitePlan, directory: string, output: Output): Promise<number> {
  const hosted = createHostedPlaces();
  const judge = createSuiteJudge();
  let code: number = EXIT.done;
  try {
    for (const subject of subjectsOf(plan)) {
      const setting = {
        local: LOCAL_PLACES,
        hosted,
        version: packageVersion(),
        judge,
        secrets: secretsOf(process.env),
      };
      const result = await searchBreak(subject, setting);
      if (result.kind === 'broken') code = EXIT.agentFailed;
      else if (result.kind === 'fails-clean' && code === EXIT.done) code = EXIT.partial;
      tell(subject, result, { directory, output });
    }
  } finally {
    await hosted.close();
  }
  return code;
}

function subjectsOf(plan: SuitePlan): SearchSubject[] {
  const subjects = new Map<string, SearchSubject & { sets: SearchSubject['sets'][number][] }>();
  for (const { world, agent, faults, seed, budget, trial } of plan.runs) {
    if (trial !== 1) continue;
    const key = JSON.stringify([world.name, agent.id]);
    const subject = subjects.get(key) ?? { world, agent, sets: [], seed, budget };
    subjects.set(key, subject);
    if (faults.specs.length > 0) subject.sets.push(faults);
  }
  return [...subjects.values()];
}

function tell(
  { world, agent }: SearchSubject,
  result: SearchResult,
  to: { readonly directory: string; readonly output: Output },
): void {
  const { output, directory } = to;
  const who = `${world.name} / ${agent.id}`;
  const written = result.kind === 'broken' ? writeBrokenWorld(directory, world, result) : null;
  if (written?.ok === false) throw written.error;
  const files = written?.value;
  if (output.json) {
    const { kind, runs } = result;
    const found =
      result.kind === 'broken' ? { faults: result.specs, seed: result.seed, why: result.why } : {};
    output.line(
      renderJson({
        world: world.name,
        agent: agent.id,
        kind,
        runs,
        ...found,
        ...(files !== undefined && { files }),
      } as unknown as Json),
    );
    return;
  }
  if (result.kind !== 'broken') {
    const what =
      result.kind === 'survived'
        ? `nothing broke it in ${result.runs} runs`
        : `fails without faults: ${result.why}`;
    output.line(visible(`${who}: ${what}`));
    return;
  }
  const count = result.specs.length === 1 ? 'one fault' : `${result.specs.length} faults`;
  output.line(visible(`${who}: broken by ${count} (${result.runs} runs)`));
  for (const spec of result.specs) output.line(visible(`  ${renderJson(spec as unknown as Json)}`));
  output.line(visible(`  ${result.why}`));
  if (files === undefined) return;
  output.line(visible(`  see it:       umwelt play ${files.world} --actions ${files.actions}`));
  output.line(visible(`  try it again: umwelt stress ${files.suite} --agent '${agent.spec}'`));
}
