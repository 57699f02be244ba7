/**
 * Counters of a service in the text format of Prometheus.
 *
 * Names of worlds and episodes are no labels: they would make as many series as there are episodes. Source: the
 * Prometheus exposition format, text version 0.0.4.
 */
import type { StepStatus } from '../core/index.js';
import type { ChatFacts } from './openai/chat-door.js';

/** Upper bounds of the histogram of step times, seconds. */
const BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120] as const;

/** What is counted now, for the gauges. */
export interface Gauges {
  readonly episodes: number;
  /** Those of them that are in memory. */
  readonly awake: number;
  readonly woken: number;
  readonly opened: number;
  readonly mcpSessions: number;
}

/** Counts what a service does. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #steps = new Map<StepStatus | 'failed', number>();
  readonly #buckets = new Array<number>(BUCKETS.length).fill(0);
  readonly #chats = new Map<string, number>();
  #chatSeconds = 0;
  #chatCount = 0;
  #chatTokens = 0;
  #stepSeconds = 0;
  #stepCount = 0;

  /** One request was answered. */
  request(method: string, status: number): void {
    const known = ['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PUT', 'PATCH'].includes(method);
    add(this.#requests, `method="${known ? method : 'other'}",status="${status}"`);
  }

  /** One turn was asked over the OpenAI-compatible wire. */
  chat({ route, domain, status, seconds, tokens }: ChatFacts): void {
    add(this.#chats, `route="${route}",domain="${domain}",status="${status}"`);
    this.#chatSeconds += seconds;
    this.#chatCount++;
    this.#chatTokens += tokens;
  }

  /** One step was answered, or failed to be carried out or stored. */
  step(status: StepStatus | 'failed', seconds: number): void {
    add(this.#steps, status);
    this.#stepCount++;
    this.#stepSeconds += seconds;
    for (const [index, bound] of BUCKETS.entries()) {
      if (seconds <= bound) this.#buckets[index] = (this.#buckets[index] ?? 0) + 1;
    }
  }

  /** Everything as text. */
  render({ episodes, awake, opened, woken, mcpSessions }: Gauges): string {
    const lines = [
      ...single('umwelt_episodes', 'gauge', 'Episodes that are held now.', episodes),
      ...single(
        'umwelt_episodes_awake',
        'gauge',
        'Episodes in memory; the others sleep in the store.',
        awake,
      ),
      ...single('umwelt_episodes_woken_total', 'counter', 'Episodes that came back from the store.', woken),
      ...single('umwelt_episodes_opened_total', 'counter', 'Episodes opened, forks among them.', opened),
      ...single('umwelt_mcp_sessions', 'gauge', 'MCP sessions that are open.', mcpSessions),
      ...family('umwelt_http_requests_total', 'Requests answered.', this.#requests),
      ...family('umwelt_steps_total', 'Steps by their status.', labelled('status', this.#steps)),
      ...this.#histogram('umwelt_step_seconds', 'Time of a step, from its turn in the queue to its answer.'),
      ...family('umwelt_chat_completions_total', 'Turns asked over the OpenAI-compatible wire.', this.#chats),
      '# HELP umwelt_chat_seconds Time of such a turn.',
      '# TYPE umwelt_chat_seconds summary',
      `umwelt_chat_seconds_sum ${this.#chatSeconds}`,
      `umwelt_chat_seconds_count ${this.#chatCount}`,
      ...single(
        'umwelt_chat_model_tokens_total',
        'counter',
        'Tokens that models used for them.',
        this.#chatTokens,
      ),
      ...single('process_resident_memory_bytes', 'gauge', 'Resident memory.', process.memoryUsage.rss()),
    ];
    return `${lines.join('\n')}\n`;
  }

  #histogram(name: string, help: string): string[] {
    return [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} histogram`,
      ...BUCKETS.map((bound, index) => `${name}_bucket{le="${bound}"} ${this.#buckets[index] ?? 0}`),
      `${name}_bucket{le="+Inf"} ${this.#stepCount}`,
      `${name}_sum ${this.#stepSeconds}`,
      `${name}_count ${this.#stepCount}`,
    ];
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function labelled(label: string, counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].map(([key, count]) => [`${label}="${key}"`, count]));
}

function family(name: string, help: string, counts: ReadonlyMap<string, number>): string[] {
  const series = [...counts].map(([labels, count]) => `${name}{${labels}} ${count}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...series];
}

function single(name: string, type: 'gauge' | 'counter', help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`];
}
