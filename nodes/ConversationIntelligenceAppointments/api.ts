/** The endpoints of the appointment API (D2 § Endpoints), as requests without who sends them. Nothing else writes `/custom/`. */
import type { IDataObject } from 'n8n-workflow';
import { textOf } from '../shared/errors/codedError';
import { credentialTest, type ServiceRequest } from '../shared/http';
import { RESPONSE_ERRORS } from './errors';

type Endpoint = Pick<ServiceRequest, 'method' | 'path' | 'body'>;

const APPOINTMENT = '/custom/appointment';
const MATCH = `${APPOINTMENT}/match`;

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). */
export const upsertRequest = (body: IDataObject): Endpoint => ({ method: 'POST', path: APPOINTMENT, body });

/**
 * Deletes an appointment (D2 § DELETE /custom/appointment/{id}).
 *
 * @param id the event ID as a segment of a path, URL-encoded
 */
export const deleteRequest = (id: string): Endpoint => ({ method: 'DELETE', path: `${APPOINTMENT}/${id}` });

/** Links a conversation to an appointment (D2 § POST /custom/appointment/match). */
export const matchRequest = (body: IDataObject): Endpoint => ({ method: 'POST', path: MATCH, body });

/**
 * Tests the appointment credential with an empty match request, which cannot create or change anything:
 * the service checks the body before it looks anything up (D2 § Errors, exact bodies).
 */
export const crmAppointmentApiTest = credentialTest({
	credentialType: 'crmAppointmentApi',
	path: MATCH,
	keyHeader: 'x-api-key',
	body: {},
	accepts: ({ status, body }) =>
		status === 400 && body.includes('Missing some required parameters in the body'),
	explain: ({ status }) => (status === 422 ? textOf(RESPONSE_ERRORS, 'api_key_unmapped', {}) : undefined),
});
