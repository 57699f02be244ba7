/**
 * All limits in one table: what may be how large, in which unit, by default.
 *
 * Every number here bounds work that runs on somebody else's words (a world file, a model, an agent). Rooms read
 * their limit from here and name it in the error they raise, so that a user can find and judge it.
 */

/** Limits with units in their names. Sizes are UTF-8 bytes unless the name says otherwise. */
export const LIMITS = {
  /** One action text, as an agent sends it. */
  actionBytes: 8 * 1024 * 1024,
  /** One observation text. */
  observationBytes: 16 * 1024 * 1024,
  /** A world file, or a file it takes in with `from:`. */
  worldFileBytes: 64 * 1024 * 1024,
  /** One physical line of a trajectory or recording. */
  lineBytes: 64 * 1024 * 1024,
  /** A log that is one JSON document, not lines, and so has to be read whole. */
  importDocumentBytes: 256 * 1024 * 1024,
  /** Texts of one imported trajectory, in UTF-16 units; a longer session is given in parts. */
  importedTrajectoryChars: 8 * 1024 * 1024,
  /** Depth of nesting in JSON that comes from outside. */
  jsonDepth: 200,
  /** Aliases a YAML file may expand. */
  yamlAliases: 100,
  /** One rule's source text, in UTF-16 units. */
  ruleChars: 10_000,
  /** Steps that one evaluation of one rule may take. */
  ruleSteps: 5_000_000,
  /**
   * Work of one step of an episode, and of scoring one: steps of all its rules together, rows that it looks at, and
   * units of the values that rules hand out. Also what the computed fields of one state may cost.
   */
  stepWork: 20_000_000,
  /** References that the check of one value against one JSON Schema may follow. */
  schemaReferences: 200_000,
  /** Depth of nesting in a rule's expression. */
  ruleDepth: 100,
  /** Size of a list or string that a rule may build, in elements or UTF-16 units. */
  ruleValueSize: 1_000_000,
  /** One regular expression or glob, in UTF-16 units. */
  rulePatternChars: 1_000,
  /** Instructions that the regular expressions written in one rule, or one pattern or glob, may compile to. */
  rulePatternSize: 5_000,
  /** Bits of an integer that a rule may compute with. */
  ruleIntegerBits: 4_096,
  /** Rows in one collection of a tool world. */
  rowsPerCollection: 1_000_000,
  /** Items in one batch call. */
  batchItems: 10_000,
  /** Turns of one episode when the world sets no budget. */
  turnsPerEpisode: 1_000,
  /** Simulated seconds of one episode when the world sets no budget. */
  secondsPerEpisode: 30 * 24 * 3600,
  /** The body of one answer of a model endpoint. */
  modelReplyBytes: 64 * 1024 * 1024,
  /** Attempts at one model answer before the step is `model-failed`. */
  modelAttempts: 3,
  /** Tokens of one question to a world's model, as an estimate: system prompt, state and history together. */
  promptTokens: 24_000,
  /** The body of one HTTP request to a service; an action in it is written as JSON, which may be longer. */
  requestBytes: 32 * 1024 * 1024,
  /** Messages of one chat completion request. */
  chatMessages: 4_096,
  /** Chat completion requests that run at once. */
  chatRequests: 256,
  /** Milliseconds that one of them may take. */
  chatMs: 15 * 60 * 1000,
  /** Episodes that a service holds at once. */
  episodesPerService: 10_000,
  /** Episodes that a service with a durable store keeps in its store. */
  storedEpisodes: 1_000_000,
  /** Episodes that such a service keeps in memory; the others sleep in the store until their next step. */
  awakeEpisodes: 2_000,
  /** Milliseconds without a step after which such an episode leaves memory. */
  episodeIdleMs: 5 * 60 * 1000,
  /** Steps of one episode that may wait for the one that runs. */
  waitingSteps: 1_000,
  /** MCP sessions of one episode; the one that was silent longest makes room. */
  sessionsPerEpisode: 64,
  /** OpenEnv sessions of one world at once. */
  openEnvSessions: 1_024,
  /** Milliseconds of silence after which an MCP session is forgotten. */
  sessionIdleMs: 30 * 60 * 1000,
  /** Operations that one step may pass through the Host. */
  operationsPerStep: 100_000,
} as const;
