import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { exportPages, type FetchPage } from '../shared/reading';
import { parseObject, serviceRequest, type ServiceRequest } from '../shared/transport';

/** Where conversations come from. */
export interface Source {
	/** Pages by when conversations were processed (D1 § POST /export/conversations, `dateType`). */
	fetchPage: FetchPage<unknown>;
	/** One conversation; undefined when it does not exist any more. */
	fetchConversation: (id: string) => Promise<IDataObject | undefined>;
	/** Reports to n8n's log what does not add up. */
	warn: (message: string) => void;
}

/**
 * The service as a poll sees it.
 *
 * @param until neither a request nor a pause ends later, in milliseconds since 1970
 */
export function exportSource(context: IPollFunctions, until?: number): Source {
	return {
		fetchPage: exportPages(context, { arrays: ['conversations'], dateType: 'processedDate', until }),
		fetchConversation: async (id) => {
			const request: ServiceRequest = {
				credentialType: 'conversationExportApi',
				method: 'GET',
				path: `/export/conversations/${encodeURIComponent(id)}`,
				until,
				accepts: ({ status }) => status === 404,
			};
			const answer = await serviceRequest(context, request);
			return answer.status === 404 ? undefined : parseObject(context, request, answer);
		},
		warn: (message) => context.logger.warn(message, { nodeName: context.getNode().name }),
	};
}
