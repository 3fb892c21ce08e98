import { outputField, outputFieldOf } from '../../../../nodes/ConversationIntelligence/downloads/outputField';

test.each([
	['report', 'report'],
	[' report ', 'report'],
	['', 'data'],
	[' ', 'data'],
])('a file with the output field %p is in the field %p', (given, field) => {
	expect(outputFieldOf(given)).toBe(field);
});

test('an output field that is not text is refused by its label', () => {
	expect(() => outputFieldOf(5)).toThrow('Put Output File in Field must be text (it is 5)');
});

test("the panel asks for the output field in the words of n8n's own nodes", () => {
	expect(outputField).toEqual({
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		hint: 'The name of the output binary field to put the file in',
	});
});
