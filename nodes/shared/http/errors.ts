import type { ErrorTable } from '../base/codedError';

/** Why a request failed. `{credential}` is the credential's name. */
export const REQUEST_ERRORS = {
	api_key_unknown: {
		message: 'The service does not recognize the API key',
		advice:
			'Check the API Key in the {credential} credential: the raw key, without "Bearer" and without spaces.',
	},
	api_key_refused: {
		message: 'The service refuses the API key or the path',
		advice:
			'Check API Key and Base URL in the {credential} credential: a gateway answers an unknown key and a wrong path alike. If other requests succeed, the values of this one are refused.',
	},
	request_blocked: {
		message: 'A firewall or proxy refused the request',
		advice:
			'Ask whoever runs it to let these values pass. If it refuses every request, check the Base URL in the {credential} credential.',
	},
	request_unprocessable: {
		message: 'The service cannot process the request',
		advice:
			"Repeating does not help. If the service's words name no value, check that the API key of the {credential} credential belongs to an active organization.",
	},
	address_not_found: {
		message: 'The service has nothing at this address',
		advice: 'Check the Base URL in the {credential} credential.',
	},
	base_url_has_endpoint: {
		message: 'The Base URL must not contain {endpoint}',
		advice: 'Leave out {endpoint} in the {credential} credential.',
	},
	rate_limited: {
		message: 'The service is limiting the rate of requests',
		advice:
			'It may work later: run the workflow again in a while, or set Requests per Second if the node has it.',
		retryable: true,
	},
	redirected: {
		message: 'The service redirected the request elsewhere',
		advice:
			'Redirects are not followed, so that the key stays with the service. Check the Base URL in the {credential} credential.',
	},
	request_timed_out: {
		message: 'The service did not receive the request in time',
		advice: 'Run the workflow again later.',
		retryable: true,
	},
	request_refused: {
		message: 'The service refused the request',
		advice:
			'Repeating the same request does not help: check the values of the node. If every request is refused, check the Base URL in the {credential} credential.',
	},
	service_failed: {
		message: 'The service could not process the request',
		advice:
			"This may be transient: run the workflow again later. If it persists, contact the service's support.",
		retryable: true,
	},
	certificate_refused: {
		message: "The service's certificate is not accepted",
		advice:
			'Renew it, or let this n8n trust its issuer. If the address is wrong, correct the Base URL in the {credential} credential.',
	},
	address_without_https: {
		message: 'The service does not answer with HTTPS',
		advice: 'Check host and port of the Base URL in the {credential} credential.',
	},
	private_address_without_https: {
		message: 'The service cannot be reached',
		advice:
			'Use http:// instead of https:// in the Base URL of the {credential} credential: the address does not use HTTPS.',
	},
	service_unreachable: {
		message: 'The service cannot be reached',
		advice: 'Check the Base URL in the {credential} credential and whether this n8n can reach it.',
		retryable: true,
	},
	request_impossible: {
		message: 'The request cannot be completed',
		advice:
			'Repeating it does not help. Check the Base URL in the {credential} credential, and any proxy in between.',
	},
	service_silent: {
		message: 'The service did not answer within {time}',
		advice: 'Run the workflow again later.',
		retryable: true,
	},
	range_too_slow: {
		message: 'The service did not answer within {time}',
		advice: 'Use a shorter date range.',
		retryable: true,
	},
	response_unreadable: {
		message: "The service's response {defect}",
		advice:
			'Check the Base URL in the {credential} credential: it may lead to a web page or a proxy instead of the API.',
	},
	credential_unusable: {
		message: 'The {field} of the credential {defect}',
		advice: '{advice}',
	},
	api_key_kept: {
		message: 'The API Key of the credential is not sent to {address}',
		advice: "It goes only to the credential's Base URL, {baseUrl}, and to addresses below it.",
	},
	not_sent: {
		message: 'Skipped because earlier requests failed: {reason}',
		advice: '{advice}',
	},
} as const satisfies ErrorTable;
