import { fieldIn } from '../../../../nodes/shared/exportApi/rows';

const ROW = {
	user: { name: 'Ana', 'name.full': 'Ana Diaz' },
	customFields: { 'Est. Value': 5, 'a.b': { 'c.d': 6, c: { e: 7 } }, a: { b: { c: 8 } }, list: [9] },
	'customFields.flat': 10,
	userEmail: 'own@x',
};

test.each([
	['userName', 'Ana'],
	['userEmail', 'own@x'],
	['user.name', 'Ana'],
	['user.name.full', 'Ana Diaz'],
	['customFields.Est. Value', 5],
	['customFields.a.b.c.d', 6],
	['customFields.a.b.c.e', 7],
	['customFields.a.b', ROW.customFields['a.b']],
	['customFields.flat', 10],
	['customFields.list.0', undefined],
	['customFields.Est.', undefined],
	['customFields.', undefined],
	['.user', undefined],
	['', undefined],
	['toString', undefined],
	['customFields.constructor', undefined],
])('the field %s is found by the longest key at each level', (field, value) => {
	expect(fieldIn(ROW, field)).toBe(value);
});
