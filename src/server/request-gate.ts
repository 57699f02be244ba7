/**
 * Requests begin a few in each turn of the event loop, fewer while clients connect.
 *
 * The idea: libuv takes one new connection in a turn, so a turn that carries out a hundred steps makes the next client
 * wait for all of them, and a burst of clients for minutes of other clients' work. A request therefore waits until its
 * turn comes, in the order of arrival; short turns keep accepting, reading and answering fair. One request is let in
 * whatever happens, so that clients who connect without end stop nobody. Source: libuv 1.45, "don't accept()
 * connections in a loop".
 */

/** Requests that begin in one turn. */
const PER_TURN = 8;
/** The same where a client connected since the last turn. */
const PER_TURN_CONNECTING = 1;

/** Lets requests in. */
export class RequestGate {
  #waiting: (() => void)[] = [];
  #next = 0;
  #isConnecting = false;

  /** A client has connected. */
  connected(): void {
    this.#isConnecting = true;
  }

  /** Resolves when the request may begin. */
  enter(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#turn());
      this.#waiting.push(resolve);
    });
  }

  #turn(): void {
    const most = this.#isConnecting ? PER_TURN_CONNECTING : PER_TURN;
    this.#isConnecting = false;
    for (let count = 0; count < most && this.#next < this.#waiting.length; count++) {
      this.#waiting[this.#next]?.();
      this.#next += 1;
    }
    if (this.#next < this.#waiting.length) {
      setImmediate(() => this.#turn());
      return;
    }
    this.#waiting = [];
    this.#next = 0;
  }
}
