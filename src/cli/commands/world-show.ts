/**
 * `umwelt world show`: what an agent would be told, and what the engine believes the tools do.
 *
 * Hidden targets, facts and verifiers' expressions are the author's; they are shown, because who can run this can
 * read the file.
 */
import { isJsonObject, type Json, renderJson } from '../../core/index.js';
import {
  createToolsEngine,
  describeService,
  inferService,
  type ServiceModel,
  ToolChecks,
} from '../../engines/index.js';
import { renderProblem, type World } from '../../worlds/index.js';
import type { CommandInput } from '../command.js';
import { EXIT } from '../failure.js';
import { findPlayable } from '../find-playable.js';
import { type Output, visible } from '../output.js';

/** Runs the command. */
export async function run({ words, output }: CommandInput): Promise<number> {
  const found = await findPlayable(words[0] ?? '');
  if (!found.ok) throw found.error;
  const world = found.value;
  const service = world.spec === null ? null : inferService(world.spec);
  if (output.json) output.line(worldJson(world, service));
  else output.line(renderWorld(world, service, output));
  for (const warning of world.warnings)
    output.note(visible(renderProblem(warning, world.path ?? world.name)));
  // a schema that cannot be compiled is checked as far as it can be; whoever reads on should know
  const unchecked = world.spec === null ? [] : new ToolChecks(world.spec.tools).allNotes();
  for (const note of unchecked) output.note(visible(`input schema of ${note}`));
  return EXIT.done;
}

/** The world as one JSON value: the file's own words, its hash, and the service model. */
function worldJson(world: World, service: ServiceModel | null): string {
  const { name, domain, title, description, path, hash, file, oracle, wrong } = world;
  const facts = {
    name,
    domain,
    title,
    description,
    path,
    hash,
    seed: file.seed,
    task: file.task ?? null,
    tools: file.tools ?? [],
    faults: file.faults,
    success: file.success,
    budget: file.budget,
    oracleTurns: oracle.length,
    wrong: wrong.map(({ id, why }) => ({ id, why: why ?? null })),
    service,
    rows: Object.fromEntries(countRows(world).map(({ name, rows, given }) => [name, { rows, given }])),
  };

  return renderJson(facts as unknown as Json);
}

function renderWorld(world: World, service: ServiceModel | null, output: Output): string {
  const { file } = world;
  const head = (text: string): string => output.style(text, 'bold');
  const lines = [head(visible(world.title)), `${world.name}, domain ${world.domain}, seed ${file.seed}`];
  lines.push(output.style(`hash ${world.hash}`, 'dim'));
  if (world.description !== '') lines.push('', visible(world.description.trimEnd()));
  lines.push('', head('Task'), file.task === undefined ? 'none' : visible(file.task.trimEnd()));
  if (service !== null) lines.push('', visible(describeService(service)));
  const counts = countRows(world).map(({ name, rows, given }) => {
    const from = given || rows === 0 ? '' : ', generated from the seed';
    return `${name}: ${rows} row${rows === 1 ? '' : 's'}${from}`;
  });
  if (world.spec !== null) lines.push('', head('Rows'), ...listed(counts));
  lines.push('', head('Success'), ...listed(file.success.map((one) => one.id)));
  if (file.faults.length > 0) {
    lines.push(
      '',
      head('Faults'),
      ...listed(file.faults.map((fault) => `${fault.kind} on ${renderJson(fault.on as never)}`)),
    );
  }
  lines.push('', head('Scripts'), `  oracle: ${world.oracle.length} actions`);
  lines.push(
    ...world.wrong.map(({ id, why }) => `  wrong ${visible(id)}: ${visible(why ?? 'no reason given')}`),
  );
  return lines.join('\n');
}

interface RowCount {
  readonly name: string;
  readonly rows: number;
  /** The file gives the rows; else they are made from the seed. */
  readonly given: boolean;
}

/** How many rows each collection has when an episode starts. */
function countRows({ spec, file }: World): RowCount[] {
  if (spec === null) return [];
  const view = createToolsEngine().open(spec, file.seed).view();
  const data = isJsonObject(view) && isJsonObject(view.data) ? view.data : {};
  return Object.entries(data).map(([name, rows]) => ({
    name,
    rows: Array.isArray(rows) ? rows.length : 0,
    given: Object.hasOwn(spec.data, name),
  }));
}

function listed(items: readonly string[]): string[] {
  return items.length === 0 ? ['  none'] : items.map((item) => `  ${visible(item)}`);
}
