/**
 * The readable form of an episode: the task, then action and observation per turn, and the reward.
 *
 * Statuses other than `ok`, faults and flags are marked. Everything from the world is made visible first, so that it
 * cannot steer the terminal. Not meant to be parsed; `--json` is.
 */
import type { Score, Span, StepResult } from '../../core/index.js';
import type { ToolDefinition } from '../../domains/index.js';
import { type Output, visible } from '../output.js';

/** What the transcript says of a world before the first turn. */
export interface Heading {
  readonly title: string;
  readonly task: string | null;
  readonly tools: readonly ToolDefinition[];
}

/** The opening lines: title, task, number of tools. */
export function renderHeading(heading: Heading, output: Output): string {
  const lines = [output.style(visible(heading.title), 'bold')];
  if (heading.task !== null) lines.push('', visible(heading.task.trimEnd()));
  const names = heading.tools.map((tool) => tool.name);
  if (names.length > 0)
    lines.push('', output.style(`${names.length} tools: ${visible(names.join(', '))}`, 'dim'));
  return lines.join('\n');
}

/** One turn: the action behind its number, marks, and the observation below. */
export function renderTurn(step: StepResult, output: Output): string {
  const head = `${output.style(`${step.turn} ›`, 'cyan')} ${visible(step.action)}`;
  const lines = ['', head, ...marks(step, output)];
  if (step.observation === null) lines.push(output.style('  (no observation)', 'dim'));
  else if (step.observation !== '') lines.push(visible(step.observation));
  else if (!step.done) lines.push(output.style('  (an empty observation)', 'dim'));
  return lines.join('\n');
}

function marks(step: StepResult, output: Output): string[] {
  const found: string[] = [];
  if (step.status !== 'ok') {
    const reason = step.reason === undefined ? '' : `: ${visible(step.reason)}`;
    found.push(output.style(`  [${step.status}]${reason}`, 'red'));
  }
  for (const fault of step.faults) {
    const text = `  [fault ${fault.kind}, ${fault.phase} ${visible(fault.operation)}]`;
    found.push(output.style(text, 'yellow'));
  }
  if (step.flags.length > 0) found.push(output.style(`  [${visible(step.flags.join(', '))}]`, 'yellow'));
  return found;
}

/** The closing lines: reward and its components, or why there is none. */
export function renderEnd(step: StepResult, output: Output): string {
  const turns = `turn ${step.turn}`;
  return ['', output.style(`done at ${turns}, ${step.clock}`, 'bold'), ...scoreLines(step, output)].join(
    '\n',
  );
}

function scoreLines(step: StepResult, output: Output): string[] {
  const score: Score | undefined = step.score;
  if (score?.status === 'unscored') return [`reward: none, ${visible(score.reason)}`];
  if (score === undefined || step.reward === null) return ['reward: none, this world has no verifiers'];
  const parts = Object.entries(score.components).map(([name, fraction]) => {
    const mark = fraction === 1 ? output.style('passed', 'green') : output.style('failed', 'red');
    return `  ${fraction === 1 || fraction === 0 ? mark : fraction.toFixed(3)}  ${visible(name)}`;
  });
  return [`reward: ${Number(step.reward.toFixed(3))}`, ...parts];
}

/** An observation cut into its spans, each behind its origin. */
export function renderOrigins(observation: string, origins: readonly Span[], output: Output): string {
  if (origins.length === 0) return 'no text, so no origins';
  return origins
    .map((span) => {
      const ref = span.ref === undefined ? '' : ` (${visible(span.ref)})`;
      const label = output.style(`${span.origin}${ref}`, 'cyan');
      return `${label}: ${visible(observation.slice(span.start, span.end))}`;
    })
    .join('\n');
}
