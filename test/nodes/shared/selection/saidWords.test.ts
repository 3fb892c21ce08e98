import fc from 'fast-check';
import { foldedWords, placeIn, readSaid, termsOf } from '../../../../nodes/shared/selection/saidWords';

const isSaid = (said: string, turn: string) => placeIn(` ${foldedWords(turn)} `, termsOf(said)) !== undefined;

test.each([
	['price', 'The PRICE, please.'],
	['price roof', 'The roof? What is its price?'],
	['"too expensive"', "That's too expensive for us"],
	['“too expensive”', 'too, expensive'],
	['competitor', "the competitor's offer"],
	['competitor*', 'Two competitors'],
	['"other compet*"', 'some other competition'],
	['financing OR "zero down"', 'Zero down.'],
	['price OR', 'price or roof'],
	['OR price', 'price or roof'],
	['or', 'this or that'],
	['strasse cafe', 'Im Café an der Straße'],
	['Café', 'CAFE\u0301'],
	['no-show', 'a no show'],
	['10-42', '10 42'],
	['café', 'ca\u200bfé'],
	['天气', '今天天气很好'],
	['"はいい"', '今日はいい天気です'],
	['don’t', "I don't know"],
	['ﬁt', 'fit'],
])('%s is said in: %s', (said, turn) => {
	expect(isSaid(said, turn)).toBe(true);
});

test.each([
	['car', 'carpet'],
	['price roof', 'the price'],
	['"too expensive"', 'expensive, too'],
	['"too expensive"', 'too very expensive'],
	['competitor*', 'a precompetitor'],
	['*petitor', 'competitor'],
	['financing OR "zero down"', 'down to zero'],
	['天气', '天很好气'],
	['price*', ''],
])('%s is not said in: %s', (said, turn) => {
	expect(isSaid(said, turn)).toBe(false);
});

test.each(['OR', '"" *', '…', 5.5, ['price'], {}])('rejects %j, which has no word to search', (value) => {
	expect(() => readSaid(value, 'Words Said')).toThrow(/^Words Said/);
});

test('reads no words as no filter', () => {
	expect(readSaid('  ', 'Words Said')).toBeUndefined();
});

test('words are found if and only if they were said, whatever their case, accents and what is between them', () => {
	const written: Record<string, string[]> = {
		price: ['price', 'PRICE', 'Price'],
		cafe: ['café', 'CAFÉ', 'cafe\u0301', 'Cafe'],
		strasse: ['Straße', 'STRASSE', 'strasse'],
		roof: ['roof', 'ROOF', 'ro\u200bof'],
		roofs: ['roofs', 'ROOFS'],
		oz: ['Łóż'.slice(1), 'oz', 'Óź'],
	};
	const word = fc.constantFrom(...Object.keys(written));
	const asWritten = word.chain((one) => fc.tuple(fc.constant(one), fc.constantFrom(...written[one])));
	const between = fc.constantFrom(' ', ', ', '. ', ' – ', '\n', '…');
	const turn = fc.array(fc.tuple(asWritten, between), { maxLength: 8 });
	const term = fc.array(asWritten, { minLength: 1, maxLength: 3 });
	const alternatives = fc.array(fc.array(term, { minLength: 1, maxLength: 3 }), {
		minLength: 1,
		maxLength: 2,
	});
	fc.assert(
		fc.property(turn, alternatives, (spoken, wanted) => {
			const text = spoken.map(([[, own], gap]) => own + gap).join('');
			const quoted = (terms: Array<[string, string]>) => `"${terms.map(([, own]) => own).join(' ')}"`;
			const said = wanted.map((terms) => terms.map(quoted).join(' ')).join(' OR ');
			const words = spoken.map(([[one]]) => one);
			const has = (terms: string[]) =>
				words.some((_, at) => terms.every((one, index) => words[at + index] === one));
			const isExpected = wanted.some((terms) => terms.every((one) => has(one.map(([name]) => name))));
			expect(isSaid(said, text)).toBe(isExpected);
		}),
	);
});
