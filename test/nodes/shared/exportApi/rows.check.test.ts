import * as fc from 'fast-check';
import { z } from 'zod';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../../nodes/shared/exportApi/schemas';
import { ContractCheck } from '../../../../nodes/shared/exportApi/rows';

const SCHEMAS = {
	conversationsExportSchema,
	recordingsExportSchema,
	erroredRecordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
};

/** Rows that match a schema, except that some values are arbitrary. */
function nearly(schema: z.ZodTypeAny): fc.Arbitrary<unknown> {
	const fits = fitting(schema);
	// Any JSON value, or nothing.
	const other = fc.option(fc.jsonValue(), { nil: undefined });
	return fc.oneof({ weight: 60, arbitrary: fits }, { weight: 1, arbitrary: other });
}

function fitting(schema: z.ZodTypeAny): fc.Arbitrary<unknown> {
	if (schema instanceof z.ZodObject) {
		const shape = schema.shape as z.ZodRawShape;
		return fc.record(Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, nearly(field)])));
	}
	if (schema instanceof z.ZodNullable) return fc.option(nearly(schema.unwrap() as z.ZodTypeAny), { freq: 2 });
	if (schema instanceof z.ZodArray) return fc.array(nearly(schema.element as z.ZodTypeAny), { maxLength: 3 });
	if (schema instanceof z.ZodString) return fc.string();
	if (schema instanceof z.ZodNumber) return fc.double({ noNaN: true, noDefaultInfinity: true });
	if (schema instanceof z.ZodBoolean) return fc.boolean();
	return fc.dictionary(fc.string(), fc.jsonValue());
}

describe('The contract check', () => {
	test.each(Object.entries(SCHEMAS))('finds a mismatch with %s exactly where zod does', (_name, schema) => {
		fc.assert(
			fc.property(nearly(schema), (row) => {
				const check = new ContractCheck(schema);
				check.add(row);
				const judged = schema.safeParse(row);
				const paths = judged.success
					? []
					: judged.error.issues.map(({ path }) =>
							path
								.map((key) => (typeof key === 'number' ? '[]' : `.${key}`))
								.join('')
								.replace(/^\./, ''),
						);
				const expected = [...new Set(paths.map((path) => path || 'The row'))].sort();
				// Zod knows nothing of dates.
				const mismatches = check.mismatches.filter((mismatch) => !mismatch.includes('ISO 8601'));
				const found = [...new Set(mismatches.map((mismatch) => mismatch.split(' is ')[0]))].sort();
				expect(found).toEqual(expected);
			}),
		);
	});

	test('names each field once with its count, and never a value', () => {
		const check = new ContractCheck(recordingsExportSchema);
		for (let row = 0; row < 3; row++) check.add({ recordingId: 7, user: { id: 'secret-value', name: null } });
		check.add({ recordingId: 'r', date: null });

		expect(check.mismatches).toContain('recordingId is not text (3 times)');
		expect(check.mismatches).toContain('user.email is missing (3 times)');
		expect(check.mismatches).toContain('user is missing');
		expect(check.mismatches).toContain('date is not text');
		expect(check.mismatches.join()).not.toContain('secret-value');
	});

	test('names dates that cannot be read by their field', () => {
		const check = new ContractCheck(erroredRecordingsExportSchema);
		for (const date of ['20260301T120000,000Z', '01/03/2026']) check.add({ date, processedDate: null });
		expect(check.mismatches).toContain('date is not a date in ISO 8601');
		expect(check.mismatches.join()).not.toContain('processedDate is not');
	});

	test('says what each field should be', () => {
		const rows = z.array(z.object({ id: z.string() }));
		const others = { flag: z.boolean(), record: z.record(z.unknown()), nothing: z.string().nullable() };
		const check = new ContractCheck(z.object({ number: z.number(), list: rows, rows, ...others }));
		check.add({ number: '1', list: {}, rows: [{ id: 1 }, 2], flag: 1, record: null, nothing: null });
		check.add('row');
		expect(check.mismatches).toEqual([
			'number is not a number',
			'list is not a list',
			'rows[].id is not text',
			'rows[] is not an object',
			'flag is not true or false',
			'record is not an object',
			'The row is not an object',
		]);
	});
});
