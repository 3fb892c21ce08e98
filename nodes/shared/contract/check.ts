import { z } from 'zod';

/** What is wrong with a value: `missing`, or the type it should have had. */
export type Deviation = string;

type Report = (path: string, deviation: Deviation) => void;
type Check = (value: unknown, report: Report) => void;

/** Most fields counted, so that a service that differs everywhere does not fill the memory. */
const MOST_PATHS = 200;

/**
 * Compares rows with a schema of the contract and counts the differences of each field. It never throws, copies or keeps a
 * value, so checking costs a few comparisons a row whatever the size of the export.
 */
export class ContractCheck {
	private readonly counts = new Map<string, { path: string; deviation: Deviation; count: number }>();

	private readonly check: Check;

	/** @param schema an object schema of the contract; unknown keys are accepted */
	constructor(schema: z.ZodTypeAny) {
		this.check = compile(schema, '');
	}

	/** Checks one row. */
	add(row: unknown): void {
		this.check(row, this.report);
	}

	/** One sentence for each field that differs, e.g. `user.email is missing (3 times)`. */
	get findings(): string[] {
		return [...this.counts.values()].map(
			({ path, deviation, count }) =>
				`${path} is ${deviation === 'missing' ? 'missing' : `not ${deviation}`}${count > 1 ? ` (${count} times)` : ''}`,
		);
	}

	private readonly report: Report = (path, deviation) => {
		const key = `${path}\n${deviation}`;
		const found = this.counts.get(key);
		if (found) found.count++;
		else if (this.counts.size < MOST_PATHS) this.counts.set(key, { path, deviation, count: 1 });
	};
}

/** Turns a schema into plain comparisons once, so that no row pays for the schema library. */
function compile(schema: z.ZodTypeAny, path: string): Check {
	if (schema instanceof z.ZodObject) return compileObject(schema, path);
	if (schema instanceof z.ZodArray) return compileArray(schema, path);
	if (schema instanceof z.ZodNullable) {
		const check = compile(schema.unwrap(), path);
		return (value, report) => {
			if (value !== null) check(value, report);
		};
	}
	if (schema instanceof z.ZodOptional) {
		const check = compile(schema.unwrap(), path);
		return (value, report) => {
			if (value !== undefined) check(value, report);
		};
	}
	if (schema instanceof z.ZodString) return ofType('string', 'text', path);
	if (schema instanceof z.ZodNumber) return ofType('number', 'a number', path);
	if (schema instanceof z.ZodBoolean) return ofType('boolean', 'true or false', path);
	if (schema instanceof z.ZodRecord) {
		return (value, report) => {
			if (!isObject(value)) report(path, deviationOf(value, 'an object'));
		};
	}
	return () => {};
}

function compileObject(schema: z.AnyZodObject, path: string): Check {
	const fields = Object.entries(schema.shape as z.ZodRawShape).map(
		([key, field]) => [key, compile(field, path === '' ? key : `${path}.${key}`)] as const,
	);
	return (value, report) => {
		if (!isObject(value)) return report(path === '' ? 'The row' : path, deviationOf(value, 'an object'));
		for (const [key, check] of fields) check(value[key], report);
	};
}

function compileArray(schema: z.ZodArray<z.ZodTypeAny>, path: string): Check {
	const check = compile(schema.element, `${path}[]`);
	return (value, report) => {
		if (!Array.isArray(value)) return report(path, deviationOf(value, 'a list'));
		for (const element of value) check(element, report);
	};
}

function ofType(type: 'string' | 'number' | 'boolean', words: string, path: string): Check {
	return (value, report) => {
		if (typeof value !== type) report(path, deviationOf(value, words));
	};
}

function deviationOf(value: unknown, words: string): Deviation {
	return value === undefined ? 'missing' : words;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
