/**
 * The program of `bc` as a tree. `at` is the address in its byte code behind an operation: its error messages tell it.
 */

/** Something that can be assigned to: a variable, an element, or `scale` and the like. */
export type BcPlace =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly index: BcExpression };

/** An argument: a value or a whole array. */
export type BcArgument = BcExpression | { readonly kind: 'array'; readonly name: string };

/** An expression. */
export type BcExpression =
  | { readonly kind: 'number'; readonly text: string }
  | BcPlace
  | {
      readonly kind: 'assign';
      readonly place: BcPlace;
      readonly op: string;
      readonly value: BcExpression;
      readonly at: number;
    }
  | { readonly kind: 'step'; readonly place: BcPlace; readonly by: 1 | -1; readonly isPrefix: boolean }
  | {
      readonly kind: 'binary';
      readonly op: string;
      readonly left: BcExpression;
      readonly right: BcExpression;
      readonly at: number;
    }
  | { readonly kind: 'unary'; readonly op: '-' | '!'; readonly value: BcExpression }
  | { readonly kind: 'built-in'; readonly name: string; readonly value: BcExpression; readonly at: number }
  | { readonly kind: 'group'; readonly value: BcExpression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly BcArgument[];
      readonly at: number;
    };

/** A statement. */
export type BcStatement =
  | { readonly kind: 'expression'; readonly value: BcExpression; readonly isPrinted: boolean }
  | { readonly kind: 'string'; readonly text: string }
  | {
      readonly kind: 'print';
      readonly items: readonly (BcExpression | { readonly kind: 'string'; readonly text: string })[];
    }
  | {
      readonly kind: 'if';
      readonly test: BcExpression;
      readonly then: BcStatement;
      readonly otherwise: BcStatement | undefined;
    }
  | { readonly kind: 'while'; readonly test: BcExpression; readonly body: BcStatement }
  | {
      readonly kind: 'for';
      readonly first: BcExpression | undefined;
      readonly test: BcExpression | undefined;
      readonly next: BcExpression | undefined;
      readonly body: BcStatement;
    }
  | { readonly kind: 'block'; readonly body: readonly BcStatement[] }
  | { readonly kind: 'return'; readonly value: BcExpression | undefined }
  | { readonly kind: 'break' | 'continue' | 'halt' | 'quit' | 'limits' | 'warranty' };

/** A parameter or an automatic variable. */
export interface BcParameter {
  readonly name: string;
  readonly isArray: boolean;
  readonly isReference: boolean;
}

/** A function. */
export interface BcFunction {
  readonly name: string;
  readonly isVoid: boolean;
  readonly parameters: readonly BcParameter[];
  readonly autos: readonly BcParameter[];
  readonly body: readonly BcStatement[];
}
