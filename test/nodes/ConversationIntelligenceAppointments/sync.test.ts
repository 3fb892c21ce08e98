import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { sentencesOf } from '../../../nodes/ConversationIntelligenceAppointments/errors';
import { automatic, CREATE, processingService, runAppointments } from './mapping';

const sync = (more: INodeParameters = {}) =>
	automatic({ operation: 'sync', status: '={{ $json.status }}', ...more });
const row = (event_id: string, status: unknown, more: IDataObject = {}) =>
	({ ...CREATE, event_id, status, ...more }) as IDataObject;
const chosen = (mode: string, value: string): INodeParameters => ({ status: { __rl: true, mode, value } });

// pairs.test.ts holds what becomes of a row by its status.
describe('Sync Appointments', () => {
	const { service, engine, run } = processingService();

	test.each<[string, INodeParameters, IDataObject, string[]]>([
		[
			'a chosen column',
			chosen('list', 'Visit State'),
			{ 'Visit State': 'cancelled', status: 'open' },
			['status'],
		],
		['the column "status" in any case', chosen('list', ''), { Status: 'cancelled' }, []],
		[
			'the first of its columns that is not empty',
			chosen('list', ''),
			{ STATUS: ' ', Status: 'cancelled' },
			[],
		],
		['an expression', chosen('value', '={{ $json.state }}'), { state: 'cancelled' }, []],
		['a plain value', { status: '={{ $json.State }}' }, { State: 'cancelled', stage: 1 }, ['stage']],
		[
			'two columns',
			{ status: '={{ $json["Visit status"] ?? $json?.state }}' },
			{ 'Visit status': 'cancelled', state: 1, status: 2 },
			['status'],
		],
		[
			'a part of a column',
			{ status: '={{ $input.item.json.fields.state }}' },
			{ fields: { state: 'cancelled' } },
			[],
		],
	])('reads the status of %s, which is no unknown column', async (_, status, given, unknown) => {
		const booked = Object.fromEntries(
			Object.entries(given).map(([name, value]) => [
				name,
				JSON.parse(JSON.stringify(value).replace('cancelled', 'visited')) as string,
			]),
		);
		const rows = [booked, given].map((one, index) => ({ ...CREATE, event_id: `e-${index}`, ...one }));
		const { items } = await run(sync(status), ...rows);
		expect(items.map(({ json }) => [json.action, json.warnings])).toEqual([
			['booked', sentencesOf({ columns_unknown: unknown })],
			['deleted', []],
		]);
	});

	test('refuses the run if no row has a status, before anything is sent, but not for a broken expression', async () => {
		const rows = [row('e-1', undefined), row('e-2', ' ')];
		const refusals = async (status: INodeParameters) => {
			const { items } = await runAppointments(engine, sync(status), rows, { continueOnFail: true });
			return items.map(({ json }) => (json.details as IDataObject).code);
		};
		const { error } = await run(sync(chosen('list', '')), ...rows);
		expect(error?.context?.details).toMatchObject({ code: 'status_empty', field: 'Status' });
		expect(await refusals(chosen('list', ''))).toEqual(['status_empty', 'status_empty']);
		const broken = chosen('value', '={{ $("Nowhere").item.json.status }}');
		expect(await refusals(broken)).toEqual(['n8n_error', 'n8n_error']);
		expect(service.seen).toEqual([]);
	});

	test('refuses a row by its Event ID, and reads the Cancelled Words of each', async () => {
		const words = sync({ cancelledWords: '={{ $json.words }}', options: { previewOnly: true } });
		const rows = ['gone, off', 'off', ' , '].map((text, index) => row(`e-${index}`, 'gone', { words: text }));
		const { items } = await runAppointments(engine, words, rows, { continueOnFail: true });
		expect(items.map(({ json }) => json.action ?? json.details)).toEqual([
			'deleted',
			'booked',
			expect.objectContaining({ code: 'field_missing', field: 'Cancelled Words', eventId: 'e-2' }),
		]);
	});

	test('sends a row only after the earlier ones of its Event ID, even if they are retried', async () => {
		const failed = { status: 500, headers: { 'retry-after': '0' } };
		service.respond((_request, index) => (index === 0 ? failed : { status: 200 }));
		await run(sync(), row('e-1', 'cancelled'), row('e-1', 'booked'));
		expect(service.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'POST']);
	});
});
