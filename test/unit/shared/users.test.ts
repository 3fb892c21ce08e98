import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readUsers } from '../../../nodes/shared/users';

describe('The users filter', () => {
	test('takes a list or comma-separated text, each email once', () => {
		expect(readUsers({ users: ['a@x', ' b@x ', 'a@x'] })).toEqual(['a@x', 'b@x']);
		expect(readUsers({ users: 'a@x, b@x,,a@x' })).toEqual(['a@x', 'b@x']);
	});

	test.each([{}, { users: [] }, { users: ' , ' }])('means all users when it is %p', (filters) => {
		expect(readUsers(filters)).toBeUndefined();
	});

	test('refuses every value of the wrong type instead of reading it as all users', () => {
		const wrong = fc
			.oneof(fc.jsonValue(), fc.constant(undefined))
			.filter((value) => typeof value !== 'string' && !Array.isArray(value));
		fc.assert(
			fc.property(wrong, fc.boolean(), (value, inList) => {
				const filters = { users: inList ? ['a@x', value] : value } as IDataObject;
				expect(() => readUsers(filters)).toThrow(/^User Names or IDs is /);
			}),
		);
	});

	test('refuses a user that is not an email address, quoting it', () => {
		expect(() => readUsers({ users: ['Ana Diaz'] })).toThrow('The user "Ana Diaz" is not an email address');
	});
});
