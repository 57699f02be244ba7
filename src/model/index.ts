/**
 * Room `model`: adapters to language models. Here those that need no provider: scripted and replayed.
 */
export * from './replay-model.js';
export * from './script-lines.js';
export * from './scripted-model.js';
