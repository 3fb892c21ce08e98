import * as fc from 'fast-check';
import { readTexts } from '../../../../nodes/shared/selection/entered';

const read = (value: unknown) => readTexts(value, 'Outcome') ?? [];

test.each<[unknown, string[]]>([
	['not sold, No Show ', ['not sold', 'No Show']],
	['"Sold, financed", Lost', ['Sold, financed', 'Lost']],
	['["Sold, financed", "Lost"]', ['Sold, financed', 'Lost']],
	[
		['Sold, financed', ' Lost '],
		['Sold, financed', 'Lost'],
	],
	[' "Say ""hi"", Ben" \n Lost,,', ['Say "hi", Ben', 'Lost']],
	['5" pipe, Tom "T" Diaz, "A", or "B"', ['5" pipe', 'Tom "T" Diaz', 'A', 'or "B"']],
	['[Test] sold, [2]', ['[Test] sold', '[2]']],
	['“Sold, financed”, „Rep, Senior“', ['Sold, financed', 'Rep, Senior']],
	['Sold; financed', ['Sold; financed']],
	...['', ' ', ',', '""', '"", " "', '[]', '[""]', '[" "]', [], [''], [' ', ''], [',']].map(
		(empty): [unknown, string[]] => [empty, []],
	),
])('%j is the list %j', (value, texts) => {
	expect(read(value)).toEqual(texts);
});

test('a list is read as it was written: as a list, as JSON, and in quotes', () => {
	const names = fc.array(
		fc
			.string({ unit: fc.constantFrom('a', 'b', ',', '"', ';', '[', ']', ' ') })
			.filter((name) => /[^\s,;]/.test(name)),
	);
	fc.assert(
		fc.property(names, (list) => {
			const texts = list.map((name) => name.trim());
			expect(read(list)).toEqual(texts);
			expect(read(JSON.stringify(list))).toEqual(texts);
			expect(read(texts.map((name) => `"${name.replaceAll('"', '""')}"`).join(', '))).toEqual(texts);
		}),
	);
});
