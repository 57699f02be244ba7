/**
 * What listens on the machine: a port and, for a service that the world scripts, what it answers.
 */

/** One answer of an HTTP service. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A port that is open; without `http` nobody knows what it answers. */
export interface ListeningPort {
  readonly port: number;
  /** Answers by path, or by method and path (`GET /health`). */
  readonly http?: Readonly<Record<string, HttpAnswer>>;
}
