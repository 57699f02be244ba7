/**
 * Room `capture`: what touches real environments. So far MCP: a recorder between client and server, and a client.
 *
 * Processes and network live here. Nothing of a recording leaves this machine.
 */
export { callTool, type ToolAnswer, type ToolCallRequest } from './call-tool.js';
export {
  type ConnectOptions,
  connectServer,
  type ServerConnection,
  type ServerTarget,
} from './connect-server.js';
export { type FrameRecording, type FrameRecordingOptions, openFrameRecording } from './frame-recording.js';
export { type ListOptions, listEverything, type ServerLists } from './list-everything.js';
export { type HttpRecorder, type HttpRecorderOptions, startHttpRecorder } from './record-http.js';
export {
  type ByteSink,
  type ByteSource,
  type ServerEnd,
  type StdioRecorder,
  type StdioRecorderOptions,
  startStdioRecorder,
} from './record-stdio.js';
export type { Frame, FrameDirection, HttpPlace } from './recording-line.js';
