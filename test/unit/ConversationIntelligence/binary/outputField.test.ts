import { outputFieldOf } from '../../../../nodes/ConversationIntelligence/binary/outputField';

test.each([
	['report', 'report'],
	[' report ', 'report'],
	['', 'data'],
	[' ', 'data'],
])('a file with the output field %p is in the field %p', (given, field) => {
	expect(outputFieldOf(given)).toBe(field);
});

test('an output field that is not text is refused by its label', () => {
	expect(() => outputFieldOf(5)).toThrow(
		expect.objectContaining({
			message: 'Put Output File in Field is 5',
			description: 'Use text, or leave it empty.',
		}),
	);
});
