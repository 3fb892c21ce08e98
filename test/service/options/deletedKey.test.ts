import { appointment, activeEmails, crm } from '../support/crm';
import { control } from '../support/http';
import { useService } from '../support/service';

const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });

// D2-AUTH-04
test('a deleted key is refused immediately, other keys are not', async () => {
	const [owner] = await activeEmails(service);
	const { team } = service.keys;
	const statusOf = async (key?: string) => (await crm(service, key).save(appointment(owner))).status;
	expect(await statusOf(team)).toBe(200);
	await control(service, 'DELETE', `/keys/${team}`);
	expect([await statusOf(team), await statusOf()]).toEqual([403, 200]);
});
