import { isNamed, nameKey, nearest } from '../../../../nodes/shared/selection/names';

test.each([
	['Sold', ' sold', 'SOLD\u200b', 'So\u00adld', '\ufeffSold\t'],
	['No Show', 'no\u00a0show', 'No \u2003 Show', 'No\nShow'],
	['Überlegt', 'U\u0308berlegt', 'ÜBERLEGT'],
	['Straße', 'STRASSE'],
	['Οδός', 'ΟΔΌΣ'],
])('people take %j and %j for the same name', (name, ...others) => {
	for (const other of others) {
		expect(nameKey(other)).toBe(nameKey(name));
		expect([isNamed([other], [name]), isNamed(['-', name], [other])]).toEqual([true, true]);
	}
});

test.each([
	['Sold', 'Cold', 'Sol d', 'Not Sold', ''],
	['Resume', 'Résumé'],
])('people do not take %j and %j for the same name', (name, ...others) => {
	for (const other of [...others, null, undefined, 5, [name]]) expect(isNamed([name], [other])).toBe(false);
});

test('more different names than are kept are compared, too', () => {
	const all = Array.from({ length: 20_001 }, (_, index) => `Name ${index}`);
	expect(all.filter((name) => nameKey(` ${name}`) !== name.toUpperCase())).toEqual([]);
});

const TRACKERS = [
	'Introduced self',
	'Confirmed budget',
	'Asked for the sale',
	'Objection: price',
	'Price',
	'NEXT STEPS',
];

test.each<[name: string, names: string[], near: string[]]>([
	['Budget', TRACKERS, ['Confirmed budget']],
	['prise', TRACKERS, ['Price']],
	['Next step', TRACKERS, ['NEXT STEPS']],
	['Introduce myself', TRACKERS, ['Introduced self']],
	['Lots', ['Sold', 'Lost', 'No Show'], ['Lost']],
	['Solld', ['Lost', 'Sold', 'Not Sold'], ['Sold', 'Not Sold']],
	['Sale', ['Sale 1', 'Sale 2', 'Sale 3', 'Sale 4'], ['Sale 1', 'Sale 2', 'Sale 3']],
	['Weather', TRACKERS, []],
	['Weather', [], []],
	['屋根', ['屋根の修理', '天気'], ['屋根の修理']],
])('nearest to %j among %j are %j', (name, names, near) => {
	expect(nearest(name, names)).toEqual(near);
});
