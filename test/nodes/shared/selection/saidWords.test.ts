import fc from 'fast-check';
import { foldedWords, mayBeSaid, placeIn, termsOf } from '../../../../nodes/shared/selection/saidWords';

const isSaid = (said: string, turn: string) => placeIn(` ${foldedWords(turn)} `, termsOf(said)) !== undefined;

/** The JSON of a transcript in which this is said, with or without escapes. */
const escaped = (text: string) =>
	text.replace(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
const jsonsOf = (turn: string) => [JSON.stringify([{ word: turn }]), `[{"word":"${escaped(turn)}"}]`];

test.each([
	['price', 'The PRICE, please.'],
	['price roof', 'The roof? What is its price?'],
	['"too expensive"', "That's too expensive for us"],
	['“too expensive”', 'too, expensive'],
	['competitor', "the competitor's offer"],
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
	['fit', 'a ﬁt'],
	['roof', 'ro\bof'],
	['roof', 'ro\x7fof'],
	['roof', 'line\nROOF\\'],
])('%s is said in: %s', (said, turn) => {
	expect(isSaid(said, turn)).toBe(true);
	expect(jsonsOf(turn).map((json) => mayBeSaid(json, said))).toEqual([true, true]);
});

test.each([
	['car', 'carpet'],
	['competitor*', 'competitors'],
	['price OR roof', 'the price'],
	['price roof', 'the price'],
	['"too expensive"', 'expensive, too'],
	['"too expensive"', 'too very expensive'],
	['天气', '天很好气'],
	['price', ''],
])('%s is not said in: %s', (said, turn) => {
	expect(isSaid(said, turn)).toBe(false);
});

test.each([
	['roof', 'the café, 今天'],
	['天气', 'the 今天'],
	['price roof', 'the price'],
])('a transcript need not be read to know that %s is not in: %s', (said, turn) => {
	expect(mayBeSaid(JSON.stringify([{ word: turn }]), said)).toBe(false);
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
	const terms = fc.array(term, { minLength: 1, maxLength: 3 });
	fc.assert(
		fc.property(turn, terms, (spoken, wanted) => {
			const text = spoken.map(([[, own], gap]) => own + gap).join('');
			const said = wanted.map((words) => `"${words.map(([, own]) => own).join(' ')}"`).join(' ');
			const words = spoken.map(([[one]]) => one);
			const has = (phrase: string[]) =>
				words.some((_, at) => phrase.every((one, index) => words[at + index] === one));
			const isExpected = wanted.every((one) => has(one.map(([name]) => name)));
			expect(isSaid(said, text)).toBe(isExpected);
			expect(jsonsOf(text).every((json) => mayBeSaid(json, said)) || !isExpected).toBe(true);
		}),
	);
});
