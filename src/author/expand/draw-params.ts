/**
 * Draws the parameters of a child, in the order of the file: first those that need no state, and, once the rows
 * are made, those whose rules read `state`.
 */
import type { Json, RandomStream } from '../../core/index.js';
import type { Bindings } from '../../rules/index.js';
import type { ExpandSpec, MakerSpec, ParamSpec } from '../../worlds/index.js';
import { drawValue } from './draw-value.js';
import { ExpansionFault, evaluate, holds, namesIn } from './fill-template.js';
import { type Replacement, replacementsOf } from './replace-values.js';

/** Times a value is drawn again while its `not` holds. */
const DRAWS = 60;

/** The parameters of one child. */
export class ParamValues {
  /** Name → value, of those drawn so far. */
  readonly values: Record<string, Json> = {};
  private readonly late: readonly string[];

  constructor(
    private readonly specs: Readonly<Record<string, ParamSpec>>,
    private readonly how: {
      readonly names: Bindings;
      readonly today: string;
      readonly streamOf: (name: string) => RandomStream;
    },
  ) {
    const late = new Set<string>(['state']);
    for (const [name, spec] of Object.entries(specs)) {
      if (rulesOf(spec).some((rule) => namesIn(rule).some((used) => late.has(used)))) late.add(name);
    }
    this.late = [...late].slice(1);
  }

  /** Draws those that need no state. */
  drawEarly(): void {
    for (const name of Object.keys(this.specs)) if (!this.late.includes(name)) this.draw(name, {});
  }

  /** Draws the others. */
  drawLate(state: Json): void {
    for (const name of this.late) this.draw(name, { state });
  }

  /** What rules see. */
  bindings(more: Bindings = {}): Bindings {
    return { ...this.how.names, ...this.values, ...more };
  }

  /** The exchanges of the parameters drawn so far. */
  replacements(): Replacement[] {
    return Object.entries(this.specs).flatMap(([name, { is, in: places }]) => {
      const by = this.values[name];
      return is === undefined || by === undefined ? [] : replacementsOf(is as Json, by, places);
    });
  }

  private draw(name: string, more: Bindings): void {
    const spec = this.specs[name];
    if (spec === undefined) return;
    const stream = this.how.streamOf(`param ${name}`);
    for (let draw = 0; draw < DRAWS; draw++) {
      const bindings = this.bindings(more);
      const value =
        spec.make === undefined
          ? spec.value === undefined
            ? ((spec.is ?? null) as Json)
            : evaluate(spec.value, bindings)
          : drawValue(spec.make, { stream, bindings, today: this.how.today });
      if (spec.not === undefined || !holds(spec.not, { ...bindings, [name]: value })) {
        this.values[name] = value;
        return;
      }
      if (spec.make === undefined) break;
    }
    throw new ExpansionFault('not', `no value for ${name} in ${DRAWS} draws: ${spec.not} holds for each`);
  }
}

/** What any child of a world may have exchanged, whatever level and goals it gets; `by` says nothing here. */
export function possibleReplacements(expand: ExpandSpec): Replacement[] {
  const levels = Object.values(expand.difficulty).map(({ params }) => params);
  const goals = expand.goals.map(({ params }) => params);
  return [expand.params, ...levels, ...goals].flatMap((params) =>
    Object.values(params).flatMap(({ is, in: places }) =>
      is === undefined ? [] : replacementsOf(is as Json, is as Json, places),
    ),
  );
}

/** The rules of a parameter. */
function rulesOf(spec: ParamSpec): string[] {
  return [spec.value, spec.not, ...makerRules(spec.make)].filter((rule) => rule !== undefined);
}

/** The rules in a maker; a template's parts are not looked into: templates see early parameters only. */
function makerRules(maker: MakerSpec | undefined): string[] {
  if (maker === undefined || typeof maker === 'string') return [];
  if ('variant' in maker) return [maker.variant];
  if ('money' in maker) return [maker.money];
  if ('long_date' in maker) return [maker.long_date];
  return 'sample' in maker && typeof maker.count === 'string' ? [maker.count] : [];
}
