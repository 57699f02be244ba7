/**
 * A service as one function from `Request` to `Response`, and the same episodes for the program that runs it.
 *
 * It needs no port: tests and other servers call `fetch`. Which door a request enters is decided by its token alone.
 * Source: contracts, "The service".
 */
import type { Hono } from 'hono';
import {
  type LanguageModel,
  LIMITS,
  nearestName,
  type StepResult,
  type Turn,
  UmweltError,
  WorldError,
} from '../core/index.js';
import type { Episode, Route } from '../sim/index.js';
import { findWorld, listWorlds, type World } from '../worlds/index.js';
import { Access, type Caller } from './access.js';
import { agentRoutes } from './agent-routes.js';
import { controlRoutes } from './control-routes.js';
import { countedModel } from './counted-model.js';
import type { DoorEnv } from './episode-routes.js';
import type { EpisodeStore } from './episode-store.js';
import { Episodes, type HostedOptions } from './episodes.js';
import type { HostedEpisode } from './hosted-episode.js';
import { McpDoor } from './mcp/mcp-door.js';
import type { McpHandlers } from './mcp/mcp-handlers.js';
import { WorldDoor } from './mcp/world-door.js';
import { createMemoryStore } from './memory-store.js';
import { Metrics } from './metrics.js';
import { ChatDoor } from './openai/chat-door.js';
import { chatRoutes } from './openai/chat-routes.js';
import { OwnPrompts } from './openai/own-prompts.js';
import { OpenEnvDoor } from './openenv/openenv-door.js';
import { type Quota, Quotas } from './quotas.js';
import { errorReply } from './reply.js';
import { NO_LOG, type ServiceLog } from './service-log.js';
import { noPath, type ServiceRooms } from './service-rooms.js';

/** How a service is made. */
export interface ServiceOptions {
  /** The worlds that callers may name. Default: the packaged catalogue. */
  readonly worlds?: readonly World[];
  /** Default: in memory. */
  readonly store?: EpisodeStore;
  /** Opens the control door. Default: 256 random bits, see {@link Service.controlToken}. */
  readonly controlToken?: string;
  /** Open the agents' door. */
  readonly agentTokens?: readonly string[];
  /** Agents need no token. Default true: only this machine is meant to reach the service. */
  readonly open?: boolean;
  /** Host names of the service beside the loopback ones. */
  readonly hostnames?: readonly string[];
  /** Episodes at once. Default `LIMITS.episodesPerService`; with a durable store `LIMITS.storedEpisodes`. */
  readonly maxEpisodes?: number;
  /** With a durable store: episodes in memory at once. Default `LIMITS.awakeEpisodes`. */
  readonly maxAwake?: number;
  /** OpenEnv sessions of one world at once. Default `LIMITS.openEnvSessions`. */
  readonly maxOpenEnvSessions?: number;
  /** Answers what the engine cannot compute, in episodes that say nothing else. */
  readonly model?: LanguageModel;
  /** Who answers, in episodes that say nothing else. Default `grounded`. */
  readonly route?: Route;
  /** Tokens of one question to the model. Default `LIMITS.promptTokens`. */
  readonly promptTokens?: number;
  /** What each token may do in a window of time. Default: no bounds. The control token has none. */
  readonly quotas?: readonly Quota[];
  /** What this program adds to MCP servers: tools that ask the client, completion. Default: nothing. */
  readonly mcpHandlers?: McpHandlers;
  /** Where events and requests are logged. Default: nowhere. */
  readonly log?: ServiceLog;
  /** Where the service is reached, without a slash at the end. Default `http://localhost`. */
  readonly url?: string;
  /** The wall clock, milliseconds since 1970. Default: this machine's. */
  readonly nowMs?: () => number;
}

/** An episode in a service, for the program that runs the service. */
export interface ServedEpisodeHandle {
  readonly id: string;
  /** Its MCP address. */
  readonly mcpUrl: string;
  /** Opens this episode and nothing else. */
  readonly token: string;
  /** The episode as it is now: another object after each step. Read it; never step it. */
  readonly episode: Episode;
  /** Answers one action, in the same queue as the wires. */
  step(action: string): Promise<StepResult>;
  /** Ends the episode and scores it. */
  finish(answer?: string): Promise<StepResult>;
  /** Calls the listener after each turn, whoever sent it. Returns what takes it off again. */
  onTurn(listener: (turn: Turn, result: StepResult) => void): () => void;
  /** Lets the episode go, from memory and store. */
  close(): Promise<void>;
}

/** The door of a socket, and what carries work out in its caller's name. */
export interface SocketDoor {
  readonly door: OpenEnvDoor;
  readonly counted: <Result>(work: () => Result) => Result;
}

/** A running service. */
export interface Service {
  /** Answers one request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /**
   * The OpenEnv door that a socket asks for. Raises what `fetch` would answer, for a request that may not or cannot
   * have one.
   */
  socketDoor(request: Request): SocketDoor;
  /** Opens an episode of a world that is loaded already. Rejects as `openEpisode`, and with `service/capacity`. */
  openEpisode(world: World, options?: HostedOptions): Promise<ServedEpisodeHandle>;
  /** Puts idle episodes to sleep in a durable store; forgets those that nobody changed for `keepMs`, where given. */
  tidy(keepMs?: number): Promise<void>;
  readonly controlToken: string;
  readonly store: EpisodeStore;
  /** Refuses new work, waits for the steps that run, lets all episodes go. */
  close(): Promise<void>;
}

/** Makes a service. */
export function createService(options: ServiceOptions = {}): Service {
  const rooms = new Rooms(options);
  const { access } = rooms;
  const agent = agentRoutes(rooms);
  const control = controlRoutes(rooms);
  const url = options.url ?? 'http://localhost';
  const log = options.log ?? NO_LOG;
  return {
    controlToken: access.controlToken,
    store: rooms.store,
    fetch: async (request) => {
      const startMs = performance.now();
      const watch: Watch = { caller: 'unknown' };
      let response: Response;
      try {
        response = await answer(request, { rooms, agent, control, watch });
      } catch (error) {
        watch.failure = error;
        response = errorReply(error);
      }
      const { method, url: address } = request;
      const { status } = response;
      rooms.metrics.request(method, status);
      const code = UmweltError.isInstance(watch.failure) ? { code: watch.failure.code } : {};
      const path = pathOf(address);
      log.request({ method, path, status, ms: performance.now() - startMs, ...watch, ...code });
      return response;
    },
    socketDoor: (request) => {
      access.checkOrigin(request);
      const caller = access.identify(request);
      access.checkTrainer(caller);
      const { pathname } = new URL(request.url);
      const asked = OPEN_ENV.exec(pathname);
      if (asked?.[2] !== '/ws') throw noPath(request.method, pathname);
      return { door: rooms.openEnvDoor(asked[1] ?? ''), counted: (work) => rooms.quotas.run(caller, work) };
    },
    openEpisode: async (world, how) => {
      const hosted = await rooms.open(world, { ...how, keepAwake: true });
      return handleOf(hosted, { rooms, url });
    },
    tidy: (keepMs) => rooms.tidy(keepMs),
    close: () => rooms.close(),
  };
}

/** World and the rest of an OpenEnv address. */
const OPEN_ENV = /^\/openenv\/([^/]+)(\/[^/]*)$/;

/** What is known of a request beside its answer. */
interface Watch {
  caller: string;
  failure?: unknown;
}

/** The path of an absolute address that is normal already, as the addresses of requests are. */
function pathOf(address: string): string {
  const start = address.indexOf('/', address.indexOf('//') + 2);
  if (start === -1) return '/';
  const end = address.slice(start).search(/[?#]/);
  return end === -1 ? address.slice(start) : address.slice(start, start + end);
}

async function answer(
  request: Request,
  doors: {
    readonly rooms: ServiceRooms;
    readonly agent: Hono<DoorEnv>;
    readonly control: Hono<DoorEnv>;
    readonly watch: Watch;
  },
): Promise<Response> {
  const { access } = doors.rooms;
  const failed = (error: unknown): void => {
    doors.watch.failure = error;
  };
  access.checkOrigin(request);
  const pathname = pathOf(request.url);
  if (pathname.startsWith('/v1/')) {
    const { chatDoor: door } = doors.rooms;
    const caller = (): Caller => {
      const known = access.identify(request);
      doors.watch.caller = known.kind;
      return known;
    };
    const counted = <Result>(work: () => Result): Result => doors.rooms.quotas.run(caller(), work);
    return await chatRoutes(request, { door, access, caller, path: pathname, counted, failed });
  }
  const caller = access.identify(request);
  doors.watch.caller = caller.kind;
  if (pathname === '/healthz') return Response.json({ status: 'ok' });
  if (pathname === '/') throw noPath(request.method, pathname);
  const openEnv = OPEN_ENV.exec(pathname);
  if (openEnv !== null) {
    access.checkTrainer(caller);
    const trained = doors.rooms.openEnvDoor(openEnv[1] ?? '');
    return await doors.rooms.quotas.run(caller, () => trained.fetch(openEnv[2] ?? '/', request));
  }
  const door = caller.kind === 'control' ? doors.control : doors.agent;
  return await doors.rooms.quotas.run(caller, () => door.fetch(request, { caller, failed }));
}

function handleOf(
  hosted: HostedEpisode,
  { rooms, url }: { readonly rooms: ServiceRooms; readonly url: string },
): ServedEpisodeHandle {
  return {
    id: hosted.id,
    mcpUrl: `${url}/episodes/${hosted.id}/mcp`,
    token: rooms.access.episodeToken(hosted.id),
    get episode() {
      return hosted.episode;
    },
    step: (action) => hosted.step(action),
    finish: (said) => hosted.finish(said),
    onTurn: (listener) => hosted.onTurn(({ entry, result }) => listener(entry, result)),
    close: async () => {
      await rooms.episodes.remove(hosted.id);
    },
  };
}

/** The shared parts, made once. */
class Rooms implements ServiceRooms {
  readonly access: Access;
  readonly episodes: Episodes;
  readonly store: EpisodeStore;
  readonly #worlds: ReadonlyMap<string, World> | null;
  readonly #loaded = new Map<string, World>();
  readonly metrics = new Metrics();
  readonly quotas: Quotas;
  readonly #mcpDoors = new Map<string, McpDoor>();
  readonly #worldDoors = new Map<string, WorldDoor>();
  readonly #openEnvDoors = new Map<string, OpenEnvDoor>();
  readonly #maxOpenEnvSessions: number;
  readonly chatDoor: ChatDoor;
  readonly #model: LanguageModel | undefined;
  readonly #route: Route | undefined;
  readonly #promptTokens: number | undefined;
  readonly #mcpHandlers: McpHandlers | undefined;
  readonly #nowMs: () => number;

  constructor(options: ServiceOptions) {
    const { controlToken, agentTokens, open = true, hostnames = [], maxEpisodes } = options;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#maxOpenEnvSessions = options.maxOpenEnvSessions ?? LIMITS.openEnvSessions;
    this.quotas = new Quotas(options.quotas ?? [], this.#nowMs);
    this.#model = countedModel(options.model, (tokens) => this.quotas.spend(tokens));
    this.#route = options.route;
    this.#promptTokens = options.promptTokens;
    this.#mcpHandlers = options.mcpHandlers;
    this.store = options.store ?? createMemoryStore();
    this.access = new Access({
      open,
      hostnames,
      ...(controlToken !== undefined && { controlToken }),
      ...(agentTokens !== undefined && { agentTokens }),
    });
    this.episodes = new Episodes({
      store: this.store,
      nowMs: this.#nowMs,
      metrics: this.metrics,
      quotas: this.quotas,
      onRemoved: (id) => this.#closeDoor(id),
      rest: (id) => this.#restDoor(id),
      knownWorld: (name, hash) => this.#knownWorld(name, hash),
      modelNamed: (name) => (this.#model?.name === name ? this.#model : undefined),
      ...(maxEpisodes !== undefined && { maxEpisodes }),
      ...(options.maxAwake !== undefined && { maxAwake: options.maxAwake }),
    });
    const prompts = new OwnPrompts(() => this.#ownWorlds());
    this.chatDoor = new ChatDoor({
      model: this.#model,
      beforeAnswer: () => this.quotas.take('steps'),
      promptTokens: options.promptTokens,
      worldOf: (prompt) => prompts.find(prompt),
      nowMs: this.#nowMs,
      onAnswer: (facts) => this.metrics.chat(facts),
    });
    this.#worlds =
      options.worlds === undefined ? null : new Map(options.worlds.map((world) => [world.name, world]));
  }

  world(name: string): World {
    const given = this.#worlds?.get(name) ?? this.#loaded.get(name);
    if (given !== undefined) return given;
    if (this.#worlds !== null) throw unknownWorld(name, [...this.#worlds.keys()]);
    // A name from a wire is looked up in the catalogue only; it is never a path.
    const known = listWorlds().map((entry) => entry.name);
    if (!known.includes(name)) throw unknownWorld(name, known);
    const found = findWorld(name);
    if (!found.ok) throw found.error;
    this.#loaded.set(name, found.value);
    return found.value;
  }

  #ownWorlds(): readonly World[] {
    if (this.#worlds !== null) return [...this.#worlds.values()];
    return listWorlds().flatMap(({ name }) => {
      try {
        return [this.world(name)];
      } catch {
        return [];
      }
    });
  }

  mcpDoor(hosted: HostedEpisode): McpDoor {
    const known = this.#mcpDoors.get(hosted.id);
    if (known !== undefined) return known;
    const door = new McpDoor(hosted, this.#nowMs, this.#mcpHandlers);
    this.#mcpDoors.set(hosted.id, door);
    return door;
  }

  openEnvDoor(name: string): OpenEnvDoor {
    const world = this.world(name);
    const known = this.#openEnvDoors.get(world.name);
    if (known !== undefined) return known;
    const open = (seed: number | undefined) =>
      this.open(world, { transient: true, keepAwake: true, ...(seed !== undefined && { seed }) });
    const context = { world, open, remove: (id: string) => this.episodes.remove(id) };
    const door = new OpenEnvDoor(context, { nowMs: this.#nowMs, maxSessions: this.#maxOpenEnvSessions });
    this.#openEnvDoors.set(world.name, door);
    return door;
  }

  worldDoor(name: string): WorldDoor {
    const world = this.world(name);
    const known = this.#worldDoors.get(world.name);
    if (known !== undefined) return known;
    const door = new WorldDoor({
      open: () => this.open(world, { clock: 'live', transient: true, keepAwake: true }),
      doorOf: (hosted) => this.mcpDoor(hosted),
      nowMs: this.#nowMs,
    });
    this.#worldDoors.set(world.name, door);
    return door;
  }

  open(world: World, options: HostedOptions): Promise<HostedEpisode> {
    return this.episodes.open(world, {
      ...(this.#model !== undefined && { model: this.#model }),
      ...(this.#route !== undefined && { route: this.#route }),
      ...(this.#promptTokens !== undefined && { promptTokens: this.#promptTokens }),
      ...options,
    });
  }

  async tidy(keepMs?: number): Promise<void> {
    this.episodes.sweep();
    if (keepMs !== undefined) await this.episodes.prune(this.#nowMs() - keepMs);
  }

  metricsText(): string {
    const { size: episodes, awake, opened, woken } = this.episodes;
    const mcpSessions = [...this.#mcpDoors.values()].reduce((sum, door) => sum + door.sessions, 0);
    return this.metrics.render({ episodes, awake, opened, woken, mcpSessions });
  }

  /** True where nobody is connected to an episode; its door is then closed. */
  #restDoor(id: string): boolean {
    const door = this.#mcpDoors.get(id);
    if (door === undefined) return true;
    if (!door.isSilent(this.#nowMs())) return false;
    this.#closeDoor(id);
    return true;
  }

  /** The world of this name, where it is the one of this hash. */
  #knownWorld(name: string, hash: string): World | undefined {
    try {
      const world = this.world(name);
      return world.hash === hash ? world : undefined;
    } catch {
      // Not served any more: the store has it.
      return undefined;
    }
  }

  #closeDoor(id: string): void {
    const door = this.#mcpDoors.get(id);
    this.#mcpDoors.delete(id);
    door?.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    const doors = [...this.#mcpDoors.values()];
    this.#mcpDoors.clear();
    await this.episodes.close();
    await Promise.all(doors.map((door) => door.close()));
  }
}

function unknownWorld(name: string, known: readonly string[]): WorldError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const seen = JSON.stringify(name.slice(0, 100));
  const list = known.length === 0 ? 'This service opens none by name.' : `Known worlds: ${known.join(', ')}.`;
  return new WorldError(`there is no world ${seen}.${hint} ${list}`, {
    code: 'world/not-found',
    data: { seen: name, known },
  });
}
