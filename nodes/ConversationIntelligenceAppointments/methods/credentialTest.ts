import { credentialTest } from '../../shared/http';

/**
 * Tests the appointment credential with an empty match request, which cannot create or change anything:
 * the service checks the body before it looks anything up (D2 § Errors, exact bodies).
 */
export const crmAppointmentApiTest = credentialTest({
	type: 'crmAppointmentApi',
	path: '/custom/appointment/match',
	keyHeader: 'x-api-key',
	body: {},
	accepts: ({ status, body }) =>
		status === 400 && body.includes('Missing some required parameters in the body'),
	unknownKey: 403,
	explain: ({ status }) =>
		status === 422
			? 'The service recognizes the API Key, but it is not mapped to an active organization (status 422). Create a key in the web app of an active organization.'
			: undefined,
});
