import fc from 'fast-check';
import { readsCancelled } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/status';
import type { CodedError } from '../../../../nodes/shared/base/codedError';

/** What a row of this status becomes: deleted, booked, or the code of its refusal. */
const resultOf = (status: unknown, words = 'cancelled') => {
	try {
		return readsCancelled(status, 'Status', words) ? 'deleted' : 'booked';
	} catch (error) {
		return (error as CodedError).details.code;
	}
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
		const stems = [
			'cancel',
			'declin',
			'delet',
			'remov',
			'storni',
			'annul\u00e9',
			'abgesagt',
			'\u53d6\u6d88',
			'\ucde8\uc18c',
		];
		const words = fc.constantFrom('cancelled', 'gone', 'no longer needed, weg');
		fc.assert(
			fc.property(
				fc.constantFrom(...stems),
				fc.string(),
				fc.string(),
				asEither,
				words,
				(stem, one, two, either, list) => {
					const result = resultOf(`${one}${either(stem)}${two}`, `${list}, never said`);
					expect(result).toMatch(/^(status_(unclear|missing)|deleted)$/);
					expect(resultOf(`${one}${either(stem)}x ${two}`, list)).toMatch(/^status_(unclear|missing)$/);
				},
			),
		);
	});

	test('of other words books', () => {
		const word = fc.constantFrom(
			...'booked Confirmed COMPLETED rescheduled tentative accepted Besuch visite \u4e88\u7d04'.split(' '),
		);
		const status = fc.array(word, { minLength: 1, maxLength: 4 });
		fc.assert(
			fc.property(status, fc.constantFrom(' ', '_', ' - ', ': '), (words, between) => {
				expect(resultOf(words.join(between), 'cancelled, ok, late')).toBe('booked');
			}),
		);
	});

	test.each<[unknown, string, string?]>([
		// Contains a cancelled word.
		['Cancelled by customer', 'status_unclear'],
		['user canceled', 'status_unclear'],
		['Canceled - Late', 'status_unclear'],
		['CANCELLED_BY_CLIENT', 'status_unclear'],
		['not cancelled', 'status_unclear'],
		['cancelled?', 'status_unclear'],
		['isCancelled', 'status_unclear'],
		['\uff23ancel\u00adled by customer', 'status_unclear'],
		['No longer needed (duplicate)', 'status_unclear', 'no longer needed'],
		['No-longer needed', 'status_unclear'],
		['REJECTED', 'status_unclear'],
		['Anulado', 'status_unclear'],
		['Granular', 'booked'],
		['noLongerNeeded2', 'status_unclear', 'longer needed2'],
		['Too late', 'status_unclear', 'late'],
		['annule', 'status_unclear', 'annul\u00e9'],
		['\u5ba2\u6237\u5931\u7ea6', 'status_unclear', '\u5931\u7ea6'],
		['\u274c visit', 'status_unclear', '\u274c'],
		['later', 'booked', 'late'],
		['Cancelled, by customer', 'deleted', 'cancelled by customer'],
		['inactive', 'status_unclear'],
		['Void', 'status_unclear'],
		['not attending', 'status_unclear'],
		['отказано', 'status_unclear'],
		['N o-show', 'deleted', 'no_show'],
		['noshow', 'deleted', 'no show'],
		['Can celled', 'deleted'],
		// Says nothing.
		...[
			...['undefined null', '[object Object],[object Object]', 'Invalid date', '<no value>', 'n.a.'],
			...['(blank)', '${status}', '%status%', Infinity, '#VALUE!', 'Not set', 'k. A.'],
		].map((one): [unknown, string] => [one, 'status_missing']),
		[undefined, 'status_missing'],
		[null, 'status_missing'],
		[' \u200b', 'status_missing'],
		['N/A', 'status_missing'],
		['#REF!', 'status_missing'],
		['undefined', 'status_missing'],
		['[object Object]', 'status_missing'],
		['{{ $json.status }}', 'status_missing'],
		// Means something only beside another of its kind.
		...[true, false, 'TRUE', 'no', 0, '1', 2, 'x', 'oui', '?', 1.5, 'sí', 'нет', 'unchecked'].map(
			(one): [unknown, string] => [one, 'status_without_word'],
		),
		[true, 'deleted', 'cancelled, True'],
		[false, 'booked', 'true'],
		['FALSE', 'booked', 'true'],
		[true, 'booked', 'false'],
		[0, 'status_without_word', 'true'],
		['yes', 'status_without_word', 'true'],
		['no', 'booked', 'yes'],
		[2, 'deleted', '2'],
		['3', 'booked', '2'],
		['B', 'booked', 'c'],
		['2.0', 'status_without_word', '3'],
		[['cancelled'], 'text_invalid'],
		[{ name: 'cancelled' }, 'text_invalid'],
		[NaN, 'text_invalid'],
	])('%j is %s', (status, result, ...[words]) => {
		expect(resultOf(status, words)).toBe(result);
	});
});
