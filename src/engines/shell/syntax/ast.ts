/**
 * The tree of a shell script: what the parser makes, the interpreter runs and the printer writes back.
 *
 * The idea: words stay the text that was written (quotes included), as in bash, because `declare -f` prints
 * them, errors quote them, and expansions that fail do so when they run, not when they are read. The parts of a
 * word are found when it is first expanded and kept on the word. Source: the grammar of the bash manual.
 */

/** One word as written; `parts` is filled by the first expansion, `plain` is the value of a word without any magic. */
export interface Word {
  readonly text: string;
  /** `name=…`, `name+=…` or `name[…]=…` at a place where an assignment may stand. */
  readonly assignment?: AssignmentHead;
  /** What the expander found in the word; owned by the interpreter. */
  parsed?: unknown;
}

/** The left side of an assignment word, and where its value begins in the text. */
export interface AssignmentHead {
  readonly name: string;
  readonly subscript?: string;
  readonly append: boolean;
  readonly valueAt: number;
  /** The words between the parentheses of `name=( … )`. */
  readonly items?: readonly Word[];
}

/** The operators of redirections. */
export type RedirectOperator =
  | '<'
  | '>'
  | '>>'
  | '>|'
  | '<>'
  | '<<'
  | '<<-'
  | '<<<'
  | '<&'
  | '>&'
  | '&>'
  | '&>>';

/** A redirection; `fd` undefined means the operator's own default, `variable` is `{name}` before it. */
export interface Redirect {
  readonly fd?: number;
  readonly variable?: string;
  readonly operator: RedirectOperator;
  readonly target: Word;
  /** The text of a here-document and whether its delimiter was quoted. */
  heredoc?: { body: string; readonly delimiter: string; readonly quoted: boolean };
}

/** What every command carries. */
interface CommandFields {
  readonly line: number;
  readonly redirects: readonly Redirect[];
}

/** A simple command: assignments and words in the order written. */
export interface SimpleCommand extends CommandFields {
  readonly kind: 'simple';
  readonly words: readonly Word[];
}

/** Commands joined by pipes; `!` and `time` belong to the whole. */
export interface PipelineCommand extends CommandFields {
  readonly kind: 'pipeline';
  readonly commands: readonly Command[];
  readonly negated: boolean;
  readonly timed: false | 'time' | 'time -p';
}

/** A command of a list and what stands after it; '' after the last one, unless it runs in the background. */
export interface ListItem {
  readonly command: Command;
  readonly operator: ';' | '\n' | '&' | '';
}

/** Commands one after another. */
export interface ListCommand extends CommandFields {
  readonly kind: 'list';
  readonly items: readonly ListItem[];
}

/** Commands joined by `&&` and `||`. */
export interface AndOrCommand extends CommandFields {
  readonly kind: 'and-or';
  readonly first: Command;
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly command: Command }[];
}

/** `for name in words` and `select`. */
export interface ForCommand extends CommandFields {
  readonly kind: 'for' | 'select';
  readonly name: Word;
  /** Undefined: the positional parameters. */
  readonly words?: readonly Word[];
  readonly body: Command;
}

/** `for ((a; b; c))`. */
export interface ArithmeticForCommand extends CommandFields {
  readonly kind: 'arithmetic-for';
  readonly init: string;
  readonly test: string;
  readonly step: string;
  readonly body: Command;
}

/** One clause of `case`. */
export interface CaseClause {
  readonly patterns: readonly Word[];
  readonly body?: Command;
  readonly end: ';;' | ';&' | ';;&';
}

/** `case word in … esac`. */
export interface CaseCommand extends CommandFields {
  readonly kind: 'case';
  readonly word: Word;
  readonly clauses: readonly CaseClause[];
}

/** `while` and `until`. */
export interface WhileCommand extends CommandFields {
  readonly kind: 'while' | 'until';
  readonly test: Command;
  readonly body: Command;
}

/** `if`; `elif` is an `if` in `otherwise`. */
export interface IfCommand extends CommandFields {
  readonly kind: 'if';
  readonly test: Command;
  readonly then: Command;
  readonly otherwise?: Command;
}

/** `{ …; }` and `( … )`. */
export interface GroupCommand extends CommandFields {
  readonly kind: 'group' | 'subshell';
  readonly body: Command;
}

/** `(( … ))`. */
export interface ArithmeticCommand extends CommandFields {
  readonly kind: 'arithmetic';
  readonly expression: string;
}

/** A node of `[[ … ]]`. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not' | 'group'; readonly inner: Condition }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Word }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly kind: 'term'; readonly operand: Word };

/** `[[ … ]]`. */
export interface ConditionalCommand extends CommandFields {
  readonly kind: 'conditional';
  readonly condition: Condition;
}

/** A function definition. */
export interface FunctionCommand extends CommandFields {
  readonly kind: 'function';
  readonly name: string;
  readonly body: Command;
}

/** `coproc [name] command`. */
export interface CoprocCommand extends CommandFields {
  readonly kind: 'coproc';
  readonly name: string;
  readonly body: Command;
}

/** Any command. */
export type Command =
  | SimpleCommand
  | PipelineCommand
  | ListCommand
  | AndOrCommand
  | ForCommand
  | ArithmeticForCommand
  | CaseCommand
  | WhileCommand
  | IfCommand
  | GroupCommand
  | ArithmeticCommand
  | ConditionalCommand
  | FunctionCommand
  | CoprocCommand;
