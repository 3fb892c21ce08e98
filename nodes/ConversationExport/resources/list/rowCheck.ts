import type { AnyZodObject } from 'zod';
import { ContractCheck } from '../../../shared/contract/check';
import { ARRAYS, type ArrayName } from './arrays';

/** What holds rows against the document. */
export interface RowCheck {
	add(row: unknown): void;
	/** One sentence for each field that departed. */
	readonly findings: string[];
}

/**
 * Holds the rows of several arrays each against its own array's fields (D1 § ConversationsExportResponse): a recording
 * is no conversation that lacks fields. A row is told by the `kind` that {@link arrayPages} gave it; one whose kind
 * the service overwrote belongs to no array here and is not judged.
 */
class CheckByKind implements RowCheck {
	private readonly checks: Map<unknown, { name: ArrayName; check: ContractCheck }>;

	constructor(arrays: ArrayName[]) {
		this.checks = new Map(
			arrays.map((name) => [ARRAYS[name].kind, { name, check: new ContractCheck(ARRAYS[name].schema) }]),
		);
	}

	add(row: unknown): void {
		const { kind } = (row ?? {}) as { kind?: unknown };
		this.checks.get(kind)?.check.add(row);
	}

	get findings(): string[] {
		return [...this.checks.values()].flatMap(({ name, check }) =>
			check.findings.map((finding) => `in ${name}, ${finding}`),
		);
	}
}

/**
 * The check for the rows of a list.
 *
 * @param schema the document's fields of a row
 * @param arrays given when the list reads more than one; their own fields count then
 */
export function rowCheck(schema: AnyZodObject, arrays: ArrayName[] = []): RowCheck {
	return arrays.length > 1 ? new CheckByKind(arrays) : new ContractCheck(schema);
}
