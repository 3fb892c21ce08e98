import { appointment, activeEmails, crm } from '../support/crm';
import { control } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });

// D2-AUTH-04
test('a deleted key is refused immediately, other keys are not', async () => {
	const [owner] = await activeEmails(service);
	const { team } = service.keys;
	expect((await crm(service, team).save(appointment(owner))).status).toBe(200);
	await control(service, 'DELETE', `/keys/${team}`);
	expect((await crm(service, team).save(appointment(owner))).status).toBe(403);
	expect((await crm(service).save(appointment(owner))).status).toBe(200);
});
