import type { IDataObject, IExecuteFunctions, IHttpRequestMethods } from 'n8n-workflow';
import {
	isWebPage,
	serviceRequest,
	unreadableAnswer,
	type Pace,
	type ServiceAnswer,
	type ServiceRequest,
} from '../../shared/transport';
import { explainAnswer, type AnswerRow } from './answers';

export interface AppointmentRequest {
	method: IHttpRequestMethods;
	/** Path below `{crm_base_url}/custom/appointment`, already URL-encoded. */
	path?: string;
	body?: IDataObject;
	itemIndex: number;
	/** What single answers mean for this operation; asked before the rows that all operations share. */
	answers: AnswerRow[];
	pace?: Pace;
	accepts?: ServiceRequest['accepts'];
}

/**
 * Sends one request of the appointment API. It asks for the documented default, plain text, so that the exact
 * bodies of the document come back (D2 § Errors). What a success says is left open, except that it is no web page.
 *
 * @returns status and the service's words
 * @throws NodeApiError that quotes the body and says whether another try can help, or that a web page came with 2xx
 */
export async function appointmentRequest(
	context: IExecuteFunctions,
	{ path = '', answers, ...request }: AppointmentRequest,
): Promise<ServiceAnswer> {
	const sent: ServiceRequest = {
		...request,
		credentialType: 'crmAppointmentApi',
		path: `/custom/appointment${path}`,
		accept: 'text/plain',
		explain: (answer) => explainAnswer(answer, answers),
	};
	const answer = await serviceRequest(context, sent);
	if (isWebPage(answer.body)) {
		throw unreadableAnswer(context.getNode(), sent, answer, 'is a web page, not a confirmation');
	}
	return answer;
}
