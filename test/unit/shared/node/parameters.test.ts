import { UserError } from 'n8n-workflow';
import {
	booleanOf,
	choiceOf,
	entryOf,
	refusedValue,
	textOf,
	wholeNumberOf,
} from '../../../../nodes/shared/node/parameters';

const choice = (value: unknown) => choiceOf(value, 'Output', ['raw', 'simplified']);
const number = (value: unknown) => wholeNumberOf(value, 'Limit', 1);
const bounded = (value: unknown) => wholeNumberOf(value, 'Limit', 1, 50);

describe('A parameter', () => {
	test.each<[string, unknown, unknown]>([
		['true', booleanOf(true, 'Gzip'), true],
		['false', booleanOf(false, 'Gzip'), false],
		['a choice', choice('simplified'), 'simplified'],
		['the least number', number(1), 1],
		['a large number', number(1e9), 1e9],
		['the largest number', bounded(50), 50],
		['a number as text', number(' 7 '), 7],
		['text without outer spaces', textOf(' a b ', 'Name'), 'a b'],
		['empty text', textOf('', 'Name'), ''],
	])('can be %s', (_name, value, expected) => {
		expect(value).toBe(expected);
	});

	test.each<[string, () => unknown, string, string]>([
		['text as a boolean', () => booleanOf('true', 'Gzip'), 'Gzip is "true"', 'Use true or false.'],
		['an unknown choice', () => choice('Raw'), 'Output is "Raw"', 'Use one of raw, simplified.'],
		['no choice', () => choice(undefined), 'Output is undefined', 'Use one of raw, simplified.'],
		['a number below the least', () => number(0), 'Limit is 0', 'Use a whole number from 1.'],
		['a fraction', () => number(1.5), 'Limit is 1.5', 'Use a whole number from 1.'],
		['an endless number', () => number(Infinity), 'Limit is null', 'Use a whole number from 1.'],
		['empty text as a number', () => number(' '), 'Limit is " "', 'Use a whole number from 1.'],
		[
			'empty text, where zero is allowed',
			() => wholeNumberOf(' ', 'Rate', 0),
			'Rate is " "',
			'Use a whole number from 0.',
		],
		['words as a number', () => number('ten'), 'Limit is "ten"', 'Use a whole number from 1.'],
		['a list as a number', () => number([7]), 'Limit is [7]', 'Use a whole number from 1.'],
		['true as a number', () => number(true), 'Limit is true', 'Use a whole number from 1.'],
		['a number above the most', () => bounded(51), 'Limit is 51', 'Use a whole number from 1 to 50.'],
		['a number as text', () => textOf(5, 'Name'), 'Name is 5', 'Use text, or leave it empty.'],
	])('is refused with advice if it is %s', (_name, read, message, description) => {
		expect(read).toThrow(UserError);
		expect(read).toThrow(expect.objectContaining({ message, description }));
	});

	test.each([
		[98, 'x'.repeat(98), '"'],
		[99, 'x'.repeat(99), '…'],
		[500, 'x'.repeat(99), '…'],
	])('of %i characters is quoted up to a hundred, quotes included', (length, shown, end) => {
		const { message } = refusedValue({ label: 'Name', value: 'x'.repeat(length), advice: '' });
		expect(message).toBe(`Name is "${shown}${end}`);
	});
});

describe('An entry of a collection', () => {
	test.each([
		['its value', { a: 1 }, 1],
		['its value, even null', { a: null }, null],
		['its value, even undefined', { a: undefined }, undefined],
		['the fallback if it was not added', {}, 'fallback'],
	])('is %s', (_name, collection, expected) => {
		expect(entryOf(collection, 'a', 'fallback')).toBe(expected);
	});

	test('is not what every object inherits', () => {
		expect(entryOf({}, 'constructor', 'fallback')).toBe('fallback');
	});
});
