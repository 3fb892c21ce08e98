import type { IDataObject } from 'n8n-workflow';
import type { AnyZodObject } from 'zod';
import { ContractCheck } from '../../shared/contract/check';
import { ARRAYS, type ArrayName } from '../../shared/reading';
import type { ListRequest, ListSpec } from './spec';

/** Compares rows with the API documentation. */
export interface RowCheck {
	add(row: unknown): void;
	/** One sentence for each field that does not match. */
	readonly findings: string[];
}

/**
 * The check for the rows of a list.
 *
 * @param schema the documented fields of a row
 * @param arrays given when the list reads more than one; their own fields count then
 */
export function rowCheck(schema: AnyZodObject, arrays: ArrayName[] = []): RowCheck {
	return arrays.length > 1 ? new CheckByKind(arrays) : new ContractCheck(schema);
}

/**
 * Compares the rows of several arrays each with its own array's fields (D1 § ConversationsExportResponse): a recording
 * is no conversation that lacks fields. A row whose `kind` the service overwrote belongs to no array here.
 */
class CheckByKind implements RowCheck {
	private readonly checks: Map<unknown, { name: ArrayName; check: ContractCheck }>;

	constructor(arrays: ArrayName[]) {
		this.checks = new Map(
			arrays.map((name) => [ARRAYS[name].kind, { name, check: new ContractCheck(ARRAYS[name].schema) }]),
		);
	}

	add(row: unknown): void {
		this.checks.get(asRow(row).kind)?.check.add(row);
	}

	get findings(): string[] {
		return [...this.checks.values()].flatMap(({ name, check }) =>
			check.findings.map((finding) => `in ${name}, ${finding}`),
		);
	}
}

/** An item's JSON is an object: what the service sent instead of one goes below `value`. */
export function asRow(row: unknown): IDataObject {
	const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
	return (isObject ? row : { value: row }) as IDataObject;
}

/** The presigned links of a row (D1 § ConversationsExport). */
const LINKS = ['transcriptUrl', 'audioUrl'];

/**
 * The fields of each row that are output, in the documented order.
 *
 * @returns undefined for all, undocumented ones included
 */
export function fieldsToKeep(request: ListRequest, spec: ListSpec): string[] | undefined {
	const { options, simplify } = request;
	const fields: unknown = simplify ? spec.simplified : options.fields;
	if (!Array.isArray(fields) || fields.length === 0) return undefined;
	const documented = Object.keys(spec.schema.shape as object);
	const chosen = new Set([...fields.map(String), ...(spec.kept?.(request) ?? [])]);
	// A presigned link is of use only to whoever knows when it expires.
	if (LINKS.some((link) => chosen.has(link))) chosen.add('urlsExpireAt');
	return [...documented.filter((field) => chosen.delete(field)), ...chosen];
}

/** A row with only these fields, in their order; the row itself when all are wanted. */
export function keepFields(row: IDataObject, fields: string[] | undefined): IDataObject {
	if (fields === undefined) return row;
	return Object.fromEntries(fields.filter((field) => field in row).map((field) => [field, row[field]]));
}
