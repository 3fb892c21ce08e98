import type { INode } from 'n8n-workflow';
import { customerSchema, type Appointment } from '../../shared/contract';
import { isTool } from '../../shared/tool';
import type { Columns } from './columns';
import { CUSTOMER_PREFIX, LABELS } from './fields';

/** Most names in one sentence. */
const MOST_NAMES = 20;

/** What a user should know about the items that are sent, collected from all of them. */
export class MappingFindings {
	private readonly unknown = new Set<string>();

	private readonly withoutMedia = new Set<string>();

	private readonly customerParts = new Set<string>();

	private readonly endsBeforeStart = new Set<number>();

	private isOwnerAlone = false;

	constructor(private readonly node: INode) {}

	/**
	 * @param itemIndex from 0
	 * @param columns of the item
	 * @param body to be sent for it
	 */
	add(itemIndex: number, columns: Columns, body: Appointment): void {
		for (const name of columns.unknown) this.unknown.add(name);
		for (const name of columns.withoutMedia) this.withoutMedia.add(name);
		for (const part of body.customer ? customerSchema.keyof().options : []) {
			if (body.customer?.[part] === undefined) this.customerParts.add(`${CUSTOMER_PREFIX}${part}`);
		}
		const { start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
		// Both have the fixed format of D2 § Limits, 2, so that text compares like time.
		if (start !== undefined && end !== undefined && end < start) this.endsBeforeStart.add(itemIndex);
		if (attendees.length === 0) this.isOwnerAlone = true;
	}

	/** One hint for each kind of finding. */
	get hints(): string[] {
		const hint = (found: Set<string | number>, message: (names: string) => string) =>
			found.size > 0 ? [message(listed([...found]))] : [];
		return [
			...hint(
				this.unknown,
				(names) =>
					`Not sent, because appointments have no such field: ${names}. Rename these columns, or send them in custom_fields.`,
			),
			...hint(this.withoutMedia, (names) => `Not sent, because media_url is empty: ${names}.`),
			...hint(
				new Set([...this.customerParts].map((column) => LABELS.get(column) ?? column)),
				(names) =>
					`The customer is sent without ${names}: on an existing appointment, the service may erase them. Send the whole customer to keep them.`,
			),
			...hint(
				this.endsBeforeStart,
				(items) =>
					`End Time is before Start Time${isTool(this.node) ? '' : ` [Item ${items}]`}. Check both times: they are sent unchanged.`,
			),
		];
	}

	/** What an AI agent should know; n8n shows it no hints and no panel. */
	get noteForAgent(): string {
		const attendees =
			'The owner (User Email) is now the only attendee, because no Attendee Emails were sent.';
		return [
			...(this.isOwnerAlone ? [attendees] : []),
			'Other fields that were not sent are unchanged.',
			...this.hints,
		].join(' ');
	}
}

function listed(names: Array<string | number>): string {
	const more = names.length - MOST_NAMES;
	return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
