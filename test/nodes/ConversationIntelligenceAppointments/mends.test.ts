import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { mappedByHand } from '../../support/columns';
import { automatic, CREATE, processingService } from './mapping';

/** The expressions that a refusal shows. */
const shownIn = (description = '') =>
	Array.from(description.matchAll(/\{\{ .*? \}\}/g), ([one]) => `=${one}`);

describe('A refusal', () => {
	const { run, bodies } = processingService();
	const MENDED: Array<[column: string, code: string, value: unknown, mends: number]> = [
		['price', 'price_unclear', '1.234', 2],
		['price', 'price_unclear', '-12,345', 2],
		['price', 'price_unclear', 'KWD 1.234', 2],
		['price', 'price_unclear', '1,234 kwd', 2],
		['price', 'price_invalid', '12.5k', 1],
		['price', 'price_invalid', '($500.00)', 1],
		['price', 'price_invalid', '1,234.50-', 1],
		['price', 'price_invalid', 'free <b>', 1],
		['price', 'price_invalid', 'to be "agreed"', 1],
		['start_time', 'date_order_unclear', '3/4/2026 2:30 PM', 2],
		['start_time', 'date_order_unclear', '14.03.2026, 14:30:00', 1],
		['start_time', 'date_order_unclear', '14.03.2026 9.30', 1],
		['start_time', 'date_order_unclear', '14.3.2026 um 9:30 Uhr', 1],
		['start_time', 'date_order_unclear', '3/4/2026 09h30', 2],
		['start_time', 'year_short', '3/14/26 2pm', 1],
		['start_time', 'time_in_seconds', 1773480600, 1],
		['start_time', 'time_invalid', '1773480600', 1],
		['start_time', 'time_invalid', 'March 14, 2026 2:30 PM', 1],
		['start_time', 'time_invalid', 'March 14, 2026 at 2:30 PM', 1],
		['start_time', 'time_invalid', '14-Mar-2026 9:30', 1],
		['start_time', 'whole_day', '2026-03-14', 1],
		['start_time', 'whole_day', '2026/3/14', 1],
		['attendee_emails', 'attendee_invalid', 'a@x.com | b@x.com', 1],
		['attendee_emails', 'attendee_invalid', 'a@x.com / b@x.com', 1],
		['attendee_emails', 'attendee_invalid', 'Ann Doe (a@x.com), b@x.com', 1],
		['attendee_emails', 'attendee_invalid', 'Doe, Ann [a@x.com]', 1],
		['attendee_emails', 'attendees_invalid', { records: ['a@x.com'] }, 1],
		['attendee_emails', 'attendees_invalid', ['a@x.com', ''], 1],
		['attendee_emails', 'attendees_invalid', '[a@x.com, b@x.com]', 1],
		['attendee_emails', 'attendee_unclear', [{ first: 'a@x.com', second: 'b@x.com' }], 2],
		['user_email', 'owner_invalid', 'Doe, Al <a@x.com>, b@x.com', 2],
		['user_email', 'owner_invalid', ['a@x.com', 'b@x.com'], 2],
		['event_id', 'id_invalid', 12.5, 1],
		['event_id', 'id_invalid', ['e-1'], 1],
		['event_id', 'id_invalid', ['e-1', 'e-2'], 2],
		['customer_id', 'id_invalid', { id: 7 }, 1],
		['title', 'text_invalid', { id: 3, label: 'Visit' }, 1],
		['title', 'text_invalid', ['Visit', 'Roof'], 1],
		['type', 'text_invalid', true, 1],
		['media_url', 'link_invalid', 'media.example.com/call.mp3', 1],
		['custom_fields', 'object_invalid', [{ a: 1 }], 1],
		['status', 'status_missing', '', 1],
		['status', 'status_missing', undefined, 1],
		['status', 'status_missing', 'N/A', 2],
		['status', 'status_unclear', 'not "cancelled"', 2],
		['status', 'status_without_word', true, 2],
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
		status: ['cancelled'],
	};

	test.each(MENDED)(
		'of %s (%s) shows expressions that mend it, each in another way, and no other row: %j',
		async (column, code, value, count) => {
			const isStatus = column === 'status';
			const more = column === 'media_url' ? { recording_type: 'CALL_AUDIO', attendee_emails: '' } : {};
			const send = async (expression: string, ...given: unknown[]) => {
				const columns = mappedByHand({ ...CREATE, ...more, ...(!isStatus && { [column]: expression }) });
				const status = { __rl: true, mode: 'value', value: isStatus ? expression : 'booked' };
				// Another row, so that not every status is empty.
				const rows = [...given, ...(isStatus ? ['booked'] : [])].map(
					(one) => ({ 'A column': one }) as IDataObject,
				);
				return await run({ operation: 'sync', columns, status, options: { timeZone: 'UTC' } }, ...rows);
			};
			const { error } = await send('={{ $json["A column"] }}', value);
			expect(error?.context?.details).toMatchObject({ code });
			const mends = shownIn(error?.description ?? undefined);
			expect(mends).toHaveLength(count);
			const sentOf = (all: INodeExecutionData[]) => all.map(({ json }) => ({ ...json, warnings: [] }));
			const { items: plain } = await send('={{ $json["A column"] }}', ...OTHERS[column]);
			const mended = new Set<string>();
			for (const mend of mends) {
				const { items, error: none } = await send(mend, value, ...OTHERS[column]);
				expect(none).toBeUndefined();
				expect(sentOf(items.slice(1))).toEqual(sentOf(plain));
				mended.add(JSON.stringify(items[0].json));
			}
			expect(mended.size).toBe(count);
			expect(bodies().length).toBeGreaterThan(0);
		},
	);

	test('names the column of an automatic mapping, and no expression for fixed text or an order that is chosen', async () => {
		const start = { ...CREATE, start_time: undefined, 'Start Time': '3/4/2026 2:30 PM' } as IDataObject;
		const { error } = await run(automatic({ options: { timeZone: 'Asia/Tokyo' } }), start);
		expect(error?.description).toContain(
			`Or paste in Edit Fields, before this node: {{ DateTime.fromFormat($json["Start Time"], 'M/d/yyyy h:mm a', { zone: 'Asia/Tokyo' }).toISO() ?? $json["Start Time"] }} or {{`,
		);
		const chosen = await run(automatic({ options: { slashDates: 'dayFirst' } }), {
			...start,
			'Start Time': '3/14/2026',
		});
		const fixed = await run({ operation: 'upsert', columns: mappedByHand({ ...CREATE, price: '1.234' }) });
		for (const one of [chosen, fixed]) expect(shownIn(one.error?.description ?? undefined)).toEqual([]);
		expect(chosen.error?.message).toContain('is 2026-03-14 (month first) or no date (day first)');
	});
});
