import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { sandboxEngine } from '../../support/engine/fixtures';
import { matchConversation } from '../../../harness/sendAppointment';
import { sentencesOf } from '../../../nodes/ConversationIntelligenceAppointments/errors';
import { automatic, CREATE, processingService, runAppointments } from './mapping';

const STATUS = '={{ $json.status }}';
const sync = (more: INodeParameters = {}) => automatic({ operation: 'sync', status: STATUS, ...more });
const row = (event_id: string, status: unknown, more: IDataObject = {}) =>
	({ ...CREATE, event_id, status, ...more }) as IDataObject;

// pairs.test.ts holds what becomes of a row by its status.
describe('Sync Appointments', () => {
	const { service, engine, run } = processingService();
	const requests = () => service.seen.map(({ method, url }) => `${method} ${url}`);

	test.each<[string, IDataObject, string[]]>([
		['={{ $json.State }}', { State: 'booked', stage: 1 }, ['stage']],
		[
			'={{ $json["Visit status"] ?? $json?.state }}',
			{ 'Visit status': 'open', state: 1, status: 2 },
			['status'],
		],
		['={{ $input.item.json.fields.state }}', { fields: { state: 'booked' } }, []],
	])('does not name the columns that Status reads as unknown: %s', async (status, more, unknown) => {
		const { items } = await run(sync({ status }), { ...CREATE, ...more });
		const warnings = sentencesOf({ columns_unknown: unknown });
		expect(items[0].json).toMatchObject({ action: 'booked', warnings });
	});

	test.each<[string, IDataObject, IDataObject[]]>([
		[
			'of the chosen column',
			{ mode: 'list', value: 'Visit State' },
			[{ 'Visit State': 'open' }, { 'Visit State': 'cancelled' }],
		],
		[
			'of the column "status" in any case',
			{ mode: 'list', value: '' },
			[{ STATUS: 'open' }, { Status: 'cancelled' }],
		],
		[
			'of an expression',
			{ mode: 'value', value: '={{ $json.state }}' },
			[{ state: 'open' }, { state: 'cancelled' }],
		],
	])('reads the status %s, which is no unknown column', async (_, status, rows) => {
		const given = rows.map((one, index) => ({ ...CREATE, event_id: `e-${index}`, ...one }));
		const { items } = await run(sync({ status: { __rl: true, ...status } as INodeParameters }), ...given);
		expect(items.map(({ json }) => [json.action, json.warnings])).toEqual([
			['booked', []],
			['deleted', []],
		]);
	});

	test('refuses the run if no row has a status, before anything is sent', async () => {
		const status = { __rl: true, mode: 'list', value: '' };
		const rows = [row('e-1', undefined), row('e-2', ' ')];
		const { error } = await run(sync({ status }), ...rows);
		expect(error?.context?.details).toMatchObject({ code: 'status_empty', field: 'Status' });
		const { items } = await runAppointments(engine, sync({ status }), rows, { continueOnFail: true });
		const broken = { __rl: true, mode: 'value', value: '={{ $("Nowhere").item.json.status }}' };
		const failed = await runAppointments(engine, sync({ status: broken }), rows, { continueOnFail: true });
		expect(failed.items[0].json.details).toMatchObject({ code: 'n8n_error' });
		expect(items.map(({ json }) => (json.details as IDataObject).code)).toEqual([
			'status_empty',
			'status_empty',
		]);
		expect(requests()).toEqual([]);
	});

	test.each(['', ' , '])(
		'refuses the Cancelled Words %j, with which a cancelled row would be booked',
		async (words) => {
			const { error } = await run(sync({ cancelledWords: words }), row('crm-1', 'cancelled'));
			expect(error?.message).toMatch(/^Cancelled Words /);
			expect(requests()).toEqual([]);
		},
	);

	test('sends a row only after the earlier ones of its Event ID, even if they are retried', async () => {
		const failed = { status: 500, headers: { 'retry-after': '0' } };
		service.respond((_request, index) => (index === 0 ? failed : { status: 200 }));
		await run(sync(), row('e-1', 'cancelled'), row('e-1', 'booked'));
		expect(service.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE', 'POST']);
	});
});

describe('Sync Appointments at the service', () => {
	const { sandbox, engine } = sandboxEngine([ConversationIntelligenceAppointments], { conversations: 5 });
	const run = async (rows: IDataObject[]) => {
		const [{ email: user_email }] = sandbox.control.users();
		const own = rows.map((one) => ({ ...one, user_email }));
		const { items, error } = await runAppointments(engine, sync(), own);
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	const stored = () =>
		sandbox.control.appointments().map(({ event_id, title }) => [event_id, title] as const);

	// D2-DEL-06
	test('keeps an appointment with a recording and says so, and a missing one is no failure', async () => {
		await run([row('linked', 'booked'), row('booked', 'booked')]);
		const [conversation_id] = sandbox.control.conversationIds(0, 1);
		await matchConversation(sandbox, 'linked', conversation_id);
		const cancelled = ['linked', 'booked', 'absent'].map((id) => row(id, 'cancelled'));
		const results = await run(cancelled);
		expect(results.map(({ action, status, warnings }) => [action, status, warnings])).toEqual([
			['kept', 409, ['The appointment has a linked recording, so it is kept.']],
			['deleted', 200, []],
			['unchanged', 404, []],
		]);
		expect(stored().filter(([id]) => cancelled.some(({ event_id }) => event_id === id))).toHaveLength(1);
	});

	// Once, two nodes without an order between them: a row that was cancelled and booked again ended deleted.
	test('leaves of each Event ID what its last row says', async () => {
		const rows = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.boolean()), { minLength: 1, maxLength: 12 });
		await fc.assert(
			fc.asyncProperty(rows, async (changes) => {
				const before = stored().filter(([id]) => /^p-/.test(id));
				const intended = new Map(before);
				const actions = changes.map(([number, isBooked], index) => {
					const id = `p-${number}`;
					const action = isBooked ? 'booked' : intended.has(id) ? 'deleted' : 'unchanged';
					if (isBooked) intended.set(id, `t-${index}`);
					else intended.delete(id);
					return action;
				});
				const results = await run(
					changes.map(([number, isBooked], index) =>
						row(`p-${number}`, isBooked ? 'booked' : 'cancelled', { title: `t-${index}` }),
					),
				);
				expect(results.map(({ action }) => action)).toEqual(actions);
				expect(new Map(stored().filter(([id]) => /^p-/.test(id)))).toEqual(intended);
			}),
		);
	});
});
