/**
 * Who is asking, and where from: tokens, and the Host and Origin of a request.
 *
 * Three kinds of token: the control token (opens everything), agent tokens (every episode that is not private), and
 * one token per episode, made from its id and the control token, so that none has to be kept. Comparison takes
 * the same time whatever was sent. On loopback an agent may come without a token; a wrong one is never overlooked.
 * Host and Origin are checked against DNS rebinding: a page in a browser must not reach a service on this machine.
 * Source: contracts, "The service"; MCP transports, "Security".
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { ServiceError } from '../core/index.js';

/** Who is asking. `bearer` came with a token that opens at most one episode. */
export type Caller =
  | { readonly kind: 'control' }
  | { readonly kind: 'agent'; readonly token: string }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'bearer'; readonly token: string };

/** The tokens of a service and who may come without one. */
export interface AccessOptions {
  /** Default: 256 random bits. */
  readonly controlToken?: string;
  readonly agentTokens?: readonly string[];
  /** Agents need no token: the service is reached from this machine only. */
  readonly open: boolean;
  /** Host names that a request may name; empty for any. `localhost` and the loopback addresses are always good. */
  readonly hostnames: readonly string[];
}

/** Decides who may do what. */
export class Access {
  readonly controlToken: string;
  readonly #agentTokens: readonly string[];
  readonly #open: boolean;
  readonly #hostnames: ReadonlySet<string> | null;
  readonly #secret: Buffer;
  /** The Host header that was good last: nearly all requests of a service carry the same one. */
  #goodHost = '';

  constructor({ controlToken, agentTokens = [], open, hostnames }: AccessOptions) {
    this.controlToken = controlToken ?? randomBytes(32).toString('base64url');
    // Made from the control token, so that who names one finds the tokens of stored episodes good after a restart,
    // and no secret lies in a file.
    this.#secret = createHmac('sha256', this.controlToken).update('tokens of episodes').digest();
    this.#agentTokens = agentTokens;
    this.#open = open;
    this.#hostnames = open || hostnames.length > 0 ? new Set([...LOOPBACK, ...hostnames]) : null;
  }

  /** The token that opens this episode and nothing else. */
  episodeToken(id: string): string {
    return createHmac('sha256', this.#secret).update(id).digest('base64url');
  }

  /** Raises `service/forbidden` for a Host or Origin that is not ours. */
  checkOrigin(request: Request): void {
    const host = request.headers.get('host') ?? new URL(request.url).host;
    if (this.#hostnames !== null && host !== this.#goodHost) {
      if (!this.#hostnames.has(hostnameOf(`http://${host}`))) {
        throw foreign(`the Host header names ${quoted(host)}, which is not this service`);
      }
      this.#goodHost = host;
    }
    const origin = request.headers.get('origin');
    if (origin === null) return;
    const from = hostnameOf(origin);
    if (
      this.#hostnames?.has(from) === true ||
      (this.#hostnames === null && from === hostnameOf(`http://${host}`))
    )
      return;
    throw foreign(`the Origin ${quoted(origin)} is not this service`);
  }

  /** Who sends this request. Raises `service/unauthorised` for a header that is no Bearer token. */
  identify(request: Request): Caller {
    const header = request.headers.get('authorization');
    if (header === null) return { kind: 'anonymous' };
    const token = /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
    if (token === undefined) throw unauthorised('the Authorization header is no `Bearer TOKEN`');
    if (sameSecret(token, this.controlToken)) return { kind: 'control' };
    // Every one is compared, so that the time does not tell which one is near.
    const known = this.#agentTokens.filter((other) => sameSecret(token, other)).length > 0;
    return { kind: known ? 'agent' : 'bearer', token };
  }

  /** Raises `service/unauthorised` where the caller may not act in this episode. */
  checkEpisode(caller: Caller, id: string, isPrivate: boolean): void {
    if (caller.kind === 'control') return;
    if (caller.kind === 'bearer') {
      if (sameSecret(caller.token, this.episodeToken(id))) return;
      throw unauthorised('the token is not known here');
    }
    if (isPrivate) throw unauthorised(`this episode needs a token of its own, sent as Authorization: Bearer`);
    this.checkAgent(caller);
  }

  /** Raises where the caller may not train: on loopback anybody without a token may, elsewhere control only. */
  checkTrainer(caller: Caller): void {
    if (caller.kind === 'control' || (caller.kind === 'anonymous' && this.#open)) return;
    if (caller.kind === 'agent') throw forbidden('this door needs the control token');
    throw unauthorised('the control token is needed, sent as Authorization: Bearer');
  }

  /**
   * As {@link checkAgent}; where nobody needs a token, one that clients of this wire must send all the same (`EMPTY`)
   * is as good as none.
   */
  checkChat(caller: Caller): void {
    if (caller.kind === 'bearer' && this.#open && this.#agentTokens.length === 0) return;
    this.checkAgent(caller);
  }

  /** Raises `service/unauthorised` where the caller is not known as an agent at all. */
  checkAgent(caller: Caller): void {
    if (caller.kind === 'control' || caller.kind === 'agent') return;
    if (caller.kind === 'bearer') throw unauthorised('the token is not known here');
    if (!this.#open) throw unauthorised('a token is needed, sent as Authorization: Bearer');
  }
}

/** Names and addresses of this machine, as they stand in a URL. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'] as const;

/** True for an address that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Digests first: they have one length, whatever was sent. */
function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The host name of an address, lower case, without its port; the empty string for what is no address. */
function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function foreign(why: string): ServiceError {
  return forbidden(`${why}; use the address that the service printed`);
}

function forbidden(why: string): ServiceError {
  return new ServiceError(why, { code: 'service/forbidden' });
}

function unauthorised(why: string): ServiceError {
  return new ServiceError(why, { code: 'service/unauthorised' });
}
