import { EventEmitter } from 'node:events';
import type { Organization } from './data/organization';
import type { Row } from './data/rows';

/** A conversation whose transcript, summary, scoring and surveys are now available. */
export interface ProcessedConversation {
	organization: Organization;
	row: Row;
	conversationId: string;
}

/** What happens inside the sandbox; the webhook sender listens. */
export class SandboxEvents extends EventEmitter<{ conversationProcessed: [ProcessedConversation] }> {}
