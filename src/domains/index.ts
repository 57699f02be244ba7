/**
 * Room `domains`: per domain the action grammar, the observation format, prompt facts and content types.
 */
export * from './mcp/tool-definition.js';
