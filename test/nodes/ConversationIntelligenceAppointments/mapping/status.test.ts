import fc from 'fast-check';
import { readsCancelled } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/status';
import { outcomeOf, texts } from '../mapping';

/** What a row of this status becomes: deleted, booked, or the code of its refusal. */
const resultOf = (status: unknown, words = 'cancelled') => {
	const { value, code } = outcomeOf(() => readsCancelled(status, 'Status', words));
	return code || (value ? 'deleted' : 'booked');
};

const asEither = fc.infiniteStream(fc.boolean()).map((upper) => (text: string) => {
	return [...text].map((one) => (upper.next().value ? one.toUpperCase() : one)).join('');
});
const blank = fc.stringMatching(/^[ \t\n\u00a0\u3000_-]{0,3}$/);

describe('A status', () => {
	// Once, only the exact text deleted: other spellings booked the visit.
	test('that is a cancelled word deletes in any case, spelling and spacing', () => {
		const word = fc.constantFrom('cancelled', 'canceled', 'no longer needed', 'abgesagt', 'annul\u00e9');
		fc.assert(
			fc.property(word, asEither, blank, blank, (text, either, before, after) => {
				const status = `${before}${either(text).replaceAll(' ', '_')}\u200b${after}`;
				expect(resultOf(status, 'Cancelled, No longer needed;ABGESAGT\nAnnule\u0301')).toBe('deleted');
			}),
		);
	});

	// Once, all of these booked the visit.
	test('with a part that may mean cancelled is neither booked nor deleted, whatever is around it', () => {
		const stem = fc.constantFrom(
			...texts('cancel | declin | delet | remov | storni | annulé | abgesagt | 取消'),
		);
		const words = fc.constantFrom('cancelled', 'gone', 'no longer needed, weg');
		fc.assert(
			fc.property(stem, fc.string(), fc.string(), asEither, words, (part, one, two, either, list) => {
				const results = ['', 'x '].map((after) => resultOf(`${one}${either(part)}${after}${two}`, list));
				expect(results[0]).toMatch(/^(status_(unclear|missing)|deleted)$/);
				expect(results[1]).toMatch(/^status_(unclear|missing)$/);
			}),
		);
	});

	test.each<[result: string, statuses: unknown[], words?: string]>([
		// Contains a cancelled word.
		[
			'status_unclear',
			texts(`Cancelled by customer | user canceled | Canceled - Late | CANCELLED_BY_CLIENT | not cancelled | cancelled? |
				isCancelled | \uff23ancel\u00adled by customer | No-longer needed | REJECTED | Anulado | inactive | Void |
				not attending | отказано`),
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
		[
			'booked',
			texts('Granular | later | Confirmed | COMPLETED | re_scheduled - visite | Besuch: 予約'),
			'late, ok',
		],
		// Says nothing.
		[
			'status_missing',
			texts(`undefined null | [object Object],[object Object] | Invalid date | <no value> | n.a. | (blank) | \${status} |
				%status% | #VALUE! | Not set | k. A. | N/A | #REF! | undefined | [object Object] | {{ $json.status }}`),
		],
		['status_missing', [Infinity, undefined, null, ' \u200b']],
		// Means something only beside another of its kind.
		[
			'status_without_word',
			[true, false, 0, 2, 1.5, ...texts('TRUE | no | 1 | x | oui | ? | sí | нет | unchecked')],
		],
		['status_without_word', [0, 'yes'], 'true'],
		['status_without_word', ['2.0'], '3'],
		['deleted', [true], 'cancelled, True'],
		['deleted', [2], '2'],
		['booked', [false, 'FALSE'], 'true'],
		['booked', [true], 'false'],
		['booked', ['no'], 'yes'],
		['booked', ['3'], '2'],
		['booked', ['B'], 'c'],
		['text_invalid', [['cancelled'], { name: 'cancelled' }, NaN]],
		['field_missing', ['cancelled'], ' , '],
		['field_missing', ['cancelled'], ''],
	])('is %s: %j', (result, statuses, ...[words]) => {
		for (const status of statuses) expect([status, resultOf(status, words)]).toEqual([status, result]);
	});
});
