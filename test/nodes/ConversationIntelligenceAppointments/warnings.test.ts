import type { INodeParameters } from 'n8n-workflow';
import {
	WARNING_CODES,
	sentencesOf,
	warningsOf,
	type Warnings,
} from '../../../nodes/ConversationIntelligenceAppointments/errors';
import {
	automatic,
	byHand,
	CONVERSATION_ID,
	CREATE,
	DELETE,
	MATCH,
	OWNER,
	processingService,
} from './mapping';

const input = (index: number, warnings: Warnings) => ({ index, key: `e-${index}`, warnings });

describe('Warnings', () => {
	test('are one hint of each kind for all items, with each name once, and name the items', () => {
		const first = {
			customer_incomplete: ['{items}'],
			columns_unknown: ['stage', '{items}'],
			attendees_missing: ['attendee_emails'],
		};
		const third = { end_not_after_start: ['end_time'], columns_unknown: ['stage', 'tier'] };
		const hints = warningsOf([input(0, first), input(7, third)]);
		expect(hints).toEqual([
			...sentencesOf({ columns_unknown: ['stage', '{items}', 'tier'] }),
			...sentencesOf({ attendees_missing: ['attendee_emails'] }, ' (e-0 [Item 0])'),
			...sentencesOf({ customer_incomplete: ['{items}'] }, ' (e-0 [Item 0])'),
			...sentencesOf({ end_not_after_start: ['end_time'] }, ' (e-7 [Item 7])'),
		]);
		expect(hints.join()).toMatch(
			/\{items\}, tier\..* \{items\} \(e-0 \[Item 0\]\): on .*Time \(e-7 \[Item 7\]\)\./,
		);
	});

	test.each(WARNING_CODES)('are whole sentences: %s', (code) => {
		expect(sentencesOf({ [code]: ['abc'] })).toEqual([expect.stringMatching(/^[A-Z].{20,}\.$/)]);
	});

	test('name at most ten columns, and at most ten items', () => {
		const names = Array.from({ length: 13 }, (_, index) => `c${index}`);
		const [sentence] = sentencesOf({ columns_unknown: names });
		expect(sentence).toContain(`: ${names.slice(0, 10).join(', ')} and 3 more. Rename`);
		const inputs = names.map((_, index) => input(index, { attendees_missing: ['x'] }));
		expect(warningsOf(inputs)[0]).toContain(', e-9 [Item 9] and 3 more):');
	});
});

describe('What the output says about an appointment', () => {
	const { service, run, bodies } = processingService();

	test('is shown as text, because n8n shows hints as HTML', async () => {
		const column = '<a href="https://evil.example">Session expired</a><img src=x>';
		const { hints } = await run(automatic({ options: { previewOnly: true } }), { ...CREATE, [column]: 'x' });
		expect(hints).toEqual([{ message: expect.any(String), location: 'outputPane', type: 'warning' }]);
		expect(hints[0].message).toContain(
			'&lt;a href="https://evil.example">Session expired&lt;/a>&lt;img src=x>',
		);
		expect(hints[0].message).not.toContain('<');
	});

	test('names the keys that items share, in their output and in one hint', async () => {
		const conversation = ['B', 'a', 'b', 'a'].map((last) => `${CONVERSATION_ID.slice(0, -1)}${last}`);
		const rows = ['x', 'y', 'z', 'y'].map((id, index) => ({ id, conversation: conversation[index] }));
		service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
		const byConversation = { ...MATCH, conversationId: '={{ $json.conversation }}' };
		const upsertById = byHand({ ...CREATE, event_id: '={{ $json.id }}' });
		for (const [parameters, warnings, ofItems] of [
			[byConversation, { conversation_shared: [`"${conversation[2]}" [Item 0, 2]`] }, [0, 2]],
			[upsertById, { event_id_shared: ['"y" [Item 1, 3]'] }, [1, 3]],
			[DELETE, { event_id_shared: ['"y" [Item 1, 3]'] }, [1, 3]],
		] as Array<[INodeParameters, Warnings, number[]]>) {
			const { items, hints } = await run(parameters, ...rows);
			const shared = sentencesOf(warnings);
			expect(items.map(({ json }) => json.warnings)).toEqual(
				rows.map((_, index) => (ofItems.includes(index) ? shared : [])),
			);
			expect(hints.map(({ message }) => message)).toEqual(shared);
		}
	});

	test('follows the options of each item', async () => {
		const options = {
			ownerOnly: '={{ $json.alone }}',
			previewOnly: '={{ $json.preview }}',
			timeZone: '={{ $json.zone }}',
		};
		const start_time = '2026-07-01 09:00:00';
		const others = { alone: false, preview: false, zone: 'UTC' };
		const value = { ...OWNER, event_id: '={{ $json.id }}', start_time, attendee_emails: 'b@example.com' };
		const result = await run(
			byHand(value, { operation: 'update', options }),
			{ id: 'a', ...others, zone: 'Europe/Berlin' },
			{ id: 'b', ...others, alone: true },
			{ id: 'c', ...others, preview: true },
		);
		expect(result.error).toBeUndefined();
		const sent = { ...OWNER, start_time: '2026-07-01 09:00:00', attendee_emails: ['b@example.com'] };
		expect(bodies().sort((one, two) => String(one?.event_id).localeCompare(String(two?.event_id)))).toEqual([
			{ ...sent, event_id: 'a', start_time: '2026-07-01 07:00:00' },
			{ ...sent, event_id: 'b', attendee_emails: [] },
		]);
		expect(result.items.map(({ json }) => json.warnings)).toEqual([[], [], []]);
		expect(result.items.findIndex(({ json }) => json.preview)).toBe(2);
	});
});
