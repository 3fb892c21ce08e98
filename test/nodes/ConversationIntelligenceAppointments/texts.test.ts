import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import {
	INPUT_ERRORS,
	WARNING_CODES,
	sentencesOf,
	warningsOf,
	type Warnings,
} from '../../../nodes/ConversationIntelligenceAppointments/errors';
import { fieldError } from '../../../nodes/ConversationIntelligenceAppointments/mapping/values';
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

test.each(Object.keys(INPUT_ERRORS) as Array<keyof typeof INPUT_ERRORS>)(
	'the texts of %s name the field or the value, and say what to do',
	(code) => {
		const { message, description, details } = fieldError(code, 'Some Field', '{value}\n');
		expect(message).toMatch(/Some Field|"\{value\}\\n"/);
		expect(description).toMatch(/\.$/);
		expect(`${message} ${description}`).not.toMatch(/\{(?!value\}\\n|"region")/);
		expect(details).toEqual({ code, retryable: false, field: 'Some Field' });
	},
);

test('warnings are one hint of each kind for all items, with each name once and the first ten, and name the items', () => {
	for (const code of WARNING_CODES) {
		expect(sentencesOf({ [code]: ['abc'] })).toEqual([expect.stringMatching(/^[A-Z].{20,}\.$/)]);
	}
	const input = (index: number, warnings: Warnings) => ({ index, key: `e-${index}`, warnings });
	const first = {
		customer_incomplete: ['{items}'],
		columns_unknown: ['stage', '{items}'],
		attendees_missing: ['attendee_emails'],
	};
	const third = { end_not_after_start: ['end_time'], columns_unknown: ['stage', 'tier'] };
	const hints = warningsOf([input(0, first), { ...input(7, third), value: 'v-7' }]);
	expect(hints).toEqual([
		...sentencesOf({ columns_unknown: ['stage', '{items}', 'tier'] }),
		...sentencesOf({ attendees_missing: ['attendee_emails'] }, ' (e-0 [Item 0])'),
		...sentencesOf({ customer_incomplete: ['{items}'] }, ' (e-0 [Item 0])'),
		...sentencesOf({ end_not_after_start: ['end_time'] }, ' (v-7 [Item 7])'),
	]);
	expect(hints.join()).toMatch(
		/\{items\}, tier\..* \{items\} \(e-0 \[Item 0\]\): on .*Time \(v-7 \[Item 7\]\)\./,
	);
	const names = Array.from({ length: 13 }, (_, index) => `c${index}`);
	const many = names.map((_, index) => input(index, { attendees_missing: ['x'], columns_unknown: names }));
	expect(warningsOf(many)[0]).toContain(`: ${names.slice(0, 10).join(', ')} and 3 more. Rename`);
	expect(warningsOf(many)[1]).toContain(', e-9 [Item 9] and 3 more):');
});

describe('Of appointments', () => {
	const { service, run, bodies } = processingService();

	test('a refusal has a short headline, lists everything once and names the columns of a table', async () => {
		const { error } = await run(automatic(), { id: 'crm-1', price: 'x', title: 'Roof inspection' });
		expect(error?.message).toBe('Price and 6 more fields cannot be sent');
		expect(error?.description).toMatch(
			/^Price must be .*<br \/>Event ID is missing\.<br \/>Rep Email is missing\. Every .* A new appointment needs Start Time and 3 more fields\. .*<br \/>Columns of the input: id, price, title\.$/,
		);
		expect(error?.description?.match(/Every request needs it/g)).toHaveLength(1);
		const one = await run(automatic(), { ...CREATE, title: '' });
		expect(one.error?.message).toBe('Title is missing (Event ID "crm-1")');
		expect(one.error?.description).toMatch(/\. Columns of the input: event_id, /);
		expect((await run(automatic(), {})).error?.description).toMatch(/Columns of the input: none\.$/);
		const invalid = await run(automatic({ options: { timeZone: 'EST' } }), CREATE);
		expect(invalid.error?.context?.details).toMatchObject({
			code: 'time_zone_invalid',
			field: 'Time Zone',
			eventId: 'crm-1',
		});
		expect(invalid.error?.description).not.toContain('Columns of the input');
		const empty = { event_id: '', user_email: '', title: '' };
		const hand = await run(byHand({ ...CREATE, ...empty }));
		expect(hand.error?.message).toBe('Event ID, Rep Email and Title are missing');
		expect(hand.error?.description).toMatch(
			/<br \/>Title is missing\. A new appointment needs Title\. [^C]*Update\.$/,
		);
		const four = await run(byHand({ ...CREATE, ...empty, start_time: '' }));
		expect(four.error?.message).toBe('Event ID and 3 more fields are missing');
		expect(service.seen).toEqual([]);
	});

	// n8n's toast shows the message of an error as HTML, and its panel the hints.
	test('no text has a tag, whatever the row and the service have', async () => {
		const TAG = `<a href="https://evil.example" style='position:fixed;inset:0'>Session expired</a>`;
		const hostile = fc.array(
			fc.constantFrom(TAG, '<', '</p>', '&lt;', '2026-03-01', 'a@b.example', ' ', '<!--'),
		);
		const values = fc.dictionary(
			fc.constantFrom(...Object.keys(CREATE), 'price', 'media_url', 'custom_fields', 'owner', TAG),
			hostile.map((parts) => parts.join('')),
			{ minKeys: 1 },
		);
		const preview = automatic({ operation: 'update', options: { previewOnly: true } });
		const operation = fc.constantFrom(automatic(), preview, { ...DELETE, eventId: '={{ $json.event_id }}' });
		const statuses = fc.constantFrom(400, 403, 404, 422, 451);
		await fc.assert(
			fc.asyncProperty(operation, values, statuses, async (parameters, row, status) => {
				service.respond([{ status, body: `No ${TAG}` }]);
				const { error, hints } = await run(parameters, { ...CREATE, ...row });
				const shown = [error?.message, error?.description, ...hints.map(({ message }) => message)];
				expect(shown.filter((text) => /<(?!br \/>)[a-z/!?]/i.test(text ?? ''))).toEqual([]);
				if (parameters !== preview) expect(error?.context?.details).toMatchObject({ retryable: false });
			}),
			{ examples: [[preview, { [TAG]: 'x' }, 400]] },
		);
	});

	test('keys that items share are named in their output and in one hint', async () => {
		const conversation = ['B', 'a', 'b', 'a'].map((last) => `${CONVERSATION_ID.slice(0, -1)}${last}`);
		const rows = ['x', 'y', 'z', 'y'].map((id, index) => ({ id, conversation: conversation[index] }));
		service.respond([{ status: 200, body: 'Successfully matched conversation to event' }]);
		for (const [parameters, warnings, ofItems] of [
			[
				{ ...MATCH, conversationId: '={{ $json.conversation }}' },
				{ conversation_shared: [`"${conversation[2]}" [Item 0, 2]`] },
				[0, 2],
			],
			[byHand({ ...CREATE, event_id: '={{ $json.id }}' }), { event_id_shared: ['"y" [Item 1, 3]'] }, [1, 3]],
			[DELETE, { event_id_shared: ['"y" [Item 1, 3]'] }, [1, 3]],
		] as Array<[INodeParameters, Warnings, number[]]>) {
			const { items, hints } = await run(parameters, ...rows);
			const shared = sentencesOf(warnings);
			expect(items.map(({ json }) => json.warnings)).toEqual(
				rows.map((_, index) => (ofItems.includes(index) ? shared : [])),
			);
			expect(hints).toEqual(shared.map((message) => ({ message, location: 'outputPane', type: 'warning' })));
		}
	});

	test('each item follows its own options and values', async () => {
		const options = {
			ownerOnly: '={{ $json.alone }}',
			previewOnly: '={{ $json.preview }}',
			timeZone: '={{ $json.zone }}',
		};
		const others = { alone: false, preview: false, zone: 'UTC' };
		const start_time = '2026-07-01 09:00:00';
		const value = { ...OWNER, event_id: '={{ $json.id }}', start_time, attendee_emails: 'b@example.com' };
		const { items } = await run(
			byHand(value, { operation: 'update', options: { ...options, concurrency: 1 } }),
			{ id: 'a', ...others, zone: 'Europe/Berlin' },
			{ id: 'b', ...others, alone: true },
			{ id: 'c', ...others, preview: true },
		);
		const sent = { ...OWNER, start_time, attendee_emails: ['b@example.com'] };
		expect(bodies()).toEqual([
			{ ...sent, event_id: 'a', start_time: '2026-07-01 07:00:00' },
			{ ...sent, event_id: 'b', attendee_emails: [] },
		]);
		expect(items.map(({ json }) => [json.warnings, json.preview])).toEqual([
			[[], undefined],
			[[], undefined],
			[[], true],
		]);
	});
});
