import * as fc from 'fast-check';
import { splitRows } from '../../../../nodes/shared/reading/splitRows';

/** Puts the rows back into the frame, like the reader of the answer. */
function read(bytes: Uint8Array): unknown {
	const { frame, rows } = splitRows(bytes);
	const whole: unknown = JSON.parse(Buffer.from(frame).toString());
	if (typeof whole !== 'object' || whole === null || Array.isArray(whole)) return whole;
	const restored = Object.entries(whole).map(([name, value]) => [
		name,
		Array.isArray(value)
			? value.map((element: unknown) =>
					typeof element === 'object' && element !== null && '' in element
						? JSON.parse(Buffer.from(rows[Number(element[''])]).toString())
						: element,
				)
			: value,
	]);
	return Object.fromEntries(restored);
}

const text = fc.string({
	unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ',', ':', '–', '😀', '\n'),
});
const value = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const row = fc.dictionary(text, fc.oneof(text, value), { maxKeys: 4 });
const answer = fc.dictionary(
	text.filter((name) => name !== '__proto__'),
	fc.oneof(fc.array(fc.oneof(row, value), { maxLength: 5 }), value, text),
	{ maxKeys: 5 },
);

describe('Splitting an answer at its rows', () => {
	test('yields the same as JSON.parse, however the bytes are written', async () => {
		fc.assert(
			fc.property(answer, fc.constantFrom(undefined, '\t'), (object, indent) => {
				const json = JSON.stringify(object, null, indent);

				expect(read(Buffer.from(json))).toEqual(JSON.parse(json));
			}),
			{ numRuns: 500 },
		);
	});

	test('treats every object in a list of the outermost object as a row, and nothing else', () => {
		const json = '{"a":[{"b":[{"c":1}]},7,[{"d":1}],{}],"e":{"f":[{"g":1}],"i":{"j":{}}},"h":"[{}]"}';
		const { frame, rows } = splitRows(Buffer.from(json));

		expect(Buffer.from(frame).toString()).toBe(
			'{"a":[{"":0},7,[{"d":1}],{"":1}],"e":{"f":[{"g":1}],"i":{"j":{}}},"h":"[{}]"}',
		);
		expect(rows.map((bytes) => Buffer.from(bytes).toString())).toEqual(['{"b":[{"c":1}]}', '{}']);
	});

	test('does not copy a row', () => {
		const bytes = Buffer.from('{"rows":[{"id":1},{"id":2}]}');
		const { rows } = splitRows(bytes);

		expect(rows.map(({ buffer }) => buffer)).toEqual([bytes.buffer, bytes.buffer]);
		expect(rows[0].byteOffset).toBe(bytes.byteOffset + 9);
	});

	test.each([
		['a list alone', '[{"a":[{"b":1}]}]'],
		['an object without lists', '{"a":{"b":{"c":1}},"d":{}}'],
		['a list in a list', '{"a":[[{"b":1}]]}'],
		['a text', '"[{[{"'],
		['blanks alone', ' \n'],
	])('leaves %s as it is', (_what, json) => {
		const { frame, rows } = splitRows(Buffer.from(json));

		expect(Buffer.from(frame).toString()).toBe(json);
		expect(rows).toEqual([]);
	});

	test('keeps what follows the answer, such as a line break', () => {
		const { frame, rows } = splitRows(Buffer.from('{"a":[{"b":1}]}\n'));

		expect(Buffer.from(frame).toString()).toBe('{"a":[{"":0}]}\n');
		expect(rows).toHaveLength(1);
	});

	test('refuses what JSON.parse refuses', () => {
		fc.assert(
			fc.property(answer, fc.nat(), (object, length) => {
				const json = JSON.stringify({ rows: [{ id: 1 }], ...object });
				const broken = json.slice(0, length % json.length);

				expect(() => read(Buffer.from(broken))).toThrow(SyntaxError);
			}),
		);
		for (const broken of ['{"a":[{}{}]}', '{"a":[{},]}', '{"a":[{}]}}', '{"a":[{"b":}]}', '<html>', '']) {
			expect(() => read(Buffer.from(broken))).toThrow(SyntaxError);
		}
	});
});
