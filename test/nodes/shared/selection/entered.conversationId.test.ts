import { conversationReference, readConversationId } from '../../../../nodes/shared/selection/entered';
import { Item } from '../../../../nodes/shared/node/item';
import { scriptedService } from '../http/scriptedService';

const ID = '3f2b8c1e-5d7a-4c66-9b1f-0a2d4e6f8a10';
const OTHER = '00000000-0000-4000-8000-000000000000';
const read = (conversationId: unknown) => {
	const parameters = { conversationId } as never;
	return readConversationId(new Item(scriptedService({ responses: [], parameters }).context, 0));
};

test.each(['id', 'list', 'url', undefined])('an ID and a link are taken in the mode %s', (mode) => {
	for (const value of [ID, ` ${ID}\n`, `https://app.example.com/conversations/${ID}?tab=1`]) {
		if (mode === 'url' && !value.startsWith('http')) continue;
		expect(read(mode === undefined ? value : { mode, value })).toBe(ID);
	}
});

test('a link counts with http too, in its own mode without a scheme, and with other IDs around', () => {
	expect(read(`http://localhost/conversations/${ID}`)).toBe(ID);
	expect(read({ mode: 'url', value: `app.example.com/conversations/${ID}` })).toBe(ID);
	expect(read(`https://app.example.com/orgs/${OTHER}/conversations/${ID}?user=${OTHER}`)).toBe(ID);
});

test('a refused value is quoted without the blanks around it', () => {
	expect(() => read(' crm-1\n')).toThrow('(it is "crm-1")');
	expect(() => read(ID.padEnd(1001))).toThrow('Conversation is too long: 1,001');
});

test.each([
	'',
	'crm-1',
	`x${ID}`,
	`${ID}0`,
	`https://app.example.com/${ID}/${OTHER}`,
	`https://app.example.com/0${ID}`,
	`See https://app.example.com/${ID}`,
	7,
	null,
])('%p is refused, because it is neither', (value) => {
	expect(() => read(value)).toThrow(/^Conversation must be a UUID or a link with one/);
});

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
