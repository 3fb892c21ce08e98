import fc from 'fast-check';
import { codedError, CodedError, filledText, type ErrorTable } from '../../../../nodes/shared/base/errors';

const TABLE = {
	too_long: { message: '{field} is too long: {length}', advice: 'Shorten {field}.' },
	busy: { message: 'Busy', retryable: true },
} as const satisfies ErrorTable;

test('an error has the texts of its row with values, and its cause as data', () => {
	const values = { field: 'Title', length: 7 };
	const more = { field: 'Title', status: 400, facts: 'Tried once.' };
	const error = codedError(TABLE, 'too_long', values, more);
	expect(error).toBeInstanceOf(CodedError);
	expect(error).toMatchObject({
		message: 'Title is too long: 7',
		description: 'Tried once. Shorten Title.',
		details: { code: 'too_long', retryable: false, field: 'Title', status: 400 },
	});
	expect(error.details).not.toHaveProperty('facts');
});

test('an error without advice has no description, and may be retryable', () => {
	const { description, details, failure } = codedError(TABLE, 'busy', {});
	expect({ description, details, failure }).toEqual({ details: { code: 'busy', retryable: true } });
});

test('values are filled in as they are, with braces and dollars', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.constantFrom('{field}', '$&', '{length}')), (field) => {
			const { message } = filledText(TABLE, 'too_long', { field, length: 3 });
			expect(message).toBe(`${field} is too long: 3`);
		}),
	);
});
