import { type Sandbox, startSandbox } from '../../../sandbox';
import { appointment, crm, exportGet } from './service';

let sandbox: Sandbox;
beforeEach(async () => {
	sandbox = await startSandbox({ conversations: 50, processingSeconds: 3600 });
});
afterEach(() => sandbox.close());

const save = (changes: object = {}) =>
	crm(sandbox, 'POST', '/custom/appointment', { ...appointment, ...changes });
const remove = (path: string) => crm(sandbox, 'DELETE', `/custom/appointment/${path}`);
const media = { media_url: 'https://media.example/a.wav', recording_type: 'APPOINTMENT_AUDIO' };

describe('Hosted audio', () => {
	it('becomes one conversation even if the update is repeated', async () => {
		await save(media);
		await save(media);
		expect(sandbox.control.finishProcessing()).toHaveLength(1);
		await save(media);
		expect(sandbox.control.finishProcessing()).toHaveLength(0);
	});

	it('becomes one conversation per recording, even if two follow each other immediately', async () => {
		await save(media);
		await save({ ...media, media_url: 'https://media.example/b.wav' });
		const finished = sandbox.control.finishProcessing({ eventId: 'e-1' });
		expect(new Set(finished).size).toBe(2);
		for (const id of finished) expect((await exportGet(sandbox, id)).json.crmEventID).toBe('e-1');
	});

	it('is dropped if its appointment has been deleted', async () => {
		await save(media);
		expect((await remove('e-1')).status).toBe(200);
		expect(sandbox.control.finishProcessing()).toEqual([]);
	});
});
