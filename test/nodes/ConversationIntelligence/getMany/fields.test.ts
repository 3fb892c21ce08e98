import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	chosenFields,
	fieldsProperties,
	fieldsToKeep,
	undocumented,
} from '../../../../nodes/ConversationIntelligence/getMany/fields';
import { keepFields } from '../../../../nodes/shared/exportApi/rows';
import { Item } from '../../../../nodes/shared/node/item';

test.each(['audioUrl', 'transcriptUrl'])('the link %s is kept with its expiry', (link) => {
	expect(fieldsToKeep([link], ['title', link, 'urlsExpireAt'], ['title'])).toEqual([
		'title',
		link,
		'urlsExpireAt',
	]);
});

test('a flat name is known by its object, and a misspelt one is doubted', () => {
	const chosen = ['title', 'userName', 'customerName', 'duratoin', 'user.email'];
	expect(undocumented(chosen, ['title', 'user'])).toEqual(['customerName', 'duratoin', 'user.email']);
});

test.each<[IDataObject, IDataObject]>([
	[{ user: 'Ana' }, { userName: null, userEmail: null, customerName: null }],
	[
		{ userName: 'own', user: { name: 'Ana' } },
		{ userName: 'own', userEmail: null },
	],
	[{ teams: null }, { teamNames: null, teamIds: null }],
	[
		{ teams: [], teamIds: 'own' },
		{ teamNames: null, teamIds: 'own' },
	],
])('the flat fields of %j are %j', (row, flat) => {
	expect(keepFields(row, Object.keys(flat))).toStrictEqual(flat);
});

test.each([[], 'title', null, ['title', 7], { title: true }, undefined])(
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
	});
	expect(options!.map((option) => Object.values(option).slice(0, 3).join(': '))).toEqual([
		'CRM Event ID: crmEventID: crmEventID',
		'Time of First Recording (Seconds): timeOfFirstRecording: seconds (timeOfFirstRecording)',
		'Rep: user: The rep. (user)',
		'Rep Name: userName: user.name (userName)',
		'Rep Email: userEmail: user.email (userEmail)',
	]);
});
