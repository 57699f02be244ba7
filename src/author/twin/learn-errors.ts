/**
 * Learns what a service passes over in silence, what makes a whole batch fail, and the words of its errors.
 *
 * Evidence: calls that went well there and fail here are passed over, and so are such failures of like tools of the
 * same server that never answered them with an error; an error there for a batch that fails in one item here makes
 * the batch atomic. Words: texts of errors of one kind, with the values of the arguments cut out.
 */
import { isJsonObject, type Json, type JsonObject } from '../../core/index.js';
import type { ShapeSpec } from '../../engines/index.js';
import type { Example } from './examples.js';
import { learnParts, templateOf } from './learn-text.js';
import type { LearnedCall } from './learned-state.js';
import { looksFailed } from './soft-failures.js';

type Kind = 'not-found' | 'exists';
const KINDS: readonly Kind[] = ['not-found', 'exists'];

/** What of a tool's shape is about failures. */
export type LearnedFailures = Pick<
  ShapeSpec,
  'ignores' | 'atomic' | 'errors' | 'soft' | 'overwrites' | 'guesses' | 'shows'
>;

interface Failed {
  readonly kind: string;
  readonly message: string;
  /** The arguments of the call, with those of the item. */
  readonly args: JsonObject;
  readonly isItem: boolean;
  /** What a template may show beside the arguments. */
  readonly row?: JsonObject;
}

/** What was learned about failures, by tool. */
export function learnFailures(
  tools: readonly string[],
  calls: readonly LearnedCall[],
): ReadonlyMap<string, LearnedFailures> {
  const passed = new Map<string, Set<Kind>>();
  const told = new Map<string, Set<Kind>>();
  for (const { call, trial, plan } of calls) {
    // What a file tool lets pass its dialect says.
    if (plan?.file !== undefined) continue;
    for (const kind of KINDS) {
      if (!failuresOf({ trial, plan, call }).some((one) => one.kind === kind)) continue;
      const to = looksFailed(call) ? told : passed;
      to.set(call.tool, (to.get(call.tool) ?? new Set<Kind>()).add(kind));
    }
  }
  // A service that marks no failure as an error does so with none; a tool that never failed is like the others.
  const allFailing = calls.filter(
    ({ call, trial, plan }) =>
      looksFailed(call) && (plan?.override !== undefined || failuresOf({ trial, plan, call }).length > 0),
  );
  const opOf = new Map(calls.map(({ call, plan }) => [call.tool, plan?.op ?? 'unknown']));
  const made = tools.map((tool): [string, LearnedFailures] => {
    const own = calls.filter(({ call }) => call.tool === tool);
    const op = opOf.get(tool) ?? 'unknown';
    const ignores = KINDS.filter((kind) => {
      // A row that is made although it refers to nothing is made, not passed over.
      if (own.some(({ plan }) => plan?.file !== undefined)) return false;
      if (kind === 'not-found' && (op === 'create' || op === 'upsert')) return false;
      if (passed.get(tool)?.has(kind) === true) return true;
      if (told.get(tool)?.has(kind) === true) return false;
      return [...passed].some(([other, kinds]) => kinds.has(kind) && isAlike(opOf.get(other), op));
    });
    const errors = errorsOf(own);
    const failing = allFailing.filter(({ call }) => call.tool === tool);
    const isSoft = (failing.length > 0 ? failing : allFailing).every(({ call }) => !call.isError);
    const isAtomic = own.some(
      ({ call, trial, plan }) =>
        looksFailed(call) && failuresOf({ trial, plan, call }).some(({ isItem }) => isItem),
    );
    return [
      tool,
      {
        ...(ignores.length > 0 && { ignores }),
        ...(isSoft && allFailing.length > 0 && { soft: true }),
        ...(isAtomic && { atomic: true }),
        ...(Object.keys(errors).length > 0 && { errors }),
      },
    ];
  });
  return new Map(withSharedWords(made, calls));
}

/**
 * One sentence refuses paths for all tools of a service on files, where it speaks of the path alone; what is not there
 * is said by each tool in its own words.
 */
function withSharedWords(
  made: readonly (readonly [string, LearnedFailures])[],
  calls: readonly LearnedCall[],
): readonly (readonly [string, LearnedFailures])[] {
  const ofFiles = new Set(calls.flatMap(({ call, plan }) => (plan?.file === undefined ? [] : [call.tool])));
  const [shared] = made.flatMap(([, { errors }]) => errors?.outside ?? []);
  if (shared === undefined || ofFiles.size === 0) return made;
  return made.map(([tool, failures]) => [
    tool,
    { ...failures, errors: { outside: shared, ...failures.errors } },
  ]);
}

const ALIKE = [
  ['create', 'upsert'],
  ['delete', 'remove'],
];

function isAlike(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return a === b || ALIKE.some((ops) => ops.includes(a) && ops.includes(b));
}

/** How the engine fails in a call: as a whole, or in items. */
function failuresOf({
  trial,
  plan,
  call: { args },
}: Pick<LearnedCall, 'trial' | 'plan' | 'call'>): readonly Failed[] {
  const { failure, scope } = trial;
  const whole = failure === null ? [] : [{ ...failure, args, isItem: false }];
  const result = scope?.result;
  const items = isJsonObject(result) && Array.isArray(result.items) ? (result.items as readonly Json[]) : [];
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => name !== plan?.batch?.argument));
  const failed = items.flatMap((item): Failed[] => {
    if (!isJsonObject(item) || item.status === 'ok') return [];
    const own = isJsonObject(item.item) ? item.item : { item: item.item ?? null };
    return [
      {
        kind: String(item.status),
        message: String(item.error ?? ''),
        args: { ...rest, ...own },
        isItem: true,
      },
    ];
  });
  return [...whole, ...failed];
}

function errorsOf(own: readonly LearnedCall[]): Readonly<Record<string, string>> {
  const byKind = new Map<string, Example<string>[]>();
  for (const { call, trial, plan } of own) {
    // The words of a tool that was found out are its override's.
    if (!looksFailed(call) || plan?.override !== undefined) continue;
    const [first] = failuresOf({ trial, plan, call });
    // A condition that was learned brings its own words.
    if (first === undefined || (first.kind === 'refused' && first.message === call.text)) continue;
    const scope = {
      ...(first.row === undefined ? { args: first.args } : { row: first.row }),
      result: { message: first.message },
    };
    byKind.set(first.kind, [...(byKind.get(first.kind) ?? []), { scope, wanted: call.text }]);
  }
  return Object.fromEntries(
    [...byKind].flatMap(([kind, examples]): [string, string][] => {
      const parts = learnParts(examples) ?? learnParts(examples.slice(0, 1));
      return parts === null ? [] : [[kind, templateOf(parts)]];
    }),
  );
}
