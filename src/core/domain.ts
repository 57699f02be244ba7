/**
 * The seven domains of language world models.
 *
 * Source: Qwen-AgentWorld (arXiv 2606.24597), section "domains": four text domains and three GUI domains.
 */
import { z } from 'zod';

/** The names of the seven domains, in the published order of the score table. */
export const DOMAINS = ['mcp', 'search', 'terminal', 'swe', 'android', 'web', 'os'] as const;

/** Checks that a string is one of {@link DOMAINS}. */
export const DomainSchema = z.enum(DOMAINS);

/** One of the seven domain names. */
export type Domain = z.infer<typeof DomainSchema>;
