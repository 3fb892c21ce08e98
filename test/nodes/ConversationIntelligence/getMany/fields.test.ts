import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { Item } from '../../../../nodes/shared/node/item';
import {
	chosenFields,
	fieldsProperties,
	fieldsToKeep,
	undocumented,
} from '../../../../nodes/ConversationIntelligence/getMany/fields';
import { keepFields, SIMPLIFIED_CONVERSATION as conversation } from '../../../../nodes/shared/exportApi/rows';
import { SIMPLIFIED_RECORDING as recording } from '../../../../nodes/ConversationIntelligence/getMany/conversations';
import {
	SIMPLIFIED_TEAM as team,
	SIMPLIFIED_USER as user,
} from '../../../../nodes/ConversationIntelligence/getMany/metrics';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../../nodes/shared/exportApi/schemas';

const documented = Object.keys(conversationsExportSchema.shape);

test.each<[string[], string[], string[]]>([
	[['title', 'audioUrl'], [], ['title', 'audioUrl', 'urlsExpireAt']],
	[['transcriptUrl', 'urlsExpireAt'], [], ['transcriptUrl', 'urlsExpireAt']],
	[['novelty', 'title', 'conversationId'], [], ['conversationId', 'title', 'novelty']],
	[['title'], ['recordingId', 'kind'], ['recordingId', 'title', 'kind']],
])(
	'of the chosen %j and the needed %j, %j are kept: in the documented order, links with their expiry',
	(chosen, needed, kept) => {
		expect(fieldsToKeep(chosen, documented, needed)).toEqual(kept);
	},
);

test.each([
	['conversation/getAll', conversation, conversationsExportSchema],
	['recording/getMissing', recording, erroredRecordingsExportSchema.extend({ kind: z.string() })],
	['team/getAll', team, teamsExportSchema],
	['user/getAll', user, usersExportSchema],
])(
	'Simplified of %s has at most thirteen documented fields in their order, none a link or an object',
	(_, fields, { shape }) => {
		expect(fieldsToKeep(fields, Object.keys(shape))).toEqual(fields);
		expect(undocumented(fields, Object.keys(shape))).toEqual([]);
		expect(fields.length).toBeLessThanOrEqual(13);
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
	[
		{
			teams: [
				{ name: 'North', teamId: 't1' },
				{ name: 'West', teamId: 't2' },
			],
		},
		{ teamNames: 'North, West', teamIds: 't1, t2' },
	],
	[{ teams: null }, { teamNames: null, teamIds: null }],
	[
		{ teams: [], teamIds: 'own' },
		{ teamNames: null, teamIds: 'own' },
	],
])('flattens the parts of %j', (row, flat) => {
	expect(keepFields(row, Object.keys(flat))).toStrictEqual(flat);
});

test('finds a nested value by its name with dots, a field whose own name has them first, and nothing inherited', () => {
	const row = {
		user: { email: 'a@x', team: { name: 'West', teamId: 't2' } },
		'user.name': 'own',
		title: 'Roof',
	};
	const found = { 'user.email': 'a@x', 'user.team.name': 'West', 'user.name': 'own' };
	const missing = ['user.phone', 'title.length', 'constructor', '__proto__'];
	const expected = Object.fromEntries([...Object.entries(found), ...missing.map((field) => [field, null])]);
	expect(keepFields(row, Object.keys(expected))).toStrictEqual(expected);
});

test.each([[], 'title', '', null, [7], ['title', 7], { title: true }, undefined])(
	'refuses the selected fields %j',
	(fields) => {
		const parameters: IDataObject = { output: 'selectedFields', fields: fields as IDataObject };
		const context = { getNodeParameter: (name: string) => parameters[name] } as unknown as IExecuteFunctions;
		const details = expect.objectContaining({ code: 'fields_missing', field: 'Fields' }) as unknown;
		expect(() => chosenFields(new Item(context, 0), [])).toThrow(
			expect.objectContaining({ details }) as Error,
		);
	},
);

test('fields are offered with their label and what the documentation says of them, flat names behind their object', () => {
	const [, { options }] = fieldsProperties({
		crmEventID: {},
		timeOfFirstRecording: { description: 'seconds' },
		user: { description: 'The rep.' },
		audioUrl: {},
	});
	expect(options).toEqual([
		{ name: 'CRM Event ID', value: 'crmEventID', description: 'crmEventID' },
		{
			name: 'Time of First Recording (Seconds)',
			value: 'timeOfFirstRecording',
			description: 'seconds (timeOfFirstRecording)',
		},
		{ name: 'Rep', value: 'user', description: 'The rep. (user)' },
		{ name: 'Rep Name', value: 'userName', description: 'user.name (userName)' },
		{ name: 'Rep Email', value: 'userEmail', description: 'user.email (userEmail)' },
		{ name: 'Audio URL', value: 'audioUrl', description: 'audioUrl' },
	]);
});

test('knows a flat name by its object, and doubts a misspelt one', () => {
	const chosen = ['title', 'userName', 'customerName', 'duratoin', 'user.email'];
	expect(undocumented(chosen, ['title', 'user'])).toEqual(['customerName', 'duratoin', 'user.email']);
});
