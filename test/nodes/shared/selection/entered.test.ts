import * as fc from 'fast-check';
import {
	conversationReference,
	readConversationId,
	readTexts,
	readWords,
	readUsers as readUsersOf,
} from '../../../../nodes/shared/selection/entered';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../http/scriptedService';

const read = (value: unknown) => readTexts(value, 'Outcome') ?? [];
const readUsers = (users: unknown) => readUsersOf(users, 'User Names or IDs');

test.each<[unknown, ...texts: string[]]>([
	['not sold, No Show ', 'not sold', 'No Show'],
	[' "Say ""hi"", Ben" \n Lost,,', 'Say "hi", Ben', 'Lost'],
	['5" pipe, Tom "T" Diaz, "A", or "B"', '5" pipe', 'Tom "T" Diaz', 'A', 'or "B"'],
	['[Test] sold, [2]', '[Test] sold', '[2]'],
	['“Sold, financed”, „Rep, Senior“', 'Sold, financed', 'Rep, Senior'],
	['Sold; financed', 'Sold; financed'],
	...['', ' ', ',', '""', '"", " "', '[]', '[""]', '[" "]'].map((empty): [string] => [empty]),
	...[[], [''], [' ', ''], [',']].map((empty): [string[]] => [empty]),
])('%j is a list of texts', (value, ...texts) => {
	expect(read(value)).toEqual(texts);
});

test('a list is read as it was written: as a list, as JSON, and in quotes', () => {
	const names = fc.array(
		fc
			.string({ unit: fc.constantFrom('a', 'b', ',', '"', ';', '[', ']', ' ') })
			.filter((name) => /[^\s,;]/.test(name)),
	);
	fc.assert(
		fc.property(names, (list) => {
			const texts = list.map((name) => name.trim());
			expect(read(list)).toEqual(texts);
			expect(read(JSON.stringify(list))).toEqual(texts);
			expect(read(texts.map((name) => `"${name.replaceAll('"', '""')}"`).join(', '))).toEqual(texts);
		}),
	);
});

describe('The users filter', () => {
	test.each([
		...['a@x; b@x', 'a@x\nb@x', ' ["a@x", "b@x"]', 'Ana <a@x>, Ben <b@x>', '"Diaz, Ana" < a@x >; <b@x>'],
		...['a@x, b@x,,a@x', ['a@x, b@x'], ['a@x', ' b@x ', 'a@x'], ['Ana <a@x>', 'b@x']],
	])('reads %j as two users, each once', (users) => {
		expect(readUsers(users)).toEqual(['a@x', 'b@x']);
	});

	test.each<[string | string[], string]>([
		...['a@x b@x', 'Ana <a@x> b@x', '[a@x]', 'a@x <b@x>', 'a@b@x'].map((user): [string, string] => [
			user,
			user,
		]),
		['a@x, Ben', 'Ben'],
		[['Ana Diaz'], 'Ana Diaz'],
	])('refuses %j, quoting what is not one email address', (users, quoted) => {
		expect(() => readUsers(users)).toThrow(
			expect.objectContaining({
				details: { code: 'user_not_email', retryable: false, field: 'User Names or IDs' },
				message: `The user "${quoted.replace('<', '‹')}" is not an email address`,
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
		const isWrong = (value: unknown) => typeof value !== 'string' && !Array.isArray(value);
		const wrong = fc.option(fc.jsonValue(), { nil: undefined }).filter(isWrong);
		fc.assert(
			fc.property(wrong, fc.boolean(), (value, inList) => {
				const refused =
					/^(User Names or IDs must be a list|The expression for User Names or IDs returned nothing)/;
				expect(() => readUsers(inList ? ['a@x', value] : value)).toThrow(refused);
			}),
		);
	});
});

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const OTHER = '00000000-0000-4000-8000-000000000000';
const readId = (conversationId: unknown) => {
	const parameters = { conversationId } as never;
	return readConversationId(new Item(scriptedService({ responses: [], parameters }).context, 0));
};

test.each([
	ID,
	{ mode: 'id', value: ` ${ID}\n` },
	{ mode: 'list', value: ID },
	// A link in place of an ID, without a scheme, with other IDs, and with one ID.
	{ mode: 'id', value: `https://app.example.com/conversations/${ID}?tab=1` },
	{ mode: 'url', value: `app.example.com/conversations/${ID}` },
	`https://app.example.com/orgs/${OTHER}/conversations/${ID}?user=${OTHER}`,
	`http://app.example.com/call/${ID}`,
])('%j names a conversation', (conversation) => {
	expect(readId(conversation)).toBe(ID);
});

test.each([
	...['', 'crm-1', `x${ID}`, `${ID}0`, `See https://app.example.com/${ID}`, 7, null],
	...[`https://app.example.com/${ID}/${OTHER}`, `https://app.example.com/0${ID}`],
])('%p is refused, because it is neither an ID nor a link', (value) => {
	expect(() => readId(value)).toThrow(/^Conversation must be a UUID or a link with one/);
});

test('a refused value is quoted without the blanks around it', () => {
	expect(() => readId(' crm-1\n')).toThrow('(it is "crm-1")');
	expect(() => readId(ID.padEnd(1001))).toThrow('Conversation is too long: 1,001');
});

test.each(['', '  ', '\u3164', '\u200b\u115f'])(
	'reads %j as no words, so that it does not filter',
	(text) => {
		expect(readWords(text, 'Words Said')).toBeUndefined();
	},
);

// What n8n itself runs on a link: no literals, so ESLint does not check them.
const [{ extractValue, validation }] = conversationReference.modes;
const LINK_PATTERNS = [extractValue!.regex, validation![0].properties.regex];

test.each(['0', 'a', '-', '3f2b8c1e-', `${ID} `, 'conversations/', 'https://x/'])(
	'%j a megabyte long holds n8n for less than 200 ms',
	(unit) => {
		// A bad pattern fails at a length that ends.
		for (const length of [1e3, 1e4, 1e5, 1e6]) {
			const link = `https://x/${unit.repeat(length / unit.length)}\0`;
			const began = process.cpuUsage();
			for (const pattern of LINK_PATTERNS) new RegExp(pattern).test(link);
			expect(process.cpuUsage(began).user).toBeLessThan(200_000);
		}
	},
);
