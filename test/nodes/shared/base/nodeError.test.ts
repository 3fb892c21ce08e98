import { NodeApiError, NodeOperationError, UserError, type INode } from 'n8n-workflow';
import {
	codedError,
	describeError,
	nodeErrorOf,
	type ErrorTable,
} from '../../../../nodes/shared/base/errors';
import { KEEPS_FAILURE } from '../../../support/engine';

const node = (type: string): INode => ({
	id: '1',
	name: 'Appointments',
	type: `n8n-nodes-conversation-intelligence.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});
const PLAIN = node('conversationIntelligenceAppointments');
const TOOL = node('conversationIntelligenceAppointmentsTool');

const TABLE = {
	title_missing: { message: 'Title is missing', advice: 'Fill {column}.' },
	refused: { message: 'Is it 404 ENOENT?', advice: 'Fill it.' },
} as const satisfies ErrorTable;
const MISSING = codedError(TABLE, 'title_missing', { column: '<b>title</b> & more' });
const FAILURE = { failure: { cause: 'rate-limited' } } as const;
const REFUSED = codedError(TABLE, 'refused', {}, { status: 404, ...FAILURE });

test('an error of the package keeps its texts, its cause and the item, and escapes what n8n shows as HTML', () => {
	const error = nodeErrorOf(PLAIN, MISSING, { itemIndex: 2, eventId: 'crm-1' });
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'Title is missing',
		description: 'Fill ‹b>title‹/b> & more.',
		context: { itemIndex: 2, details: { code: 'title_missing', retryable: false, eventId: 'crm-1' } },
	});
});

test("an error with a status is n8n's error of an API, with its own words and n8n's cause", () => {
	const error = nodeErrorOf(PLAIN, REFUSED);
	expect(error).toBeInstanceOf(NodeApiError);
	expect(nodeErrorOf(PLAIN, codedError(TABLE, 'refused', {}, FAILURE))).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'Is it 404 ENOENT?',
		description: 'Fill it.',
		httpCode: '404',
		messages: ['Is it 404 ENOENT?'],
		...(KEEPS_FAILURE && FAILURE),
	});
});

test('an error of a node stays the same object, keeps its first item, and what it says', () => {
	const first = nodeErrorOf(PLAIN, MISSING, { itemIndex: 0, eventId: 'a' });
	const { message, description } = first;
	const again = nodeErrorOf(PLAIN, first, { itemIndex: 1 });
	expect(again).toBe(first);
	expect(again).toMatchObject({ message, description, context: { itemIndex: 0, details: { eventId: 'a' } } });
});

test.each([new UserError('Refused by n8n'), 'Refused by n8n'])(
	'what others throw is shown as it is: %p',
	(thrown) => {
		const error = nodeErrorOf(PLAIN, thrown);
		expect(error).toMatchObject({ message: 'Refused by n8n', description: undefined });
		expect(error.context.details).toEqual({ code: 'n8n_error', retryable: false });
	},
);

test('an agent gets what is wrong and what to do in one text, once', () => {
	const others = new NodeOperationError(TOOL, 'Not allowed', { description: 'Ask.' });
	const sentences = [MISSING, REFUSED, others].map((error) => nodeErrorOf(TOOL, nodeErrorOf(TOOL, error)));
	expect(sentences.map(({ message, description }) => ({ message, description }))).toEqual([
		{ message: 'Title is missing. Fill ‹b>title‹/b> & more.', description: undefined },
		{ message: 'Is it 404 ENOENT? Fill it.', description: undefined },
		{ message: 'Not allowed. Ask.', description: undefined },
	]);
});

test('an item gets the plain texts', () => {
	expect(describeError(PLAIN, MISSING, { conversationId: 'c' })).toEqual({
		message: 'Title is missing',
		description: 'Fill ‹b>title‹/b> & more.',
		details: { code: 'title_missing', retryable: false, conversationId: 'c' },
	});
});
