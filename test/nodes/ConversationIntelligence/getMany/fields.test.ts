import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { Item } from '../../../../nodes/shared/node/item';
import {
	chosenFields,
	fieldsProperties,
	fieldsToKeep,
	keepFields,
	labelOf,
	undocumented,
} from '../../../../nodes/ConversationIntelligence/getMany/fields';
import { simplified as conversation } from '../../../../nodes/ConversationIntelligence/resources/conversation/getAll.operation';
import { simplified as awaitingUpload } from '../../../../nodes/ConversationIntelligence/resources/recording/getAwaitingUpload.operation';
import { simplified as errored } from '../../../../nodes/ConversationIntelligence/resources/recording/getErrored.operation';
import { simplified as team } from '../../../../nodes/ConversationIntelligence/resources/team/getAll.operation';
import { simplified as user } from '../../../../nodes/ConversationIntelligence/resources/user/getAll.operation';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../../nodes/shared/exportApi/schemas';

const documented = Object.keys(conversationsExportSchema.shape);

function choose(parameters: Record<string, unknown>) {
	const context = { getNodeParameter: (name: string) => parameters[name] };
	return chosenFields(new Item(context as unknown as IExecuteFunctions, 0), []);
}

test.each(['transcriptUrl', 'audioUrl'])('keeps the expiry time of a chosen %s', (link) => {
	expect(fieldsToKeep(['title', link], documented)).toEqual(['title', link, 'urlsExpireAt']);
	expect(fieldsToKeep([link, 'urlsExpireAt'], documented)).toEqual([link, 'urlsExpireAt']);
});

test('keeps only the chosen fields, documented ones first and in their order', () => {
	expect(fieldsToKeep(['novelty', 'title', 'conversationId'], documented)).toEqual([
		'conversationId',
		'title',
		'novelty',
	]);
	expect(fieldsToKeep(undefined, documented)).toBeUndefined();
});

test.each(['constructor', 'toString', '__proto__'])('returns no inherited field: %s', (field) => {
	expect(keepFields({ title: 'Roof' }, ['title', field])).toStrictEqual(
		Object.fromEntries([
			['title', 'Roof'],
			[field, null],
		]),
	);
});

test('always keeps the fields that distinguish rows', () => {
	expect(fieldsToKeep(['title'], documented, ['recordingId', 'kind'])).toEqual([
		'recordingId',
		'title',
		'kind',
	]);
});

test.each([
	['conversation/getAll', conversation, conversationsExportSchema],
	['recording/getAwaitingUpload', awaitingUpload, recordingsExportSchema],
	['recording/getErrored', errored, erroredRecordingsExportSchema],
	['team/getAll', team, teamsExportSchema],
	['user/getAll', user, usersExportSchema],
])(
	'a simplified row of %s has at most twelve documented fields, none with a link or an object',
	(_, fields, { shape }) => {
		const row = Object.fromEntries(Object.keys(shape).map((field) => [field, null]));
		const simplified = keepFields(row, fieldsToKeep(fields, Object.keys(shape)));
		expect(Object.keys(simplified)).toEqual(fields);
		expect(fields.length).toBeLessThanOrEqual(12);
		expect(fields.filter((field) => /transcriptUrl|audioUrl|^user$|^customer$/.test(field))).toEqual([]);
	},
);

test.each<[IDataObject, IDataObject]>([
	[
		{ user: { name: 'Ana', email: 'a@x' }, customer: { name: 'Sam' } },
		{ userName: 'Ana', userEmail: 'a@x', customerName: 'Sam' },
	],
	[
		{ user: { email: 'a@x' }, customer: null },
		{ userName: null, userEmail: 'a@x', customerName: null },
	],
	[{ user: 'Ana' }, { userName: null, userEmail: null, customerName: null }],
	[
		{ userName: 'own', user: { name: 'Ana' } },
		{ userName: 'own', userEmail: null, customerName: null },
	],
])('flattens the parts of %j that a simplified row has', (row, flat) => {
	expect(keepFields(row, ['userName', 'userEmail', 'customerName'])).toStrictEqual(flat);
});

test.each([
	[[], 'Choose at least one field'],
	...['title', '', null, [7], ['title', 7], { title: true }].map((fields): [unknown, string] => [
		fields,
		`Fields must be a list of field names (it is ${fields ? JSON.stringify(fields) : 'empty'})`,
	]),
])('refuses %j as the selected fields, and says what to do', (fields, message) => {
	const refused = expect.objectContaining({ message, description: 'Use a list such as ["title", "user"].' });
	expect(() => choose({ output: 'selectedFields', fields })).toThrow(refused as Error);
});

test('names the expression for the selected fields if it returned nothing', () => {
	expect(() => choose({ output: 'selectedFields' })).toThrow('The expression for Fields returned nothing');
});

test('names the choices of Fields to Return when it refuses another', () => {
	expect(() => choose({ output: 'all' })).toThrow(
		'Fields to Return must be one of simplified, raw, selectedFields (it is "all")',
	);
});

test.each([
	['conversationId', 'Conversation ID'],
	['crmEventID', 'CRM Event ID'],
	['transcriptUrl', 'Transcript URL'],
	['timeOfFirstRecording', 'Time Of First Recording'],
	['title', 'Title'],
])('labels the field %s as %s', (field, label) => {
	expect(labelOf(field)).toBe(label);
});

test('finds a nested value by its name with dots, and a field whose own name has them first', () => {
	const row = { user: { email: 'a@x', team: { name: 'West' } }, 'user.name': 'own' };
	const fields = ['user.email', 'user.team.name', 'user.name', 'user.phone', 'title.length'];
	expect(keepFields({ ...row, title: 'Roof' }, fields)).toStrictEqual({
		'user.email': 'a@x',
		'user.team.name': 'West',
		'user.name': 'own',
		'user.phone': null,
		'title.length': null,
	});
});

test('offers the flat names next to their object', () => {
	const [, { options }] = fieldsProperties({ user: { description: 'The rep' }, title: {} });
	expect(options?.map((option) => 'value' in option && option.value)).toEqual([
		'user',
		'userName',
		'userEmail',
		'title',
	]);
});

test('knows a flat name by its object, and doubts a misspelt one', () => {
	const chosen = ['title', 'userName', 'customerName', 'duratoin', 'user.email'];
	expect(undocumented(chosen, ['title', 'user'])).toEqual(['customerName', 'duratoin', 'user.email']);
});

test('a field is offered with what the documentation says of it, and its own name', () => {
	const [, { options }] = fieldsProperties({ jobNumber: {}, title: { description: 'Its title.' } });
	expect(options).toEqual([
		{ name: 'Job Number', value: 'jobNumber', description: 'jobNumber' },
		{ name: 'Title', value: 'title', description: 'Its title. (title)' },
	]);
});
