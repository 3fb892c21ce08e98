/** Expressions that mend a refused value, ready to paste. */
import { CodedError } from '../../shared/base/codedError';
import type { Reading } from '../warnings';
import ROWS from './mends.json';
import { datesOf } from './notations';

/** Characters of an expression or a value that a description repeats. */
const MAX_SOURCE = 500;

/**
 * By codes: what the value is like as text or JSON, and the expressions: `$x` is the one that gave the value, `$v` the
 * value, `$1` the pattern's group.
 */
const MENDS = ROWS.map(([codes, like, ...mends]) => ({
	codes: codes.split(' '),
	like: new RegExp(like),
	mends,
}));

/** The expression that gives a column of the input, e.g. `$json["Start time"]`. */
export function columnOf(column: string): string {
	return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(column) ? `$json.${column}` : `$json[${JSON.stringify(column)}]`;
}

/** What is between the braces of a parameter that consists of one expression. */
function expressionOf(parameter: unknown): string | undefined {
	const inner = /^=\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(String(parameter).slice(0, MAX_SOURCE))?.[1].trim();
	const isOne = inner && /^[\w$.?]+$/.test(inner.replace(/\[(["'])[^"'\]]*\1\]/g, ''));
	return isOne ? inner : inner && `(${inner})`;
}

/**
 * The error of a value with the expressions that mend it, in its description.
 * @param how `parameter` gave the value, e.g. `={{ $json.Start }}`
 */
export function withMends(
	error: CodedError,
	value: unknown,
	{ parameter, isAutomatic, ...reading }: { parameter: unknown; isAutomatic?: boolean } & Partial<Reading>,
): CodedError {
	const { details, message, description } = error;
	const source = expressionOf(parameter);
	const mends = source === undefined ? [] : mendsOf(details.code, value, source, reading);
	if (mends.length === 0) return error;
	const where = isAutomatic ? 'Or paste in Edit Fields, before this node:' : 'Or paste:';
	const facts = `${description} ${where} ${mends.map((mend) => `{{ ${mend} }}`).join(' or ')}`;
	return new CodedError({ code: details.code, message }, { field: details.field, facts });
}

function mendsOf(code: string, value: unknown, source: string, reading: Partial<Reading>): string[] {
	const { zone, isZoneChosen, slashDates } = reading;
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
	if (text.length > MAX_SOURCE) return [];
	// With a chosen order, the expression would turn the other rows around.
	if (code === 'year_short' || (code === 'date_order_unclear' && slashDates === 'refuse')) {
		const inZone = isZoneChosen ? `, { zone: '${zone}' }` : '';
		const formats = datesOf(text).flatMap(({ format }) => format ?? []);
		const end = (format: string) => (/h/i.test(format) ? 'toISO()' : 'toISODate()');
		return formats.map((format) => `DateTime.fromFormat(${source}, '${format}'${inZone}).${end(format)}`);
	}
	const { like, mends = [] } = MENDS.find((row) => row.codes.includes(code) && row.like.test(text)) ?? {};
	const parts: Record<string, string> = {
		x: source,
		v: JSON.stringify(value),
		1: like?.exec(text)?.[1] ?? '',
	};
	return mends.map((mend) => mend.replace(/\$([xv1])/g, (_, part: string) => parts[part]));
}
