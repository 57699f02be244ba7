/**
 * All variables of a shell: the global ones, those of running functions, and those that a command brings along.
 *
 * The idea: scopes on a stack, looked up from the top (dynamic scope, as in bash). `local` puts a variable into the
 * nearest function's scope; assignments go to where the name is found. Special variables are computed by the shell.
 */
import { ATTRIBUTE, Variable } from './variable.js';

/** One scope. `function` holds locals, `command` the assignments in front of a command. */
export interface Scope {
  readonly kind: 'function' | 'command';
  readonly variables: Map<string, Variable>;
}

/** A special variable: read through a function, and written through one where that has a meaning. */
export interface SpecialVariable {
  readonly read: () => string | readonly string[] | undefined;
  readonly write?: (value: string) => void;
  /** Writing is silently ignored. */
  readonly isFixed?: boolean;
}

/** The special variables of one shell, by name. */
export class Specials {
  private names: Set<string> | undefined;

  constructor(
    private readonly all: readonly string[] = [],
    private readonly find: (name: string) => SpecialVariable | undefined = () => undefined,
  ) {}

  has(name: string): boolean {
    return this.names === undefined ? this.all.includes(name) : this.names.has(name);
  }

  get(name: string): SpecialVariable | undefined {
    return this.has(name) ? this.find(name) : undefined;
  }

  keys(): readonly string[] {
    return this.names === undefined ? this.all : [...this.names];
  }

  delete(name: string): void {
    if (!this.has(name)) return;
    this.names ??= new Set(this.all);
    this.names.delete(name);
  }
}

/** A name that leads through references to itself. */
export class CircularReference extends Error {
  override readonly name = 'CircularReference';
}

const MAX_REFERENCES = 100;

/** The variables of one shell. */
export class Variables {
  globals = new Map<string, Variable>();
  scopes: Scope[] = [];
  /** Unset special variables lose their meaning. */
  specials = new Specials();
  /** Counts changes of exported variables, so that the environment is built only when it has changed. */
  revision = 0;

  /** The variable of a name, references not followed; undefined when there is none. */
  findPlain(name: string): Variable | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index -= 1) {
      const found = this.scopes[index]?.variables.get(name);
      if (found !== undefined) return found;
    }
    return this.globals.get(name);
  }

  /** Follows references: the name (with a subscript) that a name stands for. @throws CircularReference */
  target(name: string): { name: string; subscript?: string } {
    let current = name;
    for (let count = 0; count < MAX_REFERENCES; count += 1) {
      const variable = this.findPlain(current);
      if (
        variable === undefined ||
        !variable.has(ATTRIBUTE.reference) ||
        variable.text === undefined ||
        variable.text === ''
      )
        return { name: current };
      const match = /^([A-Za-z_]\w*)\[([\s\S]*)\]$/.exec(variable.text);
      if (match !== null) return { name: match[1] as string, subscript: match[2] as string };
      if (variable.text === current) return { name: current };
      current = variable.text;
    }
    throw new CircularReference(name);
  }

  /** The variable of a name through references. */
  find(name: string): Variable | undefined {
    const variable = this.findPlain(name);
    if (variable === undefined || !variable.has(ATTRIBUTE.reference)) return variable;
    const target = this.target(name);
    return this.findPlain(target.name);
  }

  /** The variable that an assignment to a name changes; made globally when there is none. */
  forWriting(name: string): Variable {
    const found = this.findPlain(name);
    if (found !== undefined) return found;
    const created = new Variable();
    this.globals.set(name, created);
    return created;
  }

  /** The nearest function's scope. */
  functionScope(): Scope | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index -= 1)
      if (this.scopes[index]?.kind === 'function') return this.scopes[index];
    return undefined;
  }

  push(kind: Scope['kind']): Scope {
    const scope: Scope = { kind, variables: new Map() };
    this.scopes.push(scope);
    return scope;
  }

  pop(): void {
    this.scopes.pop();
    this.revision += 1;
  }

  /** Unsets a name where it is found. */
  unset(name: string): void {
    this.revision += 1;
    for (let index = this.scopes.length - 1; index >= 0; index -= 1) {
      const variables = this.scopes[index]?.variables;
      const found = variables?.get(name);
      if (variables === undefined || found === undefined) continue;
      // A local that is unset stays local and has no value.
      if (this.scopes[index]?.kind === 'function') variables.set(name, new Variable());
      else variables.delete(name);
      return;
    }
    this.globals.delete(name);
    this.specials.delete(name);
  }

  /** Every visible name, in no order. */
  names(): Set<string> {
    const names = new Set(this.globals.keys());
    for (const scope of this.scopes) for (const name of scope.variables.keys()) names.add(name);
    return names;
  }

  /** Every visible variable, sorted by name. */
  all(): [string, Variable][] {
    const out: [string, Variable][] = [];
    for (const name of [...this.names()].sort()) {
      const variable = this.findPlain(name);
      if (variable !== undefined) out.push([name, variable]);
    }
    return out;
  }

  /** The same variables for a subshell. */
  copy(): Variables {
    const copy = new Variables();
    for (const [name, variable] of this.globals) copy.globals.set(name, variable.copy());
    copy.revision = this.revision;
    copy.scopes = this.scopes.map((scope) => ({
      kind: scope.kind,
      variables: new Map([...scope.variables].map(([name, variable]) => [name, variable.copy()])),
    }));
    return copy;
  }
}
