import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { automatic, byHand, CREATE, processingService } from './mapping';

/** Values of a column by the code of their refusal and the number of expressions that mend it. */
const MENDED: Array<[column: string, code: string, mends: number, values: unknown[]]> = [
	['price', 'price_unclear', 2, ['1.234', '-12,345', 'KWD 1.234', '1,234 kwd']],
	['price', 'price_invalid', 1, ['12.5k', '($500.00)', '1,234.50-', 'free <b>', 'to be "agreed"']],
	['start_time', 'date_order_unclear', 2, ['3/4/2026 2:30 PM', '3/4/2026 09h30']],
	['start_time', 'date_order_unclear', 1, ['14.03.2026, 14:30:00', '14.03.2026 9.30']],
	['start_time', 'date_order_unclear', 1, ['14.3.2026 um 9:30 Uhr']],
	['start_time', 'year_short', 1, ['3/14/26 2pm']],
	['start_time', 'time_in_seconds', 1, [1773480600]],
	['start_time', 'time_invalid', 1, ['1773480600', 'March 14, 2026 2:30 PM', 'March 14, 2026 at 2:30 PM']],
	['start_time', 'time_invalid', 1, ['14-Mar-2026 9:30']],
	['start_time', 'whole_day', 1, ['2026-03-14', '2026/3/14']],
	['attendee_emails', 'attendee_invalid', 1, ['a@x.com | b@x.com', 'a@x.com / b@x.com']],
	['attendee_emails', 'attendee_invalid', 1, ['Ann Doe (a@x.com), b@x.com', 'Doe, Ann [a@x.com]']],
	['attendee_emails', 'attendees_invalid', 1, [{ records: ['a@x.com'] }, ['a@x.com', '']]],
	['attendee_emails', 'attendees_invalid', 1, ['[a@x.com, b@x.com]']],
	['attendee_emails', 'attendee_unclear', 2, [[{ first: 'a@x.com', second: 'b@x.com' }]]],
	['user_email', 'owner_invalid', 2, ['Doe, Al <a@x.com>, b@x.com', ['a@x.com', 'b@x.com']]],
	['event_id', 'id_invalid', 1, [12.5, ['e-1']]],
	['event_id', 'id_invalid', 2, [['e-1', 'e-2']]],
	['customer_id', 'id_invalid', 1, [{ id: 7 }]],
	['title', 'text_invalid', 1, [{ id: 3, label: 'Visit' }, ['Visit', 'Roof']]],
	['type', 'text_invalid', 1, [true]],
	['media_url', 'link_invalid', 1, ['media.example.com/call.mp3']],
	['custom_fields', 'object_invalid', 1, [[{ a: 1 }]]],
];
/** What other rows have in the same column. */
const OTHERS: Record<string, unknown[]> = {
	price: ['12.50', '0.125', '12345.678', '€ 1.234', 7],
	start_time: ['2026-03-14T09:00:00Z'],
	attendee_emails: ['a@x.com, b@x.com'],
	user_email: ['ana@x.com', 'Ruiz, Ana <ana@x.com>'],
	event_id: ['e-1'],
	customer_id: ['c-1'],
	title: ['Visit'],
	type: ['Visit'],
	media_url: ['https://media.example.com/call.mp3'],
	custom_fields: [{ a: 1 }],
};

/** Of two columns, so that a method of it needs parentheses. */
const COLUMN = '={{ $json["A column"] ?? $json.other }}';

describe('A refusal', () => {
	const { run } = processingService();
	/** The description of the refusal of a run, and the expressions in it. */
	const shownBy = async (...given: Parameters<typeof run>) => {
		const { error } = await run(...given);
		const description = error?.description ?? '';
		return {
			error,
			description,
			mends: Array.from(description.matchAll(/\{\{ .*? \}\}/g), ([one]) => `=${one}`),
		};
	};

	test.each(
		MENDED.flatMap(([column, code, count, values]) =>
			values.map((one) => [column, code, one, count] as const),
		),
	)(
		'of %s (%s) shows expressions that mend it, each in another way, and no other row: %j',
		async (column, code, value, count) => {
			const more = column === 'media_url' ? { recording_type: 'CALL_AUDIO', attendee_emails: '' } : {};
			const sending = (expression: string, ...given: unknown[]): Parameters<typeof run> => {
				const fields = { ...CREATE, ...more, [column]: expression };
				const rows = given.map((one) => ({ 'A column': one }));
				const parameters = byHand(fields, { options: { timeZone: 'UTC' } });
				return [parameters, rows as IDataObject[]];
			};
			const { error, mends } = await shownBy(...sending(COLUMN, value));
			expect(error?.context?.details).toMatchObject({ code });
			const sentOf = (all: INodeExecutionData[]) => all.map(({ json }) => ({ ...json, warnings: [] }));
			const { items: plain } = await run(...sending(COLUMN, ...OTHERS[column]));
			const mended = new Set<string>();
			for (const mend of mends) {
				const { items, error: none } = await run(...sending(mend, value, ...OTHERS[column]));
				expect(none).toBeUndefined();
				expect(sentOf(items.slice(1))).toEqual(sentOf(plain));
				mended.add(JSON.stringify(items[0].json));
			}
			expect([mends.length, mended.size]).toEqual([count, count]);
		},
	);

	const inTokyo = automatic({ options: { timeZone: 'Asia/Tokyo' } });
	const dayFirst = automatic({ options: { slashDates: 'dayFirst' } });
	const OF_TIME = `={{ DateTime.fromFormat($json["Start Time"], 'M/d/yy', { zone: 'Asia/Tokyo' }).toISODate() ?? $json["Start Time"] }}`;
	const OF_PART = '={{ $json.customer.id?.id ?? $json.customer.id }}';
	test.each<[string, INodeParameters, IDataObject, string | undefined]>([
		[
			'the column of an automatic mapping, and the chosen zone',
			inTokyo,
			{ 'Start Time': '3/14/26' },
			OF_TIME,
		],
		['a part of the customer', automatic(), { customer: { id: { id: 7 } } }, OF_PART],
		['nothing for fixed text', byHand({ ...CREATE, price: '1.234' }), {}, undefined],
		['nothing for long text', automatic(), { price: 'x'.repeat(501) }, undefined],
		['nothing for an order that is chosen', dayFirst, { start_time: '3/14/2026' }, undefined],
	])('names %s', async (_, parameters, given, mend) => {
		const row = { ...CREATE, start_time: undefined, customer_id: undefined, ...given } as IDataObject;
		const { description, mends } = await shownBy(parameters, [row]);
		expect(mends[0]).toBe(mend);
		const isTable = parameters.operation === 'upsert' && mend !== undefined;
		expect(description.includes('Or paste in Edit Fields, before this node: {{')).toBe(isTable);
	});
});
