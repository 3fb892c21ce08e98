/** Expressions that mend a refused value, ready to paste. */
import { DateTime } from 'luxon';
import { CodedError } from '../../shared/base/errors';
import type { ValueContext } from '../warnings';
import ROWS from './mends.json';
import { datesOf } from './notations';

/** Characters of an expression or a value that a description repeats. */
const MAX_SOURCE = 500;

/** By codes: what a value is like, and the expressions, which keep all others; `$x` gave `$v`, `$1` is the pattern's group. */
const MENDS = ROWS.map(([codes, like, ...mends]) => ({ codes, like: new RegExp(like), mends }));

/** Dates with their month as a word, with and without a time, as Luxon's formats. */
const WRITTEN = ['MMMM d, yyyy', 'MMM d, yyyy', 'd MMMM yyyy', 'd MMM yyyy', 'd-MMM-yyyy'].flatMap((date) =>
	['', ' h:mm a', ', h:mm a', ' H:mm', ', H:mm'].map((time) => date + time),
);

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

/** How a refused value was read; `parameter` gave it, e.g. `={{ $json.Start }}`. */
type How = Partial<ValueContext> & { parameter: unknown; isAutomatic?: boolean };

/** The error of a value with the expressions that mend it, in its description. */
export function withMends(error: CodedError, value: unknown, how: How): CodedError {
	const { details, message, description } = error;
	const source = expressionOf(how.parameter);
	const mends = source === undefined ? [] : mendsOf(details.code, value, source, how);
	if (mends.length === 0) return error;
	const where = how.isAutomatic ? 'Or paste in Edit Fields, before this node:' : 'Or paste:';
	const facts = `${description} ${where} ${mends.map((mend) => `{{ ${mend} }}`).join(' or ')}`;
	return new CodedError({ code: details.code, message }, { field: details.field, facts });
}

function mendsOf(code: string, value: unknown, source: string, { zone, isZoneChosen, slashDates }: How) {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
	if (text.length > MAX_SOURCE) return [];
	// With a chosen order, the expression would turn the other rows around.
	// With a chosen order, the expression would turn the other rows around.
	const isInFigures = code === 'year_short' || (code === 'date_order_unclear' && slashDates === 'refuse');
	const formats = isInFigures
		? datesOf(text).flatMap(({ format }) => format ?? [])
		: WRITTEN.filter((one) => code === 'time_invalid' && DateTime.fromFormat(text, one).isValid).slice(0, 1);
	if (formats.length > 0) {
		const inZone = isZoneChosen ? `, { zone: '${zone}' }` : '';
		const end = (format: string) => (/h/i.test(format) ? 'toISO()' : 'toISODate()');
		const read = (format: string) => `DateTime.fromFormat(${source}, '${format}'${inZone}).${end(format)}`;
		return formats.map((format) => `${read(format)} ?? ${source}`);
	}
	const { like, mends = [] } =
		MENDS.find((row) => row.codes.split(' ').includes(code) && row.like.test(text)) ?? {};
	const parts: Record<string, string> = {
		x: source,
		v: String(JSON.stringify(value)).replaceAll('<', String.raw`\u003c`),
		1: like?.exec(text)?.[1] ?? '',
	};
	return mends.map((mend) => mend.replace(/\$([xv1])/g, (_, part: string) => parts[part]));
}
