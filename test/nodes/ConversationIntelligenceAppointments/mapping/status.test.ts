import { readsCancelled } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/status';
import { outcomeOf, texts } from '../mapping';

/** What a row of this status becomes: deleted, booked, or the code of its refusal. */
const resultOf = (status: unknown, words = 'cancelled') => {
	const { value, code } = outcomeOf(() => readsCancelled(status, 'Status', words));
	return code || (value ? 'deleted' : 'booked');
};

// Once, all but the exact text booked the visit.
test.each<[result: string, statuses: unknown[], words?: string]>([
	// A cancelled word in any case, spelling and spacing.
	['deleted', texts('CANCELED | -Cancelled_ | can\u200bcelled | \u00a0Canceled'), 'no, Cancelled'],
	['deleted', texts('No Longer-needed | ABGESAGT | annule\u0301'), 'No longer needed;abgesagt\nAnnulé'],
	// Contains a part that may mean cancelled, whatever is around it.
	[
		'status_unclear',
		texts(`Cancelled by customer | user canceled | Canceled - Late | CANCELLED_BY_CLIENT | not cancelled | cancelled? |
			isCancelled | \uff23ancel\u00adled by customer | No-longer needed | REJECTED | Anulado | inactive | Void |
			not attending | отказано | xdeletedx | removed | stornierte | x取消x | uncancelable | Installd`),
	],
	['status_unclear', ['No longer needed (duplicate)'], 'no longer needed'],
	['status_unclear', ['noLongerNeeded2'], 'longer needed2'],
	['status_unclear', ['Too late'], 'gone, late'],
	['status_unclear', ['annule'], 'annul\u00e9'],
	['status_unclear', ['\u5ba2\u6237\u5931\u7ea6'], '\u5931\u7ea6'],
	['status_unclear', ['\u274c visit'], '\u274c'],
	['deleted', ['Cancelled, by customer'], 'cancelled by customer'],
	['deleted', ['N o-show', 'noshow'], 'no_show'],
	['deleted', ['Can celled']],
	['booked', texts('Granular | later | COMPLETED | re_scheduled - visite | Besuch: 予約'), 'late, ok'],
	// Says nothing.
	[
		'status_missing',
		texts(`undefined null | [object Object],[object Object] | Invalid date | <no value> | n.a. | (blank) | \${status} |
			%status% | #VALUE! | Not set | k. A. | N/A | #REF! | undefined | [object Object] | {{ $json.status }}`),
	],
	['status_missing', [Infinity, undefined, null, ' \u200b']],
	// Means something only beside another of its kind.
	['status_without_word', [true, false, 0, 2, 1.5, ...texts('TRUE | no | 1 | x | oui | ? | sí | нет')]],
	['status_without_word', [0, 'yes'], 'true'],
	['status_without_word', ['2.0'], '3'],
	['deleted', [true], 'cancelled, True'],
	['deleted', [2], '2'],
	['booked', [false, 'FALSE'], 'true'],
	['booked', [true], 'false'],
	['booked', ['no'], 'cancelled, true, yes'],
	['booked', ['3'], '2'],
	['booked', ['B'], 'c'],
	['text_invalid', [['cancelled'], { name: 'cancelled' }, NaN]],
	['field_missing', ['cancelled'], ' , '],
	['field_missing', ['cancelled'], ''],
])('a row is %s by the status %j', (result, statuses, ...[words]) => {
	for (const status of statuses) expect([status, resultOf(status, words)]).toEqual([status, result]);
});
