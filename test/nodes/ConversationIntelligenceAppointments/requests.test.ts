import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunction, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { appointmentService } from './appointmentService';
import { byHand, CONVERSATION_ID, CREATE, DELETE, MATCH, scriptedNode, UPDATE } from './mapping';

const TYPE = 'conversationIntelligenceAppointments';

describe('Requests of the appointment API', () => {
	const { service, run } = scriptedNode(' key-1\n');

	// D2-HEAD-01..03, D2-AUTH-01, D2-DOES-06, D2-POST-01, D2-DEL-02, D2-ERR-01
	test('carry the key as x-api-key, accept plain text, and declare JSON when they have a body', async () => {
		service.respond([{ status: 200, body: 'As the service says' }]);
		for (const parameters of [byHand(CREATE), UPDATE, DELETE, MATCH]) {
			const { items, error } = await run(parameters, [{ id: 'e-1' }]);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ status: 200, response: 'As the service says' });
		}
		const json = 'application/json';
		expect(
			service.seen.map(({ method, url, headers, body }) => [
				`${method} ${url}`,
				headers['x-api-key'],
				headers.authorization,
				headers.accept,
				headers['content-type'],
				body?.event_id,
			]),
		).toEqual([
			['POST /crm/custom/appointment', 'key-1', undefined, 'text/plain', json, 'crm-1'],
			['POST /crm/custom/appointment', 'key-1', undefined, 'text/plain', json, 'e-1'],
			['DELETE /crm/custom/appointment/e-1', 'key-1', undefined, 'text/plain', undefined, undefined],
			['POST /crm/custom/appointment/match', 'key-1', undefined, 'text/plain', json, 'e-1'],
		]);
		expect(service.seen[3].body).toEqual({ event_id: 'e-1', conversation_id: CONVERSATION_ID });
	});
});

const { sandbox, engine, upsert, appointment } = appointmentService();

// D2-STATE-07, D2-AUTH-01..03, D2-ERR-18
test('the credential test is accepted by the service and writes nothing, because a match looks up before it writes', async () => {
	await upsert([appointment('before')]);
	const { crmUrl, keys, control } = sandbox;
	const state = () =>
		JSON.stringify([control.appointments(), control.outcomes(), control.debugger(keys.organization)]);
	const before = state();
	const test = engine.nodeType(TYPE).methods?.credentialTest
		?.crmAppointmentApiTest as ICredentialTestFunction;
	const run = async (apiKey: string) =>
		await test.call(new CredentialTestContext({} as IWorkflowExecuteAdditionalData), {
			...{ id: '1', name: 'c', type: 'crmAppointmentApi' },
			data: { baseUrl: crmUrl, apiKey },
		});
	expect(await run(keys.organization)).toMatchObject({ status: 'OK' });
	expect((await run('unknown-key')).message).toMatch(/^The service refuses the API key\. Status 403/);
	expect((await run(keys.unmapped)).message).toMatch(/Check that the API key belongs to an active organ/);
	expect(state()).toBe(before);
});
