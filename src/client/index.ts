/**
 * A client of a running service over HTTP; it knows the nouns of `core` and nothing else of this package.
 */
export type { StepReply } from './replies.js';
export {
  type ClientOptions,
  createServiceClient,
  type EpisodeClient,
  type OpenOptions,
  type ServiceClient,
} from './service-client.js';
