import * as fc from 'fast-check';
import { z } from 'zod';
import {
	conversationsExportSchema,
	erroredRecordingsExportSchema,
	recordingsExportSchema,
	teamsExportSchema,
	usersExportSchema,
} from '../../../../nodes/shared/contract';
import { ContractCheck } from '../../../../nodes/shared/contract/check';

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
				const found = [...new Set(check.findings.map((finding) => finding.split(' is ')[0]))].sort();
				expect(found).toEqual(expected);
			}),
			{ numRuns: 300 },
		);
	});

	test('names each field once with its count, and never a value', () => {
		const check = new ContractCheck(recordingsExportSchema);
		for (let row = 0; row < 3; row++) check.add({ recordingId: 7, user: { id: 'secret-value', name: null } });
		check.add({ recordingId: 'r', date: null });

		expect(check.findings).toContain('recordingId is not text (3 times)');
		expect(check.findings).toContain('user.email is missing (3 times)');
		expect(check.findings).toContain('user is missing');
		expect(check.findings).toContain('date is not text');
		expect(check.findings.join()).not.toContain('secret-value');
	});

	test('uses bounded memory for a service that differs in endless ways', () => {
		const check = new ContractCheck(
			z.object(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, z.string()]))),
		);
		check.add({});

		expect(check.findings).toHaveLength(200);
	});
});
