/**
 * Door of the machine: a Debian 12 that can be switched on, forked and run to the end.
 *
 * `openMachine(spec, seed)` gives a kernel with files and init; `runProgram` runs one program with its output caught
 * (tests of commands: `runProgram(openMachine(DEFAULT_SPEC, 1), { program, argv })`).
 */
export { type Captured, type CaptureLimits, runProgram } from './capture.js';
export { loginEnvironment, type Machine, openMachine, startAsUser } from './machine.js';
export {
  DEFAULT_SPEC,
  type MachineCertificate,
  type MachineFile,
  type MachineMount,
  type MachineProcess,
  type MachineSpec,
} from './machine-spec.js';
export { PYTHON_CATALOGUE } from './python-catalogue.js';
export { runShell } from './run-shell.js';
