/**
 * Writes commands back as text, with the spaces, line breaks and semicolons of bash: what `declare -f`, `type`,
 * job tables and the words `$(…)` show.
 *
 * The idea: a line-for-line account of what bash 5.2 prints. Indentation is set before a command unless its
 * place in the line is already chosen ("skip"); here-document bodies wait until the line that names them ends.
 */
import type { Command, Condition, FunctionCommand, ListItem, Redirect } from './ast.js';
import { singleQuoted } from './matching.js';

const STEP = 4;

/** The state of one printing. */
class Printer {
  out = '';
  private indentation = 0;
  private skip = 0;
  private insideFunction = 0;
  private deferred: Redirect[] = [];
  private wasHeredoc = false;

  constructor(private readonly isSubstitution: boolean) {}

  private newline(text = ''): void {
    this.out += `\n${' '.repeat(this.indentation)}${text}`;
  }

  private semicolon(): void {
    if (!/[&\n]$/.test(this.out)) this.out += ';';
  }

  /** Prints the bodies that wait, after `lead`. */
  private flushHeredocs(lead: string): void {
    if (this.deferred.length === 0) return;
    const waiting = this.deferred;
    this.deferred = [];
    if (lead !== '' && lead !== ';') this.out += lead;
    this.out += '\n';
    for (const redirect of waiting) this.out += `${redirect.heredoc?.body}${redirect.heredoc?.delimiter}\n`;
    if (lead !== '' && lead !== ';') this.out += ' ';
    this.wasHeredoc = true;
  }

  /** Prints a body one step further in. */
  private body(command: Command): void {
    this.indentation += STEP;
    this.command(command);
    this.flushHeredocs('');
    this.indentation -= STEP;
  }

  command(command: Command): void {
    if (this.skip > 0) this.skip -= 1;
    else this.out += ' '.repeat(this.indentation);
    this.commandHere(command);
    if (command.kind !== 'simple' && command.redirects.length > 0) {
      this.out += ' ';
      this.redirects(command.redirects);
    }
  }

  private commandHere(command: Command): void {
    switch (command.kind) {
      case 'simple':
        this.out += command.words.map((word) => word.text).join(' ');
        if (command.redirects.length > 0) {
          if (command.words.length > 0) this.out += ' ';
          this.redirects(command.redirects);
        }
        break;
      case 'list':
        this.list(command.items);
        break;
      case 'and-or':
        this.skip += 1;
        this.command(command.first);
        for (const { operator, command: next } of command.rest) {
          if (this.deferred.length > 0) this.flushHeredocs(` ${operator} `);
          else this.out += ` ${operator} `;
          this.skip += 1;
          this.command(next);
        }
        break;
      case 'pipeline':
        this.pipeline(command);
        break;
      case 'arithmetic':
        this.out += `((${command.expression}))`;
        break;
      case 'conditional':
        this.out += `[[ ${printCondition(command.condition)} ]]`;
        break;
      case 'group':
        this.group(command.body);
        break;
      case 'subshell':
        this.out += '( ';
        this.skip += 1;
        this.command(command.body);
        this.flushHeredocs('');
        this.out += ' )';
        break;
      case 'coproc':
        this.out += `coproc ${command.name} `;
        this.skip += 1;
        this.command(command.body);
        break;
      case 'function':
        this.functionHead(`function ${command.name} () `);
        this.functionBody(command.body);
        break;
      default:
        this.compound(command);
    }
  }

  private pipeline(command: Command & { kind: 'pipeline' }): void {
    if (command.timed !== false) this.out += `${command.timed} `;
    if (command.negated) this.out += '! ';
    command.commands.forEach((part, index) => {
      if (index > 0) {
        if (this.deferred.length > 0) this.flushHeredocs(' |');
        else this.out += ' |';
        this.out += ' ';
      }
      this.skip += 1;
      this.command(part);
    });
  }

  private list(items: readonly ListItem[]): void {
    items.forEach(({ command, operator }, index) => {
      const isLast = index === items.length - 1;
      if (index === 0) this.skip += 1;
      this.command(command);
      if (operator === '&') {
        if (this.deferred.length > 0) this.flushHeredocs(' &');
        else this.out += ' &';
        if (!isLast) {
          this.out += ' ';
          this.skip += 1;
        }
      } else if (!isLast) this.separate(operator);
    });
    this.flushHeredocs('');
  }

  private separate(operator: ListItem['operator']): void {
    const shown = operator === '\n' && this.isSubstitution ? '\n' : ';';
    if (this.deferred.length === 0) {
      if (!this.wasHeredoc) this.out += shown;
      else this.wasHeredoc = false;
    } else this.flushHeredocs(this.insideFunction > 0 ? '' : ';');
    if (this.insideFunction > 0) this.out += '\n';
    else {
      if (shown === ';') this.out += ' ';
      this.skip += 1;
    }
  }

  private compound(command: Command): void {
    switch (command.kind) {
      case 'for':
      case 'select': {
        const words = command.words === undefined ? '"$@"' : command.words.map((word) => word.text).join(' ');
        this.out += `${command.kind} ${command.name.text} in ${words};`;
        this.loop(command.body);
        break;
      }
      case 'arithmetic-for':
        this.out += `for ((${command.init || 1}; ${command.test || 1}; ${command.step || 1}))`;
        this.loop(command.body);
        break;
      case 'while':
      case 'until':
        this.out += `${command.kind} `;
        this.skip += 1;
        this.command(command.test);
        this.flushHeredocs('');
        this.semicolon();
        this.out += ' do\n';
        this.body(command.body);
        this.semicolon();
        this.newline('done');
        break;
      case 'if':
        this.out += 'if ';
        this.skip += 1;
        this.command(command.test);
        this.semicolon();
        this.out += ' then\n';
        this.body(command.then);
        if (command.otherwise !== undefined) {
          this.semicolon();
          this.newline('else\n');
          this.body(command.otherwise);
        }
        this.semicolon();
        this.newline('fi');
        break;
      case 'case':
        this.out += `case ${command.word.text} in `;
        this.indentation += STEP;
        for (const clause of command.clauses) {
          this.newline();
          this.out += `${clause.patterns.map((word) => word.text).join(' | ')})\n`;
          if (clause.body !== undefined) this.body(clause.body);
          this.newline(clause.end);
        }
        this.indentation -= STEP;
        this.newline('esac');
        break;
      default:
        break;
    }
  }

  private loop(body: Command): void {
    this.newline('do\n');
    this.body(body);
    this.semicolon();
    this.newline('done');
  }

  private group(body: Command): void {
    this.out += '{ ';
    if (this.insideFunction === 0) this.skip += 1;
    else {
      this.out += '\n';
      this.indentation += STEP;
    }
    this.command(body);
    this.flushHeredocs('');
    if (this.insideFunction > 0) {
      this.out += '\n';
      this.indentation -= STEP;
      this.out += ' '.repeat(this.indentation);
    } else {
      this.semicolon();
      this.out += ' ';
    }
    this.out += '}';
  }

  /** The name of a function and its opening brace. */
  functionHead(head: string): void {
    this.out += `${head}\n${' '.repeat(this.indentation)}{ \n`;
  }

  /** The body of a function and its closing brace. */
  functionBody(body: Command): void {
    this.insideFunction += 1;
    this.indentation += STEP;
    this.command(body.kind === 'group' ? body.body : body);
    this.flushHeredocs('');
    this.indentation -= STEP;
    this.insideFunction -= 1;
    this.newline('}');
    if (body.kind === 'group' && body.redirects.length > 0) {
      this.out += ' ';
      this.redirects(body.redirects);
    }
  }

  redirects(redirects: readonly Redirect[]): void {
    redirects.forEach((redirect, index) => {
      if (index > 0) this.out += ' ';
      this.out += printRedirect(redirect);
      if (redirect.heredoc !== undefined) this.deferred.push(redirect);
    });
  }

  /** Ends the printing: what still waits is written. */
  finish(): string {
    this.flushHeredocs('');
    return this.out;
  }
}

/** One redirection, without the body of a here-document. */
function printRedirect(redirect: Redirect): string {
  const { operator, target, heredoc } = redirect;
  const shown = redirect.variable === undefined ? undefined : `{${redirect.variable}}`;
  const own = operator.startsWith('<') ? 0 : 1;
  const unsaid = operator === '<>' ? 1 : own;
  const fd = redirect.fd ?? own;
  const number = fd === unsaid ? '' : String(fd);
  const prefix = shown ?? number;
  switch (operator) {
    case '<<':
    case '<<-': {
      const delimiter = heredoc?.delimiter ?? target.text;
      return `${prefix}${operator}${heredoc?.quoted === true ? singleQuoted(delimiter) : delimiter}`;
    }
    case '<&':
    case '>&': {
      const from = shown ?? String(redirect.fd ?? own);
      if (target.text === '-') return `${from}>&-`;
      if (redirect.fd === undefined && shown === undefined && !/^\d+-?$/.test(target.text))
        return `${operator}${target.text}`;
      return `${from}${operator}${target.text}`;
    }
    case '&>':
    case '&>>':
      return `${operator} ${target.text}`;
    default:
      return `${prefix}${operator} ${target.text}`;
  }
}

/** The inside of `[[ … ]]`. */
function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
      return `${printCondition(condition.left)} && ${printCondition(condition.right)}`;
    case 'or':
      return `${printCondition(condition.left)} || ${printCondition(condition.right)}`;
    case 'not':
      return `! ${printCondition(condition.inner)}`;
    case 'group':
      return `( ${printCondition(condition.inner)} )`;
    case 'unary':
      return `${condition.operator} ${condition.operand.text}`;
    case 'binary':
      return `${condition.left.text} ${condition.operator} ${condition.right.text}`;
    default:
      return condition.operand.text;
  }
}

/** A command on one line where it can be: job tables, `BASH_COMMAND` and, with `isSubstitution`, `$(…)`. */
export function printCommandText(command: Command, isSubstitution = false): string {
  const printer = new Printer(isSubstitution);
  printer.command(command);
  return printer.finish();
}

/** A function as `declare -f` shows it, without a newline at its end. */
export function printFunction(definition: FunctionCommand): string {
  const printer = new Printer(false);
  printer.functionHead(`${definition.name} () `);
  printer.functionBody(definition.body);
  return printer.finish();
}
