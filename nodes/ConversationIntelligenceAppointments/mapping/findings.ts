import type { IExecuteFunctions } from 'n8n-workflow';
import { customerSchema, type Appointment } from '../../shared/contract';
import type { Columns } from './columns';
import { CUSTOMER_PREFIX, LABELS } from './fields';

/** Most names that a hint lists. */
const MOST_NAMES = 20;

/** What a user should know about the items that are sent: collected from all of them, reported once. */
export class MappingFindings {
	private readonly unmapped = new Set<string>();

	private readonly unsentRecording = new Set<string>();

	private readonly customerParts = new Set<string>();

	private readonly endsBeforeStart: number[] = [];

	/**
	 * @param itemIndex from 0
	 * @param columns of the item
	 * @param body as it is sent
	 */
	add(itemIndex: number, { unmapped, unsentRecording }: Columns, body: Appointment): void {
		for (const name of unmapped) this.unmapped.add(name);
		for (const name of unsentRecording) this.unsentRecording.add(name);
		for (const part of body.customer ? customerSchema.keyof().options : []) {
			if (body.customer?.[part] === undefined) this.customerParts.add(labelOf(part));
		}
		const { start_time: start, end_time: end } = body;
		// Both have the fixed format of D2 § Limits, 2, which sorts by time.
		if (start !== undefined && end !== undefined && end < start) this.endsBeforeStart.push(itemIndex);
	}

	/** Adds one execution hint for each kind of finding. */
	report(context: IExecuteFunctions): void {
		const hint = (found: Iterable<string | number>, message: (names: string) => string) => {
			const names = listed([...found]);
			if (names !== '') context.addExecutionHints({ message: message(names), location: 'outputPane' });
		};
		hint(
			this.unmapped,
			(names) =>
				`Columns that are not sent, because an appointment has no such field: ${names}. Rename them, or send them in custom_fields.`,
		);
		hint(
			this.unsentRecording,
			(names) => `Columns that are not sent, because Ingest Recording is off: ${names}.`,
		);
		hint(
			this.customerParts,
			(names) =>
				`A customer was sent without ${names}: on an existing appointment, the service may erase them. Send the whole customer to keep them.`,
		);
		hint(
			this.endsBeforeStart,
			(names) => `End Time is before Start Time [Item ${names}]. The times were sent as they are.`,
		);
	}
}

const labelOf = (part: string) => LABELS.get(`${CUSTOMER_PREFIX}${part}`) ?? part;

function listed(names: Array<string | number>): string {
	const more = names.length - MOST_NAMES;
	return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
