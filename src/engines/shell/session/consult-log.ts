/**
 * What a consultant said during one event, so that the event can be run once more and gives the same.
 *
 * Nearly all replies are "go on"; only the others are kept, with the number of the question. Equal replies are kept once.
 */
import {
  type Consultant,
  type ConsultReply,
  canonicalJson,
  type Json,
  type OperationKind,
} from '../../../core/index.js';

/** What was said: the kinds that were asked about, and `[number of the question, place in replies]`. */
export interface ConsultLog {
  readonly listens: readonly OperationKind[];
  readonly replies: readonly ConsultReply[];
  readonly said: readonly (readonly [number, number])[];
}

const PROCEED: ConsultReply = { do: 'proceed' };

/** A consultant that keeps what another one says. */
export function recordConsult(consult: Consultant): {
  readonly consultant: Consultant;
  readonly log: () => ConsultLog;
} {
  const places = new Map<string, number>();
  const replies: ConsultReply[] = [];
  const said: [number, number][] = [];
  let count = 0;
  const keep = (reply: ConsultReply): ConsultReply => {
    const number = count++;
    if (reply.do === 'proceed' && reply.delayMs === undefined && reply.watch !== true) return PROCEED;
    const key = canonicalJson(reply as unknown as Json);
    let place = places.get(key);
    if (place === undefined) {
      place = replies.length;
      places.set(key, place);
      replies.push(reply);
    }
    said.push([number, place]);
    return reply;
  };
  const { listens } = consult;
  return {
    consultant: {
      listens,
      before: (op) => keep(consult.before(op)),
      after: (op, answer) => keep(consult.after(op, answer)),
    },
    log: () => ({ listens, replies, said }),
  };
}

/** A consultant that says again what was said. */
export function consultAgain({ listens, replies, said }: ConsultLog): Consultant {
  const places = new Map(said);
  let count = 0;
  const next = (): ConsultReply => {
    const place = places.get(count++);
    return place === undefined ? PROCEED : (replies[place] ?? PROCEED);
  };
  return { listens, before: next, after: next };
}
