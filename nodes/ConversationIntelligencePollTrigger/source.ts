import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { exportPages, type FetchPage } from '../shared/reading';
import { conversationRequest } from '../shared/conversation';
import { serviceRequest, type ServiceAnswer } from '../shared/transport';

/** Where conversations come from. */
export interface Source {
	/** Pages by when conversations were processed (D1 § POST /export/conversations, `dateType`). */
	fetchPage: FetchPage<unknown>;
	/** One conversation; undefined when it does not exist any more. */
	fetchConversation: (id: string) => Promise<IDataObject | undefined>;
	/** Reports to n8n's log what does not add up. */
	warn: (message: string) => void;
}

const isUnknown = ({ status }: ServiceAnswer) => status === 404;

/**
 * The service as a poll sees it.
 *
 * @param until neither a request nor a pause ends later, in milliseconds since 1970
 */
export function exportSource(context: IPollFunctions, until?: number): Source {
	return {
		fetchPage: exportPages(context, { arrays: ['conversations'], dateType: 'processedDate', until }),
		fetchConversation: async (id) => {
			const request = { ...conversationRequest(id), until, accepts: isUnknown };
			const answer = await serviceRequest(context, request);
			return isUnknown(answer) ? undefined : answer.json();
		},
		warn: (message) => context.logger.warn(message, { nodeName: context.getNode().name }),
	};
}
