import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { readUsers } from '../../../../nodes/ConversationIntelligence/listing/usersFilter';

describe('The users filter', () => {
	test('joins lists and comma-separated text of both fields, each email once', () => {
		const options = { users: ['a@x', ' b@x '], userEmails: 'b@x, c@x,,' };
		expect(readUsers(options)).toEqual({ users: ['a@x', 'b@x', 'c@x'] });
		expect(readUsers({ users: 'a@x,b@x', userEmails: ['c@x'] })).toEqual({ users: ['a@x', 'b@x', 'c@x'] });
	});

	test('means all users when neither field is there, or both are empty', () => {
		expect(readUsers({})).toEqual({});
		expect(readUsers({ users: [], userEmails: ' , ' })).toEqual({});
	});

	test('refuses every value of the wrong type, never reads it as all users', () => {
		const wrong = fc
			.oneof(fc.jsonValue(), fc.constant(undefined))
			.filter((value) => typeof value !== 'string' && !Array.isArray(value));
		const field = fc.constantFrom('users', 'userEmails');
		fc.assert(
			fc.property(field, wrong, fc.boolean(), (name, value, inList) => {
				const options = { [name]: inList ? ['a@x', value] : value } as IDataObject;
				expect(() => readUsers(options)).toThrow(/^User (Names or IDs|Emails) is /);
			}),
		);
	});

	test('refuses a user that is no email, by name', () => {
		expect(() => readUsers({ users: ['Ana Diaz'] })).toThrow('The user "Ana Diaz" is not an email address');
	});
});
