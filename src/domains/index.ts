/**
 * Room `domains`: per domain the action grammar, the observation format, prompt facts and content types.
 */

export { agentAction, agentTools } from './agent-tools.js';
export { androidFormat } from './android/android-format.js';
export {
  type AndroidNode,
  type Bounds,
  labelOf,
  NODE_STATES,
  parseBounds,
  renderBounds,
} from './android/android-node.js';
export type { AndroidScreen, HierarchyScreen } from './android/android-screen.js';
export type { ListedElement } from './android/element-list.js';
export type { HtmlElement, HtmlNode } from './android/html-node.js';
export * from './bench-row.js';
export {
  type ComparisonCount,
  compareObservations,
  matchedShare,
  type ObservationComparison,
  type ObservationDifference,
} from './compare-observations.js';
export * from './domain-format.js';
export * from './domain-registry.js';
export {
  ERROR_CAUSES,
  ERROR_FAMILIES,
  type ErrorBody,
  type ErrorCause,
  type ErrorDetails,
  errorBody,
} from './error-bodies/error-body.js';
export type { Kept } from './kept-pieces.js';
export * from './mcp/action.js';
export * from './mcp/content-types.js';
export * from './mcp/mcp-format.js';
export * from './mcp/observation.js';
export * from './mcp/prompt.js';
export * from './mcp/tool-definition.js';
export * from './mcp/tool-list.js';
export * from './mcp/tool-result.js';
export { DESKTOP_TOOL, desktopSteps, isDesktopCode } from './os/action.js';
export { desktopFormat } from './os/desktop-format.js';
export type { DesktopNode, Rectangle } from './os/desktop-node.js';
export type { DesktopScreen, DesktopWindow, TreeScreen, XmlScreen } from './os/desktop-screen.js';
export type { DesktopStep } from './os/desktop-step.js';
export { type PartPair, type PartPairs, pairParts, partLabel } from './pair-parts.js';
export * from './plain-prompt.js';
export { type ForeignPrompt, readForeignPrompt } from './read-prompt/read-prompt.js';
export { isRuntimeName, isRuntimeText } from './runtime-metadata.js';
export type { ListItem, MarkdownBlock, MarkdownPage } from './search/markdown.js';
export type { MemoryDone, MemoryPairs } from './search/memory.js';
export type { SearchObservation } from './search/observation.js';
export { SEARCH_TOOLS, type SearchActionSpace } from './search/prompt.js';
export {
  type ResultList,
  type SearchBatch,
  type SearchResult,
  searchBatches,
} from './search/result-list.js';
export { searchFormat } from './search/search-format.js';
export {
  exitCodeOf,
  type MatchLine,
  type NumberedLine,
  type ResultBlock,
  type SweResult,
} from './swe/result-block.js';
export { fillTemplate, RESULT_TEXTS, type ResultName, type ResultTexts } from './swe/result-texts.js';
export { sweFormat } from './swe/swe-format.js';
export { HARNESSES, harnessTools } from './swe/tool-definitions.js';
export * from './swe/tool-profiles.js';
export { detectToolProfile, isCodingTool, shellCommandOf, type ToolUse, toolUseOf } from './swe/tool-use.js';
export { type KeyBatch, keyBatches, saysDone, TERMINAL_TOOL } from './terminal/action.js';
export { keystrokesToInput } from './terminal/keys.js';
export { visibleText } from './terminal/observation.js';
export { Screen, type ScreenState } from './terminal/screen.js';
export { terminalFormat } from './terminal/terminal-format.js';
export { WEB_SEQUENCE, webCalls } from './web/action.js';
export { WEB_ACTIONS } from './web/action-table.js';
export {
  type PageLine,
  type PageState,
  pageState,
  type TreeItem,
  type TreeNotation,
  type TreeText,
  type WebAttribute,
  type WebNode,
  type WebPage,
  type WebTab,
  webNodes,
} from './web/page.js';
export type { WebActionSpace } from './web/prompt.js';
export { webFormat } from './web/web-format.js';
