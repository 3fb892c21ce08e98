import { NodeApiError, NodeOperationError, UserError, type INode } from 'n8n-workflow';
import {
	codedError,
	describeError,
	filledText,
	nodeErrorOf,
	refusedValue,
	type ErrorTable,
} from '../../../../nodes/shared/base/codedErrors';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/base/time';
import { readUsers } from '../../../../nodes/shared/selection/entered';
import * as attendees from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import * as values from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { KEEPS_FAILURE } from '../../../support/engine';
import { reading } from '../../ConversationIntelligenceAppointments/mapping';

const TABLE = {
	too_long: ['{field} is too long: {length}', 'Shorten {field}.'],
	busy: ['Busy', '', 'retryable'],
	refused: ['Is it 404 ENOENT?', 'Fill it.'],
} as const satisfies ErrorTable;

const node = (type: string) => ({ name: 'Node', type: `package.${type}`, parameters: {} }) as INode;
const [PLAIN, TOOL] = [node('appointments'), node('appointmentsTool')];
const LONG = codedError(TABLE, 'too_long', { field: '<b>Title</b> &lt;', length: 0 }, { facts: 'Tried.' });
const details = { code: 'too_long', retryable: false };
const message = '‹b>Title‹/b> &lt; is too long: 0';
const description = 'Tried. Shorten ‹b>Title‹/b> &lt;.';
const FAILURE = { failure: { cause: 'rate-limited' } } as const;
const REFUSED = codedError(TABLE, 'refused', {}, { status: 404, ...FAILURE });

test.each(['{field}', '$&', '{length}', "$'"])('the value %s is filled in as it is', (field) => {
	const { message } = filledText(TABLE, 'too_long', { field, length: 0 });
	expect(message).toBe(`${field} is too long: 0`);
});

test('an error has the cause as data, says whether repeating helps, and is described in plain text', () => {
	const busy = codedError(TABLE, 'busy', {}, { status: 400, item: undefined });
	const cause = { code: 'busy', retryable: true, status: 400 };
	expect([busy.description, busy.failure, busy.details]).toStrictEqual([undefined, undefined, cause]);
	const described = { message, description, details: { ...details, conversationId: 'c' } };
	expect(describeError(PLAIN, LONG, { conversationId: 'c' })).toEqual(described);
});

test('an error of the package keeps its texts and its first item, and escapes what n8n shows as HTML', () => {
	const error = nodeErrorOf(PLAIN, LONG, { itemIndex: 0, eventId: 'a' });
	expect(error).toBeInstanceOf(NodeOperationError);
	for (const itemIndex of [0, 1]) {
		expect(nodeErrorOf(PLAIN, error, { itemIndex })).toBe(error);
		const context = { itemIndex: 0, details: { ...details, item: itemIndex, eventId: 'a' } };
		expect(error).toMatchObject({ message, description: description.replace('&', '&amp;'), context });
	}
});

test("an error with a status or a cause is n8n's error of an API, with its own words", () => {
	expect(nodeErrorOf(PLAIN, codedError(TABLE, 'refused', {}, FAILURE))).toBeInstanceOf(NodeApiError);
	const words = { message: 'Is it 404 ENOENT?', description: 'Fill it.', messages: ['Is it 404 ENOENT?'] };
	const more = KEEPS_FAILURE && FAILURE;
	expect(nodeErrorOf(PLAIN, REFUSED)).toMatchObject({ ...words, httpCode: '404', ...more });
});

test.each([new UserError('Refused by n8n'), 'Refused by n8n'])(
	'what others throw is shown as it is: %p',
	(thrown) => {
		const context = { details: { code: 'n8n_error', retryable: false } };
		const shown = { message: 'Refused by n8n', description: undefined, context };
		expect(nodeErrorOf(PLAIN, thrown)).toMatchObject(shown);
	},
);

test('an agent gets what is wrong and what to do in one text, once', () => {
	const others = new NodeOperationError(TOOL, 'Not allowed', { description: 'Ask.' });
	const errors = [LONG, REFUSED, others].map((error) => nodeErrorOf(TOOL, nodeErrorOf(TOOL, error)));
	expect(errors.map((error) => [error.message, error.description])).toEqual([
		[`${message}. ${description}`, undefined],
		['Is it 404 ENOENT? Fill it.', undefined],
		['Not allowed. Ask.', undefined],
	]);
});

test('the refusal of a value says that it is nothing, empty, or which, and what to do by its own row', () => {
	const table = { ...TABLE, wrong: ['{field} must be {rule} (it is {value})', 'Correct it.'] } as const;
	const says = (value: unknown, code: keyof typeof table = 'wrong') => {
		const refusal = refusedValue(table, code, { field: 'Title', value, rule: 'short' });
		return `${refusal.details.code}: ${refusal.message}. ${refusal.description ?? ''}`;
	};
	for (const empty of [null, '', ' \n'])
		expect(says(empty)).toBe('wrong: Title must be short (it is empty). Correct it.');
	expect(says(7)).toBe('wrong: Title must be short (it is 7). Correct it.');
	const nothing = 'expression_empty: The expression for Title returned nothing. ';
	expect(says(undefined)).toBe(`${nothing}Correct it.`);
	expect(says(undefined, 'refused')).toBe(`${nothing}Fill it.`);
});

const inUtc = (read: typeof toUtcTimestamp) => (value: string, label: string) => read(value, 'UTC', label);
const people = (value: unknown, label: string) => attendees.readAttendees(value, label, reading());

test.each<[string, (value: string, label: string) => unknown, string, number]>([
	['Price', values.readPrice, '7', 1000],
	['Event ID', values.readId, 'x', 1000],
	['Media URL', values.readLink, 'https://media.example/x', 10_000],
	['Rep Email', attendees.readOwner, 'x@x.com', 1000],
	['Attendee Emails', people, 'a@x.com', 50_000],
	['User Names or IDs', readUsers, 'a@x.com', 50_000],
	['Start Time', inUtc(toAppointmentTime), '2026-03-01 08:30', 1000],
	['From Date', inUtc(toUtcTimestamp), '2026-03-01', 1000],
])('%s is read up to its longest text, and refused by its length beyond', (field, read, text, max) => {
	read(text.padEnd(max), field);
	const [length, most] = [max + 1, max].map((count) => count.toLocaleString('en-US'));
	const refusal = {
		message: `${field} is too long: ${length} characters, at most ${most}`,
		details: { code: 'value_too_long', retryable: false, field },
	};
	expect(() => read(text.padEnd(max + 1), field)).toThrow(expect.objectContaining(refusal));
});
