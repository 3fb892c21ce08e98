import { withoutTags, quoted as inMessage } from '../../../../nodes/shared/base/text';
import fc from 'fast-check';
import { readAttendees } from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import { reading } from '../mapping';

const read = (value: unknown) => readAttendees(value, 'Attendee Emails', reading());

const local = fc.stringMatching(/^[a-zA-Z0-9+_-]{1,8}(\.[a-zA-Z0-9'+_-]{1,8}){0,2}[a-z0-9]$/);
const host = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,4})?(\.[a-z]{2,5}){0,2}$/);
const address = fc.tuple(local, host).map(([name, domain]) => `${name}@${domain}`);
const addresses = fc.array(address, { minLength: 1, maxLength: 8 });

/** Names as people write them, some with the characters that separate or enclose addresses. */
const name = fc.oneof(
	fc.constantFrom(
		'Jane',
		"O'Neil",
		'Doe, Jane',
		'Smith; Bob',
		'Ana "Annie" Ruiz',
		'J. R. <jr>',
		'Müller (DE)',
	),
	fc.constantFrom('Sales @ Acme', 'back\\slash', '李雷', 'first.last', 'x@y', ''),
	fc.string({ maxLength: 12 }).filter((text) => !/[\r\n]/.test(text)),
);
const atoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?: [\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A mailbox as RFC 5322 lets a mail program write it: a name is quoted unless it consists of plain words. */
const mailbox = (one: string) =>
	fc.oneof(
		fc.constantFrom(one, `<${one}>`, `${one} <${one}>`, `< ${one} >`),
		fc.constantFrom(`<mailto:${one}>`, `${one}<mailto:${one}>`, `${one} (Jane Doe)`),
		name.map((text) => `${quoted(text)} <${one}>`),
		name.filter((text) => atoms.test(text)).map((text) => `${text} <${one}>`),
		name.map((text) => `${quoted(text)}\r\n <${one}>`),
	);
const separator = fc.constantFrom(',', ', ', ';', '; ', '\n', '\r\n', ',\r\n ', ' ,\t', ';;', ',\n');

/** A list of mailboxes as text, and the addresses in it. */
const mailText = addresses.chain((list) =>
	fc.tuple(
		fc.constant(list),
		fc
			.tuple(
				fc.tuple(...list.map(mailbox)),
				fc.array(separator, { minLength: list.length, maxLength: list.length }),
			)
			.map(([boxes, separators]) => boxes.map((box, index) => `${box}${separators[index]}`).join('')),
	),
);

describe('Attendees', () => {
	// D2-APPT-02..03, D2-ATT-02..03
	test('are exactly the addresses in any text that a mail program writes', () => {
		fc.assert(
			fc.property(mailText, ([list, text]) => {
				expect(read(text)).toEqual(list);
				expect(read([text])).toEqual(list);
				expect(read(JSON.stringify([text]))).toEqual(list);
			}),
		);
	});

	// D2-APPT-03
	test('are the same from an array, JSON, and addresses between spaces, commas or line breaks', () => {
		fc.assert(
			fc.property(addresses, fc.constantFrom(' ', '\t', '\n', ', ', ';', ' \n '), (list, border) => {
				expect(read(list)).toEqual(list);
				expect(read(list.map((one) => ` ${one}\n`))).toEqual(list);
				expect(read(JSON.stringify(list, null, 2))).toEqual(list);
				expect(read(list.join(border))).toEqual(list);
				expect(read(`${border}${list.join(border)}${border}`)).toEqual(list);
			}),
		);
	});

	test('never lose a word: each is part of an address or is refused with the text around it', () => {
		const piece = fc.constantFrom('a@x.com', 'jane.doe', 'Bob', ...'<>"(),; \n@[');
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
				const text = pieces.join('');
				let found: string[] | undefined;
				try {
					found = read(text);
				} catch (error) {
					const refused = /^Attendee (".*") is not an email address$/s.exec((error as Error).message)?.[1];
					const list = 'Attendee Emails must be a list of email addresses';
					if (refused === undefined) expect((error as Error).message).toContain(list);
					else expect(withoutTags(text.replace(/\n(?= )/g, ''))).toContain(JSON.parse(refused));
					return;
				}
				// Names are left out only when an address in angle brackets follows them.
				for (const one of found ?? []) expect(one).toMatch(/^[^\s<>"(),;[\]]+$/);
				if (!/["<(]/.test(text)) expect((found ?? []).join('')).toBe(text.replace(/[\s,;]/g, ''));
			}),
		);
	});

	test.each([
		['jane.doe j.d-oe.x', ['jane.doe', 'j.d-oe.x']],
		["o'brien@example.com", ["o'brien@example.com"]],
		['a@x.com (Doe, Jane), b@x.com', ['a@x.com', 'b@x.com']],
		['Jane <a@x.com> Bob <b@x.com>', ['a@x.com', 'b@x.com']],
		['"Doe, Jane" <a@x.com> "Roe, Bob" <b@x.com>', ['a@x.com', 'b@x.com']],
		['[{ "email": "a@x.com", "self": true }]', ['a@x.com']],
		[
			[{ emailAddress: { address: 'b@x.com' } }, 'c@x.com'],
			['b@x.com', 'c@x.com'],
		],
		['ava.adams <ava.adams@x.com>', ['ava.adams@x.com']],
		['Doe, Jane <a@x.com>', ['a@x.com']],
		['Doe, Jane (Sales) <a@x.com>', ['a@x.com']],
		['Doe, Jane A. <a@x.com>, van Roe, Bob <b@x.com>;Li,Wei<c@x.com>', ['a@x.com', 'b@x.com', 'c@x.com']],
		[
			'd@x.com, Doe, Jane <a@x.com>\nRoe, Bob <b@x.com>, "Li, Wei" <c@x.com>',
			['d@x.com', 'a@x.com', 'b@x.com', 'c@x.com'],
		],
		['Jane\n <a@x.com>', ['a@x.com']],
		[[], []],
		['[]', []],
		['', undefined],
		[' ,;\n', undefined],
	])('from %j are %j', (value, expected) => {
		expect(read(value)).toEqual(expected);
	});

	const WHOLE =
		String.raw`Jane Doe | a@x.com <b@x.com> | jane.doe (at) x.com | 'a@x.com' | <a@x.com, b@x.com> |
		Jane <a@x.com<b@x.com> | <a"b"@x.com> | <amailto:b@x.com> | Jane [a@x.com] | Jane[a@x.com] |
		Team: a@x.com | *a@x.com* | mailto:a@x.com?subject=Hi |
		ava.adams Ben <ben@x.com> | a@x.com (b@x.com) | jane.doe (jane.d@x.com) |
		Jane (b@x.com) <a@x.com> | n.a | a@-x.com | ann@undefined | ann.undefined@x.com | ann@null |
		{{first}}.{{last}}@x.com`.split(/ \|\s+/);
	test.each([
		...[...WHOLE, 'a\u200b@x.com'].map((text) => [text, text]),
		['Bob, Doe, Jane <jane@x.com>', 'Bob'],
		['Bob; Jane <jane@x.com>', 'Bob'],
		['Ann <ann@x.com>, Bob, Jane <jane@x.com>', 'Bob'],
		['undefined, Jane <jane@x.com>', 'undefined'],
		['Doe, ben.roe <jane@x.com>', 'Doe'],
		['Doe, Jane', 'Doe'],
		['a@x.com, "Doe, Jane', '"Doe'],
		['a@x.com, <b@x.com', '<b@x.com'],
		['a@x.com, Ana Bee "bob@x.com, c@x.com', 'Ana Bee "bob@x.com'],
		['a@x.com, "Jane <b@x.com>"', '"Jane <b@x.com>"'],
	])('in %j are refused, quoting %j', (text, part) => {
		for (const value of [text, [text]]) expect(() => read(value)).toThrow(`Attendee ${inMessage(part)} is`);
	});

	test('in a list are quoted even if they begin like JSON', () => {
		expect(() => read(['[a@x.com]'])).toThrow('Attendee "[a@x.com]" is not an email address');
	});

	test('in a text without closing quotes are refused, however long it is', () => {
		expect(() => read('"\\'.repeat(25_000))).toThrow('is not an email address');
		expect(() => read('"\\"'.repeat(10_000))).toThrow('is not an email address');
		const startedAt = performance.now();
		expect(() => read(`Bob${'\n'.repeat(49_000)}`)).toThrow('"Bob" is not an email address');
		expect(performance.now() - startedAt).toBeLessThan(1000);
		expect(() => read('"\\'.repeat(25_001))).toThrow('too long: 50,002 characters, at most 50,000');
		expect(() => read(['a@x.com', 'x'.repeat(1001)])).toThrow('too long: 1,001 characters, at most 1,000');
	});
});
