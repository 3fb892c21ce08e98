import type { Appointment } from './buildAppointment';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer } from './fields';

/** Most names in one sentence. */
const MAX_NAMES = 20;

/** What a user should know about the items that are sent, by kind. */
const SENTENCES = {
	unknown: (names: string) =>
		`Not sent, because appointments have no such field: ${names}. Rename these columns, or send them in custom_fields.`,
	withoutMedia: (names: string) => `Not sent, because media_url is empty: ${names}.`,
	customer: (labels: string) =>
		`The customer is sent without ${labels}: on an existing appointment, the service may erase them. Send the whole customer to keep them.`,
	endsBeforeStart: (items: string) =>
		`End Time is before Start Time${items && ` [Item ${items}]`}. Check both times: they are sent unchanged.`,
};
type Kind = keyof typeof SENTENCES;

/** Collects the findings of all items, for one hint of each kind. */
export class MappingFindings {
	private readonly found: Record<Kind, Set<string>> = {
		unknown: new Set(),
		withoutMedia: new Set(),
		customer: new Set(),
		endsBeforeStart: new Set(),
	};

	private isOwnerAlone = false;

	/** @param forAgent whether to leave out the items' numbers, which an agent does not know */
	constructor(private readonly forAgent: boolean) {}

	/** Adds the findings about one item and the body that is sent for it. */
	add(itemIndex: number, { unknown, withoutMedia }: Columns, body: Appointment): void {
		const { customer, start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
		for (const name of unknown) this.found.unknown.add(name);
		for (const name of withoutMedia) this.found.withoutMedia.add(name);
		for (const { id, displayName } of APPOINTMENT_FIELDS) {
			const isLeftOut = customer && isOfCustomer(id) && !(id.slice(CUSTOMER_PREFIX.length) in customer);
			if (isLeftOut) this.found.customer.add(displayName);
		}
		// The fixed format of D2 § Limits, 2 makes texts compare like times.
		if (start !== undefined && end !== undefined && end < start) {
			this.found.endsBeforeStart.add(this.forAgent ? '' : String(itemIndex));
		}
		if (attendees.length === 0) this.isOwnerAlone = true;
	}

	get hints(): string[] {
		const kinds = Object.keys(this.found) as Kind[];
		return kinds
			.filter((kind) => this.found[kind].size > 0)
			.map((kind) => SENTENCES[kind](listed([...this.found[kind]])));
	}

	/** What an AI agent should know, because n8n does not show it hints or the panel. */
	get noteForAgent(): string {
		const attendees =
			'The owner (User Email) is now the only attendee, because no Attendee Emails were sent.';
		const others = 'Other fields that were not sent are unchanged.';
		return [...(this.isOwnerAlone ? [attendees] : []), others, ...this.hints].join(' ');
	}
}

function listed(names: string[]): string {
	const more = names.length - MAX_NAMES;
	return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
