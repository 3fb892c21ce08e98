import { UserError, type IDataObject } from 'n8n-workflow';

/** Most characters of a refused value that a message quotes. */
const MAX_QUOTED = 100;

/**
 * The error for a parameter that cannot be used: a wrong value is refused, never ignored.
 *
 * @param label of the parameter, as in the panel
 * @param advice what to do, one sentence
 */
export function refusedValue(refused: { label: string; value: unknown; advice: string }): UserError {
	const { label, value, advice } = refused;
	const quoted = JSON.stringify(value) ?? 'undefined';
	const shown = quoted.length > MAX_QUOTED ? `${quoted.slice(0, MAX_QUOTED)}…` : quoted;
	return new UserError(`${label} is ${shown}`, { description: advice });
}

/**
 * An entry of a collection such as Options.
 *
 * @returns the fallback only if the user did not add the entry; the result of an expression stays, even undefined
 */
export function entryOf(collection: IDataObject, name: string, fallback: unknown): unknown {
	return Object.hasOwn(collection, name) ? collection[name] : fallback;
}

/** @throws UserError for anything but true or false */
export function booleanOf(value: unknown, label: string): boolean {
	if (typeof value === 'boolean') return value;
	throw refusedValue({ label, value, advice: 'Use true or false.' });
}

/** @throws UserError for anything but one of the choices, naming them */
export function choiceOf<Choice extends string>(
	value: unknown,
	label: string,
	choices: readonly Choice[],
): Choice {
	const chosen = choices.find((choice) => choice === value);
	if (chosen !== undefined) return chosen;
	throw refusedValue({ label, value, advice: `Use one of ${choices.join(', ')}.` });
}

/**
 * Reads a whole number, or text that is one.
 *
 * @throws UserError for anything else, and for a number outside of the bounds
 */
export function wholeNumberOf(value: unknown, label: string, least: number, most = Infinity): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	const isWhole = typeof number === 'number' && Number.isInteger(number);
	if (isWhole && number >= least && number <= most) return number;
	const bounds = most === Infinity ? `from ${least}` : `from ${least} to ${most}`;
	throw refusedValue({ label, value, advice: `Use a whole number ${bounds}.` });
}

/** @throws UserError for anything but text; outer spaces are removed */
export function textOf(value: unknown, label: string): string {
	if (typeof value === 'string') return value.trim();
	throw refusedValue({ label, value, advice: 'Use text, or leave it empty.' });
}
