import * as fc from 'fast-check';
import { readUsers as readUsersOf } from '../../../../nodes/shared/selection/entered';

const readUsers = (users: unknown) => readUsersOf(users, 'User Names or IDs');

describe('The users filter', () => {
	test.each([
		'a@x; b@x',
		'a@x\nb@x',
		' ["a@x", "b@x"]',
		'Ana <a@x>, Ben <b@x>',
		'"Diaz, Ana" < a@x >; <b@x>',
		['a@x, b@x'],
		['a@x', ' b@x ', 'a@x'],
		'a@x, b@x,,a@x',
		['Ana <a@x>', 'b@x'],
	])('reads %j as two users, each once', (users) => {
		expect(readUsers(users)).toEqual(['a@x', 'b@x']);
	});

	test.each([
		['a@x b@x', 'a@x b@x'],
		['Ana <a@x> b@x', 'Ana <a@x> b@x'],
		['a@x, Ben', 'Ben'],
		[['Ana Diaz'], 'Ana Diaz'],
		['[a@x]', '[a@x]'],
		['a@x <b@x>', 'a@x <b@x>'],
		['a@b@x', 'a@b@x'],
	])('refuses %j, quoting what is not one email address', (users, quoted) => {
		expect(() => readUsers(users)).toThrow(
			expect.objectContaining({
				details: { code: 'user_not_email', retryable: false, field: 'User Names or IDs' },
				message: `The user "${quoted.replace('<', '‹')}" is not an email address`,
				description:
					'Use exact, case-sensitive emails with commas between them: the service filters by nothing else.',
			}),
		);
	});

	test('can have long texts in a list, but none without end', () => {
		expect(readUsers(['a@x, '.repeat(300)])).toEqual(['a@x']);
		expect(() => readUsers(['a@x, '.repeat(20_000)])).toThrow('too long: 100,000 characters');
		expect(() => readUsers(`["a@x"${' '.repeat(50_000)}]`)).toThrow('too long: 50,007');
		expect(() => readUsers([5])).toThrow('(it is [5])');
	});

	test('refuses every value of the wrong type instead of reading it as all users', () => {
		const wrong = fc
			.oneof(fc.jsonValue(), fc.constant(undefined))
			.filter((value) => typeof value !== 'string' && !Array.isArray(value));
		fc.assert(
			fc.property(wrong, fc.boolean(), (value, inList) => {
				expect(() => readUsers(inList ? ['a@x', value] : value)).toThrow(
					/^(User Names or IDs must be a list of emails|The expression for User Names or IDs returned nothing)/,
				);
			}),
		);
	});
});
