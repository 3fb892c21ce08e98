import fc from 'fast-check';
import {
	readAttendees,
	readOwner,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import { quoted as inMessage, withoutTags } from '../../../../nodes/shared/base/text';
import { outcomeOf, reading, texts } from '../mapping';

const read = (value: unknown, own = reading()) => readAttendees(value, 'Attendee Emails', own);

const local = fc.stringMatching(/^[a-zA-Z0-9+_-]{1,8}(\.[a-zA-Z0-9'+_-]{1,8}){0,2}[a-z0-9]$/);
const host = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,4})?(\.[a-z]{2,5}){0,2}$/);
const address = fc.tuple(local, host).map(([name, domain]) => `${name}@${domain}`);

/** Names as people write them, some with the characters that separate or enclose addresses. */
const name = fc.oneof(
	fc.constantFrom(...texts("Jane | O'Neil | Doe, Jane | Smith; Bob | J. R. <jr> | Müller (DE) | 李雷")),
	fc.constantFrom('Ana "Annie" Ruiz', 'Sales @ Acme', 'back\\slash', 'first.last', 'x@y', ''),
	fc.string({ maxLength: 12 }).filter((text) => !/[\r\n]/.test(text)),
);
const atoms = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?: [\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A mailbox as RFC 5322 lets a mail program write it, and a separator: a name is quoted unless it consists of plain words. */
const mailbox = (one: string) =>
	fc.tuple(
		fc.oneof(
			fc.constantFrom(one, `<${one}>`, `${one} <${one}>`, `< ${one} >`),
			fc.constantFrom(`<mailto:${one}>`, `${one}<mailto:${one}>`, `${one} (Jane Doe)`),
			name.map((text) => `${quoted(text)} <${one}>`),
			name.filter((text) => atoms.test(text)).map((text) => `${text} <${one}>`),
			name.map((text) => `${quoted(text)}\r\n <${one}>`),
		),
		fc.constantFrom(',', ', ', ';', '; ', '\n', '\r\n', ',\r\n ', ' ,\t', ';;', ',\n'),
	);

/** What an entry of each source is read as: an address, or the name and reason in the warning that it is not sent. */
const ENTRIES: Array<[unknown, string]> = [
	// Google Calendar
	[{ email: 'ana@x.com', responseStatus: 'needsAction', self: true, id: 'u@x.com' }, 'ana@x.com'],
	[{ email: 'ben@x.com', responseStatus: 'declined' }, '"ben@x.com" (declined)'],
	[{ email: 'r1@x.com', resource: true, responseStatus: 'declined' }, '"r1@x.com" (a room)'],
	[{ displayName: 'Cara', responseStatus: 'accepted' }, '"Cara" (no address)'],
	// Outlook, Exchange
	[
		{ emailAddress: { name: 'old@x.com', address: 'new@x.com' }, status: { response: 'none', time: '0001' } },
		'new@x.com',
	],
	[{ Status: { Response: 'Declined' }, EmailAddress: { Address: 'e2@x.com' } }, '"e2@x.com" (declined)'],
	[{ type: 'resource', emailAddress: { name: 'R2', address: 'r2@x.com' } }, '"r2@x.com" (a room)'],
	[{ type: 'optional', emailAddress: { name: 'Finn', address: '' } }, '"Finn" (no address)'],
	[{ Mailbox: { Name: 'G', EmailAddress: 'ews@x.com' }, ResponseType: 'Decline' }, '"ews@x.com" (declined)'],
	[{ email: 'r4@x.com', isResource: true }, '"r4@x.com" (a room)'],
	[{ email: 'r6@x.com', cutype: 'ROOM' }, '"r6@x.com" (a room)'],
	[{ emailAddress: { address: 'r5@x.com' }, type: 'Equipment' }, '"r5@x.com" (a room)'],
	// iCalendar parsers
	[{ params: { CN: 'old@x.com', 'SENT-BY': 'mailto:pa@x.com' }, val: 'MAILTO:gus@x.com' }, 'gus@x.com'],
	[{ params: { PARTSTAT: 'DECLINED', RSVP: 'FALSE' }, val: 'mailto:hal@x.com' }, '"hal@x.com" (declined)'],
	[{ params: { CUTYPE: 'ROOM', CN: 'R3' }, val: 'mailto:r3@x.com' }, '"r3@x.com" (a room)'],
	[{ params: { CN: 'Ida' }, val: 'invalid:nomail' }, '"Ida" (no address)'],
	[{ name: 'Jan', mailto: 'mailto:jan@x.com', partstat: 'ACCEPTED', rsvp: true }, 'jan@x.com'],
	// CRMs and schedulers
	[{ email: 'kim@x.com', status: 'no' }, '"kim@x.com" (declined)'],
	[{ email: 'leo@x.com', status: 'noreply' }, 'leo@x.com'],
	[{ email: 'mia@x.com', status: 'canceled', uri: 'https://x.com/a@x.com' }, '"mia@x.com" (declined)'],
	[{ Relation: { Name: 'Oli', Email: 'oli@x.com' }, Status: 'New' }, 'oli@x.com'],
	[{ Email: 'zed@x.com', Owner: { Email: 'owner@x.com' }, CreatedBy: { Email: 'c@x.com' } }, 'zed@x.com'],
	[{ participant: 'quin@x.com', type: 'email', status: 'not_known' }, 'quin@x.com'],
	[{ email: 'ugo@x.com', isCancelled: true }, '"ugo@x.com" (declined)'],
	[{ email: 'uta@x.com', canceled: false, deleted: false, response: null, status: '' }, 'uta@x.com'],
	[{ emailAddress: 'una@x.com', active: true, isConfirmed: true, noShow: false, absent: false }, 'una@x.com'],
	[{ properties: { email: 'wes@x.com', hs_additional_emails: 'w2@x.com' } }, 'wes@x.com'],
	[{ name: 'Ray', email: [{ value: 'ray@x.com', primary: true, label: 'work' }] }, 'ray@x.com'],
	[{ id: 'U1', deleted: true, profile: { email: 'sue@x.com' } }, '"sue@x.com" (declined)'],
	// Forms, text
	[{ email_address: 'vic@x.com', name: 'v@y.com' }, 'vic@x.com'],
	[{ address: 'wil@x.com', name: 'w@y.com' }, 'wil@x.com'],
	[{ email: 'ava.adams' }, 'ava.adams'],
	[{ email: 'Xi@x.com', emailAddress: 'xi@x.com', company: { status: 'closed' } }, 'Xi@x.com'],
	['zoe@x.com', 'zoe@x.com'],
];
const isSent = (one: string) => !one.startsWith('"');

describe('Attendees', () => {
	// D2-APPT-02..03, D2-ATT-02..03
	test('are exactly the addresses in any text that a mail program writes, in lists, JSON and between blanks', () => {
		const border = fc.constantFrom(' ', '\t', '\n', ', ', ';', ' \n ');
		const mail = fc
			.array(address, { minLength: 1, maxLength: 8 })
			.chain((list) => fc.tuple(fc.constant(list), fc.tuple(...list.map(mailbox)), border));
		fc.assert(
			fc.property(mail, ([list, boxes, between]) => {
				const text = boxes.flat().join('');
				const plain = `${between}${list.join(between)}${between}`;
				const spaced = list.map((one) => ` ${one}\n`);
				const json = JSON.stringify(list, null, 2);
				for (const form of [text, [text], JSON.stringify([text]), plain, spaced, json])
					expect(read(form)).toEqual(list);
			}),
		);
	});

	test('never lose a word: each is part of an address or is refused with the text around it', () => {
		const piece = fc.constantFrom('a@x.com', 'jane.doe', 'Bob', ...'<>"(),; \n@[');
		fc.assert(
			fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
				const text = pieces.join('');
				const { value = [], message } = outcomeOf(() => read(text));
				const refused = /^Attendee (".*") is not an email address$/s.exec(message)?.[1];
				if (refused) expect(withoutTags(text.replace(/\n(?= )/g, ''))).toContain(JSON.parse(refused));
				else if (message) expect(message).toContain(' is not a list of email addresses');
				// Names are left out only when an address in angle brackets follows them.
				for (const one of value) expect(one).toMatch(/^[^\s<>"(),;[\]]+$/);
				if (!message && !/["<(]/.test(text)) expect(value.join('')).toBe(text.replace(/[\s,;]/g, ''));
			}),
		);
	});

	test.each<[unknown, string]>([
		['jane.doe j.d-oe.x', 'jane.doe j.d-oe.x'],
		["o'brien@example.com", "o'brien@example.com"],
		['a@x.com (Doe, Jane), b@x.com', 'a@x.com b@x.com'],
		['"Doe, Jane" <a@x.com>; "Roe, Bob" <b@x.com>', 'a@x.com b@x.com'],
		['ava.adams <ava.adams@x.com>', 'ava.adams@x.com'],
		['[]', ''],
		['\n["a@x.com"]', 'a@x.com'],
		// A single entry.
		[{ email: 'a@x.com', self: true }, 'a@x.com'],
		[{ Relation: { Email: 'a@x.com' } }, 'a@x.com'],
		[{ partstat: 'ACCEPTED', mailto: 'mailto:a@x.com' }, 'a@x.com'],
		[{ params: { CN: 'A' }, val: 'mailto:a@x.com' }, 'a@x.com'],
	])('from %j are %s', (value, expected) => {
		expect(read(value)).toEqual(expected.split(' ').filter(Boolean));
	});

	const WHOLE = String.raw`Jane Doe | a@x.com <b@x.com> | jane.doe (at) x.com | 'a@x.com' | <a@x.com, b@x.com> | n.a |
		Jane <a@x.com<b@x.com> | Jane <a@x.com> Bob <b@x.com> | Jane <a@x.com> Bob <bob> | Jane <a@x.com> Bob | <a"b"@x.com> | <amailto:b@x.com> | Jane [a@x.com] | Jane[a@x.com] | [a@x.com] |
		Team: a@x.com | *a@x.com* | mailto:a@x.com?subject=Hi | a@-x.com | ann@undefined | ann.undefined@x.com |
		ava.adams Ben <ben@x.com> | a@x.com (b@x.com) | jane.doe (jane.d@x.com) | ann@null | null@null |
		Jane (b@x.com) <a@x.com> | {{first}}.{{last}}@x.com | undefined | undefined.undefined`;
	test.each([
		...[...texts(WHOLE), 'a\u200b@x.com'].map((text) => [text, text]),
		['Bob; Jane <jane@x.com>', 'Bob'],
		['Doe, Jane <jane@x.com>; Roe, Bob <bob@x.com>', 'Doe'],
		['Ann <ann@x.com>, Bob, Jane <jane@x.com>', 'Bob'],
		['undefined, Jane <jane@x.com>', 'undefined'],
		['Doe, ben.roe <jane@x.com>', 'Doe'],
		['a@x.com, "Doe, Jane', '"Doe'],
		['a@x.com, <b@x.com', '<b@x.com'],
		['a@x.com, Ana Bee "bob@x.com, c@x.com', 'Ana Bee "bob@x.com'],
		['a@x.com, "Jane <b@x.com>"', '"Jane <b@x.com>"'],
	])('in %j are refused, quoting %j', (text, part) => {
		const message = `Attendee ${inMessage(part)} is not an email address`;
		for (const value of [[text], ...(text.startsWith('[') ? [] : [text])])
			expect(() => read(value)).toThrow(message);
	});

	test('in a text without closing quotes are refused at once, however long it is', () => {
		// By processor time, because other programs may use the machine: four times the text takes some four times as long.
		const cpuMsOf = (text: string) => {
			const began = process.cpuUsage();
			expect(() => read(text)).toThrow('is not an email address');
			return process.cpuUsage(began).user / 1000;
		};
		for (const [part, count] of Object.entries({
			'"\\': 24_900,
			'"\\"': 10_000,
			'a,b;': 9000,
			'\n': 49_000,
		})) {
			const textOf = (times: number) => `Bob${part.repeat(times)}`;
			const quarter = Math.max(...[1, 2, 3].map(() => cpuMsOf(textOf(count / 4))));
			expect(cpuMsOf(textOf(count))).toBeLessThan(10 * quarter + 100);
		}
		expect(() => read([{ email: `${'x'.repeat(50_000)}@x.com` }])).toThrow('is too long: 50,006 characters');
		expect(() => read(['a@x.com', 'x'.repeat(1001)])).toThrow('too long: 1,001 characters, at most 1,000');
	});

	// D2-ATT-03, D2-ATT-05
	test('of any sources are all sent, or left out by name: rooms, who declined, and who has no address', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray(ENTRIES), fc.constantFrom(String, JSON.parse), (entries, form) => {
				const own = reading();
				const all = entries.map(([, one]) => one);
				const found = read(form(JSON.stringify(entries.map(([entry]) => entry))), own);
				// Of a list in which nobody is left, nothing is sent: an update would drop everyone.
				const sent = all.filter(isSent);
				expect(found).toEqual(sent.length === 0 && all.length > 0 ? undefined : sent);
				expect(own.warnings.attendees_left_out ?? []).toEqual(all.filter((one) => !isSent(one)));
			}),
		);
	});

	/** Entries that would be somebody's removal or invitation if they were read on a guess, and what their message says. */
	const UNKNOWN: Array<[json: string, words: string]> = [
		[
			`{} | [] | [null] | ["a@x.com"] | ["a@x.com","b@x.com"] | {"emails":["a@x.com"]} | {"email":{}} |
			{"Email":"","Owner":{"Email":"a@x.com"}}`,
			'has no known address field',
		],
		[`{"name":"Bob"} | {"name":"ava.adams"}`, 'has no known address field: it has name'],
		[`{"id":5,"status":"no"}`, 'it has id, status'],
		[`{"person":{"email":"a@x.com"}} | {"person":{}}`, 'it has person'],
		[`{"user":"b","user_email":"a@x.com"}`, 'it has user, user_email'],
		[`{"calendarAddress":"mailto:a@x.com"}`, 'it has calendarAddress'],
		[`{"label":"Uma","value":"a@x.com"}`, 'it has label, value'],
		[`{"work":"a@x.com","home":"b@x.com"}`, 'it has work, home'],
		[
			`{"email":5} | {"email":"Bob"} | {"email":"a@x.com, b@x.com"} | {"participant":"415"} |
			"a@x.com (declined)" | "a@x.com (Not attending)"`,
			'is not an email address',
		],
		[
			`{"email":"a@x.com","responseStatus":"abgelehnt"}`,
			'Attendee "a@x.com" has responseStatus "abgelehnt", which is not',
		],
		[`{"email":"a@x.com","status":"Not attending"}`, 'has status "Not attending", which is not known'],
		[`{"emailAddress":{"address":"a@x.com"},"type":"guest"}`, 'has type "guest", which is not known'],
		[`{"val":"mailto:a@x.com","params":{"PARTSTAT":"X-OUT"}}`, 'has params.PARTSTAT "X-OUT", which is not'],
		[`{"Relation":{"Email":"a@x.com"},"Status":"tentative"}`, 'has Status "tentative", which is not known'],
		[
			`{"email":"a@x.com","Response":4} | {"email":"a@x.com","rsvp":"nope"} | {"email":"a@x.com","status":{"name":"x"}} |
			{"email":"a@x.com","participation_status":"declined"} | {"email":"a@x.com","isCancelled":"yes"} |
			{"email":"a@x.com","attending":false} | {"email":"a@x.com","state":"Declined"} |
			{"email":"a@x.com","meta":{"reply":"cancelled"}} | {"email":"a@x.com","hasDeclined":true} |
			{"email":"a@x.com","deleted_at":"2026-03-01"} | {"email":"a@x.com","no_show":true} |
			{"email":"a@x.com","absent":true} | {"email":"a@x.com","isActive":false} | {"email":"a@x.com","answer":"no"} |
			{"email":"a@x.com","role":"NON-PARTICIPANT"} | {"email":"a@x.com","confirmed":"No"} |
			{"email":"a@x.com","attendee":{"rsvp":{"state":"declined"}}}`,
			'which is not known',
		],
	];
	test.each(UNKNOWN.flatMap(([all, words]) => texts(all).map((json) => [json, words] as const)))(
		'reject the whole list for the entry %s, which %s',
		(json, words) => {
			const entry = JSON.parse(json) as unknown;
			for (const list of [
				['ana@x.com', entry],
				[entry, { email: 'ana@x.com', responseStatus: 'accepted' }],
			])
				expect(outcomeOf(() => read(list)).message).toContain(words);
		},
	);

	/** A parent of entries, or no entries. */
	const NO_LIST = `{"value":[{"email":"a@x.com"}]} | {"a":{"email":"a@x.com"},"b":{"name":"B"}} | {"email":["a@x.com"]} |
		{"a":1} | 5 | true | "[\\"a\\"" | "[" | ["a@x.com"," "]`;
	test.each(texts(NO_LIST))('are no list in %s', (json) => {
		expect(outcomeOf(() => read(JSON.parse(json))).code).toBe('attendees_invalid');
	});
});

const NO_OWNERS = texts('undefined.undefined | a@x.com, b@x.com | (none) | a@x.com, bob');
test.each<[unknown, string]>([
	[[{ params: {}, val: 'mailto:a@x.com' }], 'a@x.com'],
	[{ email: 'a@x.com', self: true }, 'a@x.com'],
	['Ava Adams <ava.adams@x.com>', 'ava.adams@x.com'],
	['ava.adams', 'ava.adams'],
	['null@x.com', 'null@x.com'],
	...[...NO_OWNERS, { name: 'B' }, 5, {}].map((value): [unknown, string] => [value, 'owner_invalid']),
	[[{ email: 'a@x.com' }, 'b@x.com'], 'owner_invalid'],
])('the owner %j is %s', (value, expected) => {
	const { value: owner, code } = outcomeOf(() => readOwner(value, 'Rep Email'));
	expect(owner ?? code).toBe(expected);
});
