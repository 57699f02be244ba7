/**
 * The tree of a jq program.
 */
import type { JqValue } from './values.js';

/** What `as` binds: a name, or places inside arrays and objects. */
export type JqPattern =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly JqPattern[] }
  | {
      readonly kind: 'object';
      readonly entries: readonly {
        readonly key: JqNode;
        readonly name?: string;
        readonly value?: JqPattern;
      }[];
    };

/** A function definition. Parameters with `$` are also bound to values. */
export interface JqDefinition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: JqNode;
}

/** A filter. */
export type JqNode =
  | { readonly kind: 'identity' | 'recurse' | 'location'; readonly line?: number }
  | { readonly kind: 'literal'; readonly value: JqValue }
  | { readonly kind: 'format'; readonly name: string }
  | {
      readonly kind: 'string';
      readonly format: string | undefined;
      readonly parts: readonly (string | JqNode)[];
    }
  | { readonly kind: 'index'; readonly of: JqNode; readonly key: JqNode }
  | { readonly kind: 'slice'; readonly of: JqNode; readonly from?: JqNode; readonly to?: JqNode }
  | { readonly kind: 'iterate'; readonly of: JqNode }
  | { readonly kind: 'array'; readonly body?: JqNode }
  | { readonly kind: 'object'; readonly entries: readonly { readonly key: JqNode; readonly value: JqNode }[] }
  | { readonly kind: 'negate'; readonly of: JqNode }
  | {
      readonly kind: 'pipe' | 'comma' | 'and' | 'or' | 'alternative';
      readonly left: JqNode;
      readonly right: JqNode;
    }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: JqNode; readonly right: JqNode }
  | { readonly kind: 'assign'; readonly operator: string; readonly left: JqNode; readonly right: JqNode }
  | { readonly kind: 'if'; readonly test: JqNode; readonly yes: JqNode; readonly no: JqNode }
  | { readonly kind: 'try'; readonly body: JqNode; readonly handler?: JqNode }
  | {
      readonly kind: 'reduce';
      readonly source: JqNode;
      readonly pattern: JqPattern;
      readonly start: JqNode;
      readonly update: JqNode;
    }
  | {
      readonly kind: 'foreach';
      readonly source: JqNode;
      readonly pattern: JqPattern;
      readonly start: JqNode;
      readonly update: JqNode;
      readonly extract?: JqNode;
    }
  | { readonly kind: 'bind'; readonly source: JqNode; readonly pattern: JqPattern; readonly body: JqNode }
  | { readonly kind: 'label'; readonly name: string; readonly body: JqNode }
  | { readonly kind: 'break'; readonly name: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly JqNode[] }
  | { readonly kind: 'define'; readonly definition: JqDefinition; readonly body: JqNode };
