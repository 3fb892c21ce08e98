import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { inOneText, isTool } from '../../../../nodes/shared/node/tool';

const node = (type: string): INode => ({
	id: '1',
	name: 'Appointments',
	type: `n8n-nodes-conversation-intelligence.${type}`,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});
const plain = node('conversationIntelligenceAppointments');
const tool = node('conversationIntelligenceAppointmentsTool');

describe('A node that an AI agent calls', () => {
	test('is recognized by its type', () => {
		expect([plain, tool].map(isTool)).toEqual([false, true]);
	});

	test.each([
		['Title is missing', 'Title is missing. Fill it.'],
		['Title is missing.', 'Title is missing. Fill it.'],
		['Is it a title?', 'Is it a title? Fill it.'],
	])('says what is wrong and what to do in one text: %s', (message, expected) => {
		const errors = [
			new NodeOperationError(tool, message, { description: 'Fill it.' }),
			new NodeApiError(tool, {}, { message, description: 'Fill it.' }),
		].map(inOneText);
		expect(errors.map((error) => [error.message, error.description])).toEqual([
			[expected, undefined],
			[expected, undefined],
		]);
		expect(errors.map(inOneText).map((error) => error.message)).toEqual([expected, expected]);
	});

	test('leaves the errors of an ordinary node in two texts', () => {
		const { message, description } = inOneText(
			new NodeOperationError(plain, 'Title is missing', { description: 'Fill it.' }),
		);
		expect({ message, description }).toEqual({ message: 'Title is missing', description: 'Fill it.' });
	});
});
