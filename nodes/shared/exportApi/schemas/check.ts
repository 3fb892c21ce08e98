import { z } from 'zod';
import { isObject } from '../../node/isObject';
import { instantOf } from '../rows';
import { isDateField } from './fields';

type Report = (mismatch: string) => void;
type Check = (value: unknown, report: Report) => void;

/**
 * Compares rows with a schema of the contract and counts the differences of each field. It never throws, copies or keeps a
 * value, so checking costs a few comparisons a row whatever the size of the export.
 */
export class ContractCheck {
	private readonly counts = new Map<string, number>();

	private readonly check: Check;

	/** @param schema an object schema of the contract; unknown keys are accepted */
	constructor(schema: z.ZodTypeAny) {
		this.check = compiled.get(schema) ?? compile(schema, '');
		compiled.set(schema, this.check);
	}

	add(row: unknown): void {
		this.check(row, this.report);
	}

	/** One sentence for each field that differs, e.g. `user.email is missing (3 times)`. */
	get mismatches(): string[] {
		return [...this.counts].map(([mismatch, count]) => `${mismatch}${count > 1 ? ` (${count} times)` : ''}`);
	}

	private readonly report: Report = (mismatch) => {
		this.counts.set(mismatch, (this.counts.get(mismatch) ?? 0) + 1);
	};
}

const compiled = new WeakMap<z.ZodTypeAny, Check>();

/** Turns a schema into plain comparisons once, so that no row pays for the schema library. */
function compile(schema: z.ZodTypeAny, path: string): Check {
	if (schema instanceof z.ZodNullable) {
		const check = compile(schema.unwrap() as z.ZodTypeAny, path);
		return (value, report) => {
			if (value !== null) check(value, report);
		};
	}
	const [words, fits] = typeOf(schema);
	const checkParts = compileParts(schema, path);
	const field = path === '' ? 'The row' : path;
	const missing = `${field} is missing`;
	const wrong = `${field} is not ${words}`;
	return (value, report) => {
		if (fits(value)) checkParts?.(value, report);
		else report(value === undefined ? missing : wrong);
	};
}

function typeOf(schema: z.ZodTypeAny): [words: string, fits: (value: unknown) => boolean] {
	if (schema instanceof z.ZodString) return ['text', (value) => typeof value === 'string'];
	if (schema instanceof z.ZodNumber) return ['a number', (value) => typeof value === 'number'];
	if (schema instanceof z.ZodBoolean) return ['true or false', (value) => typeof value === 'boolean'];
	if (schema instanceof z.ZodArray) return ['a list', Array.isArray];
	return ['an object', isObject];
}

/** Checks what is inside a list, an object or the text of a date. */
function compileParts(schema: z.ZodTypeAny, path: string): Check | undefined {
	if (isDateField(schema)) {
		const wrong = `${path} is not a date in ISO 8601`;
		return (value, report) => {
			if (Number.isNaN(instantOf(value))) report(wrong);
		};
	}
	if (schema instanceof z.ZodArray) {
		const check = compile(schema.element as z.ZodTypeAny, `${path}[]`);
		return (list, report) => {
			for (const element of list as unknown[]) check(element, report);
		};
	}
	if (!(schema instanceof z.ZodObject)) return undefined;
	const fields = Object.entries(schema.shape as z.ZodRawShape).map(
		([key, field]) => [key, compile(field, path === '' ? key : `${path}.${key}`)] as const,
	);
	return (row, report) => {
		for (const [key, check] of fields) check((row as Record<string, unknown>)[key], report);
	};
}
