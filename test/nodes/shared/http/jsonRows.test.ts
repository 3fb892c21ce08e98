import fc from 'fast-check';
import { findRows, parseRows } from '../../../../nodes/shared/http/jsonRows';

const faultOf = async (json: string) => (await findRows(Buffer.from(json), 50)).fault;
const fields = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join();

test('reads any object as JSON.parse does, with at most so many rows of each list', async () => {
	const values = fc.jsonValue({ noUnicodeString: false });
	const object = fc.dictionary(fc.string(), fc.oneof(values, fc.array(values, { maxLength: 8 })));
	await fc.assert(
		fc.asyncProperty(
			object,
			fc.integer({ min: 1, max: 9 }),
			fc.constantFrom(0, 2),
			async (data, max, indent) => {
				const json = JSON.stringify(data, null, indent);
				const bytes = Buffer.from(json);
				const { lists: found, fault, isCutOff } = await findRows(bytes, max);
				expect([fault, isCutOff]).toEqual([undefined, false]);
				const short = Object.entries(JSON.parse(json) as object).map(([name, value]: [string, unknown]) => [
					name,
					Array.isArray(value) ? value.slice(0, max) : value,
				]);
				expect(await parseRows(bytes, found)).toEqual(Object.fromEntries(short));
				const lists = Object.values(JSON.parse(json) as object).filter(Array.isArray);
				expect(found.map(({ rows }) => rows).sort()).toEqual(lists.map(({ length }) => length).sort());
				// Whatever is left out at its end, it is not whole.
				if (json !== '{}') expect((await findRows(bytes.subarray(0, -1), max)).isCutOff).toBe(true);
			},
		),
	);
});

test('reads the first rows of a list alone, and finds out wherever it is cut off', async () => {
	const row = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.constantFrom('a', ']', '[', '}', 1)));
	const list = fc.array(row, { minLength: 1, maxLength: 8 });
	const options = fc.record({ max: fc.integer({ min: 1, max: 9 }), kept: fc.double({ min: 0, max: 0.999 }) });
	await fc.assert(
		fc.asyncProperty(list, options, async (rows, { max, kept }) => {
			const bytes = Buffer.from(JSON.stringify(rows));
			const whole = Buffer.concat([bytes, Buffer.from('\n')]);
			const { lists, fault, isCutOff = false } = await findRows(whole, max, 1);
			expect([fault, isCutOff]).toEqual([undefined, false]);
			expect(await parseRows(whole, lists)).toEqual((JSON.parse(String(bytes)) as unknown[]).slice(0, max));
			const length = Math.floor(kept * bytes.length);
			expect((await findRows(bytes.subarray(0, length), max, 1)).isCutOff).toBe(true);
		}),
	);
});

test.each(['[1,2,[3]', '[1,{"a":[3]', '[1,{"a":[3]}', '[1,[]', '[1,2', '[1,{"a":"]'])(
	'%s is cut off',
	async (json) => {
		expect((await findRows(Buffer.from(json), 1, 1)).isCutOff).toBe(true);
	},
);

test.each([
	['an object of 700,000 fields', `{${fields(700_000)}}`, ['is too large']],
	['60 MB of lists', '['.repeat(6e7), ['is not a JSON object']],
	['5,000 levels', `{"a":${'{"b":'.repeat(5000)}`, ['is nested deeper than 64 levels']],
	['5,000 levels in a row', `{"a":[{"b":1},{"conversationId":"c7","b":${'['.repeat(5000)}`, 'c7'],
	['700,000 fields in a row', `{"a":[{"recordingId":"r9","b":{${fields(700_000)}}}]}`, 'r9'],
	['a megabyte in a row', `{"a":["${'x'.repeat(2 ** 20)}"]}`, 'number 1'],
	['a megabyte besides the rows', `{"a":[1],"b":"${'x'.repeat(2 ** 20)}"}`, ['is too large']],
	['a million rows', `{"a":[${'1,'.repeat(1e6)}1]}`, ['has too many rows']],
	['a million lists', `{${'"a":[],'.repeat(1e6)}"a":[]}`, ['has too many rows']],
])('rejects %s before parsing, and names the row', async (_what, json, expected) => {
	const fault = await faultOf(json);
	if (typeof expected !== 'string') return expect(fault).toEqual(expected);
	expect(fault).toEqual([
		expect.stringMatching(new RegExp(`^is .*, the one .*${expected}`)),
		'row_unreadable',
	]);
});

test('reads 64 levels, 20,000 fields of a row, and 50 of 200,000 rows', async () => {
	const row = `{${fields(20_000)}}`;
	const json = `{"deep":[${'['.repeat(62)}${']'.repeat(62)}],"a":[${Array(200_000).fill(1).join()}],"b":[${row}]}`;
	const { lists, fault } = await findRows(Buffer.from(json), 50);
	expect([fault, lists[1].rows]).toEqual([undefined, 200_000]);
	expect(await parseRows(Buffer.from(json), lists)).toEqual({
		...JSON.parse(json),
		a: Array(50).fill(1),
	});
});

test('a row beyond those that are wanted may be of any size', async () => {
	const bytes = Buffer.from(`{"a":[1,"${'x'.repeat(2 ** 20)}"]}`);
	const { lists, fault } = await findRows(bytes, 1);
	expect([fault, await parseRows(bytes, lists)]).toEqual([undefined, { a: [1] }]);
});

test('lets n8n serve others after each half of a megabyte that it searches', async () => {
	const transcript = Buffer.from(`[${Array(200_000).fill('{"word":"a long word"}').join()}]`);
	let served = 0;
	const timer = setInterval(() => served++, 0);
	expect((await findRows(transcript, Infinity, 1)).lists[0].rows).toBe(200_000);
	clearInterval(timer);
	expect(served).toBeGreaterThanOrEqual(Math.floor(transcript.length / 2 ** 19) - 1);
});

test.each([
	['60 MB of "["', '['.repeat(6e7)],
	['a page of 200,000 rows', `{"a":[${Array(200_000).fill('{"conversationId":"12345678"}').join()}]}`],
	['an object of 700,000 fields', `{${fields(700_000)}}`],
	['a row of 20,000 fields', `{"a":[{${fields(20_000)}}]}`],
	[
		'50 rows of 20,000 fields',
		`{"a":[${Array(50)
			.fill(`{${fields(20_000)}}`)
			.join()}]}`,
	],
])('holds the event loop only for a moment with %s', async (_what, json) => {
	const bytes = Buffer.from(json).subarray(0, 2 ** 24);
	let [longest, last] = [0, process.cpuUsage()];
	const measure = () => {
		const { user, system } = process.cpuUsage(last);
		longest = Math.max(longest, (user + system) / 1000);
		last = process.cpuUsage();
	};
	const timer = setInterval(measure, 0);
	const { lists, fault, isCutOff } = await findRows(bytes, 50);
	if (!fault && !isCutOff) await parseRows(bytes, lists);
	await new Promise(setImmediate);
	measure();
	clearInterval(timer);
	// 50 ms on an idle machine; this counts other threads of the test too.
	expect(longest).toBeLessThan(250);
});
