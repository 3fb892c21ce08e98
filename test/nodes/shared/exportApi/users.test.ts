import * as fc from 'fast-check';
import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { getUsers, readUsers as readUsersOf } from '../../../../nodes/shared/exportApi/users';
import { scriptedService } from '../http/scriptedService';

/** Reads a filter that a person entered. */
const readUsers = (filters: IDataObject) => readUsersOf(filters, { parameters: {}, type: '' });

describe('The users filter', () => {
	test.each<[INodeParameters]>([[{ filters: { users: '={{ [] }}' } }]])(
		'never means all users when the expression in %j returns nobody',
		(parameters) => {
			for (const users of [[], '', ' , ', '[]']) {
				expect(() => readUsersOf({ users }, { parameters, type: '' })).toThrow(
					expect.objectContaining({
						details: { code: 'users_filter_empty', retryable: false, field: 'User Names or IDs' },
					}),
				);
			}
			expect(readUsersOf({ users: ['a@x'] }, { parameters, type: '' })).toEqual(['a@x']);
			expect(readUsersOf({}, { parameters, type: '' })).toBeUndefined();
			// A model leaves it empty for all users.
			expect(
				readUsersOf({ users: '' }, { parameters, type: 'conversationIntelligenceTool' }),
			).toBeUndefined();
		},
	);

	test('takes a list or comma-separated text, each email once', () => {
		expect(readUsers({ users: ['a@x', ' b@x ', 'a@x'] })).toEqual(['a@x', 'b@x']);
		expect(readUsers({ users: 'a@x, b@x,,a@x' })).toEqual(['a@x', 'b@x']);
	});

	test.each([
		'a@x; b@x',
		'a@x\nb@x',
		' ["a@x", "b@x"]',
		'Ana <a@x>, Ben <b@x>',
		'"Diaz, Ana" < a@x >; <b@x>',
		['a@x, b@x'],
		['Ana <a@x>', 'b@x'],
	])('reads %j as two users', (users) => {
		expect(readUsers({ users })).toEqual(['a@x', 'b@x']);
	});

	test.each([
		['a@x b@x', 'a@x b@x'],
		['a@x and b@x', 'a@x and b@x'],
		['a@x, Ben', 'Ben'],
		[['Ana Diaz'], 'Ana Diaz'],
		['[a@x]', '[a@x]'],
		['a@x <b@x>', 'a@x <b@x>'],
		['a@b@x', 'a@b@x'],
	])('refuses %j, quoting what is not one email address', (users, quoted) => {
		expect(() => readUsers({ users })).toThrow(
			expect.objectContaining({
				message: `The user "${quoted}" is not an email address`,
				description:
					'Use exact, case-sensitive emails with commas between them: the service filters by nothing else.',
			}),
		);
	});

	test.each([{}, { users: [] }, { users: '[]' }, { users: ' , ' }, { users: ',' }])(
		'means all users when it is %p',
		(filters) => {
			expect(readUsers(filters)).toBeUndefined();
		},
	);

	test('refuses every value of the wrong type instead of reading it as all users', () => {
		const wrong = fc
			.oneof(fc.jsonValue(), fc.constant(undefined))
			.filter((value) => typeof value !== 'string' && !Array.isArray(value));
		fc.assert(
			fc.property(wrong, fc.boolean(), (value, inList) => {
				const filters = { users: inList ? ['a@x', value] : value } as IDataObject;
				expect(() => readUsers(filters)).toThrow(
					/^(User Names or IDs must be a list of emails|The expression for User Names or IDs returned nothing)/,
				);
			}),
		);
	});

	test('says what to use in place of a value that is no list', () => {
		expect(() => readUsers({ users: 7 })).toThrow(
			expect.objectContaining({
				message: 'User Names or IDs must be a list of emails (it is 7)',
				description: 'Use a list of emails or comma-separated text, or remove the filter for all users.',
			}),
		);
	});
});

describe('The list of users', () => {
	const load = async (body: object) => {
		const { context, sent } = scriptedService({
			responses: [{ statusCode: 200, body: JSON.stringify(body) }],
		});
		const options = await getUsers.call(context as unknown as ILoadOptionsFunctions);
		return { options, request: sent[0] };
	};

	test('is requested for a second, because its metrics do not matter', async () => {
		jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T12:00:00Z'));
		const { request } = await load({ users: [] });
		expect(request.type).toBe('conversationExportApi');
		expect(request.options).toMatchObject({
			method: 'POST',
			url: 'https://api.example.com/v1/export/users',
			body: { fromDate: '2026-03-01T11:59:59.000Z', toDate: '2026-03-01T12:00:00.000Z' },
		});
	});

	test('gives up after ten seconds, because a person waits for it', async () => {
		const { request } = await load({ users: [] });
		expect(request.options.timeout).toBeGreaterThan(9000);
		expect(request.options.timeout).toBeLessThanOrEqual(10_000);
	});

	test('shows names with emails, sorted, and who was removed', async () => {
		const users = [
			{ name: 'Cem', email: 'c@x' },
			{ name: 'Ana', email: 'a@x', isRemoved: true },
			{ name: '', email: 'd@x', isRemoved: true },
			{ name: 7, email: 'b@x', isRemoved: 'no' },
			{ name: 'Without an email' },
			{ name: 'Wrong', email: 5 },
		];
		expect((await load({ users })).options).toStrictEqual([
			{ name: 'Ana (a@x), removed', value: 'a@x' },
			{ name: 'b@x', value: 'b@x' },
			{ name: 'Cem (c@x)', value: 'c@x' },
			{ name: 'd@x, removed', value: 'd@x' },
		]);
	});

	test('is empty without users, and shows an error for a response without a list of them', async () => {
		expect((await load({ users: [] })).options).toStrictEqual([]);
		await expect(load({ users: 'none' })).rejects.toMatchObject({ details: { code: 'response_unreadable' } });
	});
});
