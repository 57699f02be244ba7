/**
 * Door of the shell engine's sessions.
 */
export { createShellEngine } from './shell-engine.js';
export { TERMINAL_DEFINITION } from './terminal-tool.js';
