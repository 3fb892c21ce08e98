import { readsCancelled } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/status';
import { outcomeOf, texts } from '../mapping';

/** What a row of this status becomes: deleted, booked, or the code of its error. */
const resultOf = (status: unknown, cancelled = 'cancelled', booked = 'booked, confirmed') => {
	const { value, code } = outcomeOf(() => readsCancelled(status, 'Status', { cancelled, booked }));
	return code || (value ? 'deleted' : 'booked');
};

// Once, 100 word stems guessed what a status means: 39 of 46 words for "cancelled" were booked.
test.each<[result: string, statuses: unknown[], cancelled?: string, booked?: string]>([
	[
		'deleted',
		texts('CANCELED | -Cancelled_ | can\u200bcelled | \u00a0Canceled | Can celled | CANCEL\u00adLED'),
	],
	['deleted', texts('No Longer-needed | ABGESAGT | annule\u0301'), 'No longer needed;abgesagt\nAnnulé'],
	['deleted', texts('取消 | İptal | iptal | STRASSE'), '作废，取消, IPTAL, straße'],
	[
		'deleted',
		texts('no show | N o-show | Cancelled, by customer | \u2714\ufe0f'),
		'no_show, canceled by customer, ✔',
	],
	['deleted', [true, 0, ' TRUE ', '0', '*'], 'true, 0, *'],
	['booked', texts('Booked | CONFIRMED | con\u2011firmed'), 'cancelled', 'confirmed, booked'],
	['booked', [false, 1, 'Sold', 'N/A', 'not cancelled', '?'], 'cancelled, true', ' * '],
	['deleted', ['cancelled'], 'cancelled', 'booked, *'],
	// No status is similar to another.
	[
		'status_unknown',
		texts('Cancelled by customer | not cancelled | cancelled? | Completed | N/A | unbooked | * | book'),
	],
	['status_unknown', [true, false, 0, 1.5, Infinity, ...texts('x | ? | Scrapped | annule | none')], 'annulé'],
	['status_in_both', texts('cancelled | CANCELED'), 'cancelled', 'Canceled, *'],
	[
		'status_missing',
		texts(`undefined null | [object Object],[object Object] | Invalid date | <no value> | \${status} | NULL | unde\u200bfined |
			#VALUE! | #REF! | undefined | [object Object] | {{ $json.status }} | $json.status | - | _`),
		'cancelled',
		'*',
	],
	['status_missing', [NaN, undefined, null, '', ' \u200b'], 'cancelled', '*'],
	['text_invalid', [['cancelled'], { name: 'cancelled' }]],
	['value_too_long', ['x'.repeat(1001)], 'cancelled', '*'],
	['field_missing', ['cancelled'], ' , '],
	['field_missing', ['booked'], 'cancelled', ' - '],
])('a row is %s by the status %j', (result, statuses, ...lists) => {
	for (const status of statuses) expect([status, resultOf(status, ...lists)]).toEqual([status, result]);
});
