/**
 * The tree of an awk program.
 */

/** Something that can be assigned to. */
export type AwkTarget =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'field'; readonly index: AwkExpression }
  | { readonly kind: 'element'; readonly name: string; readonly keys: readonly AwkExpression[] };

/** An expression. */
export type AwkExpression =
  | AwkTarget
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string; readonly line: number }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: AwkExpression;
      readonly right: AwkExpression;
    }
  | { readonly kind: 'and' | 'or'; readonly left: AwkExpression; readonly right: AwkExpression }
  | { readonly kind: 'unary'; readonly operator: '-' | '+' | '!'; readonly operand: AwkExpression }
  | {
      readonly kind: 'match';
      readonly left: AwkExpression;
      readonly right: AwkExpression;
      readonly negated: boolean;
    }
  | {
      readonly kind: 'conditional';
      readonly test: AwkExpression;
      readonly yes: AwkExpression;
      readonly no: AwkExpression;
    }
  | {
      readonly kind: 'assign';
      readonly operator: string;
      readonly target: AwkTarget;
      readonly value: AwkExpression;
    }
  | { readonly kind: 'step'; readonly target: AwkTarget; readonly by: 1 | -1; readonly prefix: boolean }
  | { readonly kind: 'in'; readonly name: string; readonly keys: readonly AwkExpression[] }
  | { readonly kind: 'group'; readonly inner: AwkExpression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly AwkExpression[];
      readonly line: number;
    }
  | {
      readonly kind: 'builtin';
      readonly name: string;
      readonly args: readonly AwkExpression[];
      readonly line: number;
    }
  | {
      readonly kind: 'getline';
      readonly from: 'main' | 'file' | 'command';
      readonly source?: AwkExpression;
      readonly target?: AwkTarget;
    };

/** Where print and printf write. */
export interface AwkRedirect {
  readonly how: '>' | '>>' | '|';
  readonly target: AwkExpression;
}

/** A statement. */
export type AwkStatement =
  | { readonly kind: 'block'; readonly body: readonly AwkStatement[] }
  | { readonly kind: 'expression'; readonly value: AwkExpression }
  | { readonly kind: 'print'; readonly args: readonly AwkExpression[]; readonly to?: AwkRedirect }
  | { readonly kind: 'printf'; readonly args: readonly AwkExpression[]; readonly to?: AwkRedirect }
  | {
      readonly kind: 'if';
      readonly test: AwkExpression;
      readonly yes: AwkStatement;
      readonly no?: AwkStatement;
    }
  | { readonly kind: 'while'; readonly test: AwkExpression; readonly body: AwkStatement }
  | { readonly kind: 'do'; readonly body: AwkStatement; readonly test: AwkExpression }
  | {
      readonly kind: 'for';
      readonly start?: AwkStatement;
      readonly test?: AwkExpression;
      readonly step?: AwkStatement;
      readonly body: AwkStatement;
    }
  | { readonly kind: 'forIn'; readonly variable: string; readonly array: string; readonly body: AwkStatement }
  | { readonly kind: 'delete'; readonly name: string; readonly keys?: readonly AwkExpression[] }
  | { readonly kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly kind: 'exit' | 'return'; readonly value?: AwkExpression };

/** A rule of the main loop; without a pattern for every record, without a body printing it. */
export interface AwkRule {
  readonly pattern?: AwkExpression;
  readonly rangeEnd?: AwkExpression;
  readonly body?: AwkStatement;
}

/** A function of the program. */
export interface AwkFunction {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: AwkStatement;
}

/** A whole program. */
export interface AwkProgram {
  readonly begin: readonly AwkStatement[];
  readonly rules: readonly AwkRule[];
  readonly end: readonly AwkStatement[];
  readonly functions: ReadonlyMap<string, AwkFunction>;
}
