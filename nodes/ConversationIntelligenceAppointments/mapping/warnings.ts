import type { Appointment } from './buildAppointment';
import type { Columns } from './columns';
import { APPOINTMENT_FIELDS, CUSTOMER_PREFIX, isOfCustomer } from './fields';

/** Maximum names in one sentence. */
const MAX_NAMES = 20;

/** What a user should know about an item that is sent, by kind, with the fields or items that it is about. */
const SENTENCES = {
	unknown: (names: string) =>
		`Not sent, because appointments have no such field: ${names}. Rename these columns, or send them in custom_fields.`,
	withoutMedia: (names: string) => `Not sent, because media_url is empty: ${names}.`,
	ofOtherTable: (names: string) =>
		`Not sent, because the input also has columns that are not of an appointment: ${names}. Map these fields by hand, or send the appointment's columns alone.`,
	noCustomer: () =>
		'The customer is not sent, because it is not an object. Use customer_id and customer_name, or an object with id and name.',
	noAttendees: (_names: string, items: string) =>
		`Attendee Emails is empty${items}: the owner (User Email) is the only attendee.`,
	customer: (labels: string) =>
		`The customer is sent without ${labels}: on an existing appointment, the service may erase them. Send the whole customer to keep them.`,
	midnight: (labels: string, items: string) =>
		`${labels} has a date without a time${items}: midnight is sent. Add the time of day.`,
	endsBeforeStart: (_names: string, items: string) =>
		`End Time is before Start Time${items}. Check both times: they are sent unchanged.`,
};
type Kind = keyof typeof SENTENCES;

/** The fields that each kind of warning is about; without fields, an empty list is none. */
export type Warnings = Partial<Record<Kind, string[]>>;

const KINDS = Object.keys(SENTENCES) as Kind[];

export interface WarningOptions {
	/** Whether the operation is Update: Create or Update says in the panel what happens to a customer. */
	isUpdate: boolean;
	/** Whether the empty list of attendees was chosen. */
	ownerOnly: boolean;
	/** Whether an AI agent reads the warnings, who does not see the panel. */
	forAgent: boolean;
}

/** The warnings about one item and the body that is sent for it. */
export function warningsOf(
	{ values, warnings }: Columns,
	body: Appointment,
	options: WarningOptions,
): Warnings {
	const { customer, start_time: start, end_time: end, attendee_emails: attendees = [] } = body;
	const isMapped = 'attendee_emails' in values && !options.ownerOnly;
	const isWithoutAttendees = attendees.length === 0 && (isMapped || options.forAgent);
	const leftOut = APPOINTMENT_FIELDS.filter(
		({ id }) => isOfCustomer(id) && !(id.slice(CUSTOMER_PREFIX.length) in (customer ?? {})),
	);
	return {
		...warnings,
		noAttendees: isWithoutAttendees ? ['attendee_emails'] : [],
		customer: customer && options.isUpdate ? leftOut.map(({ displayName }) => displayName) : [],
		midnight: APPOINTMENT_FIELDS.filter(({ id, type }) => type === 'dateTime' && isDay(values[id])).map(
			({ displayName }) => displayName,
		),
		// The fixed format of D2 § Limits, 2 makes texts compare like times.
		endsBeforeStart: start !== undefined && end !== undefined && end < start ? ['end_time'] : [],
	};
}

/** Whether a valid time is written without a time of day, e.g. `2026-03-01`. */
function isDay(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '' && !/[T\s]\d|^\d{12,}$/i.test(value.trim());
}

/**
 * The warnings as sentences.
 *
 * @param items what follows the subject in a hint, e.g. ` [Item 1, 3]`
 */
export function sentencesOf(warnings: Warnings, items = ''): string[] {
	return KINDS.filter((kind) => warnings[kind]?.length).map((kind) =>
		SENTENCES[kind](listed(warnings[kind] ?? []), items),
	);
}

/** Collects the warnings of all items, for one hint of each kind. */
export class RunWarnings {
	private readonly found = new Map<Kind, { names: Set<string>; items: number[] }>();

	/** @param forAgent whether to leave out the items' numbers, which an agent does not know */
	constructor(private readonly forAgent: boolean) {}

	/** @param itemIndex from 0 */
	add(itemIndex: number, warnings: Warnings): void {
		for (const kind of KINDS.filter((one) => warnings[one]?.length)) {
			const { names, items } = this.found.get(kind) ?? { names: new Set(), items: [] };
			for (const name of warnings[kind] ?? []) names.add(name);
			items.push(itemIndex);
			this.found.set(kind, { names, items });
		}
	}

	get hints(): string[] {
		return KINDS.flatMap((kind) => {
			const { names = [], items = [] } = this.found.get(kind) ?? {};
			const place = this.forAgent ? '' : ` [Item ${listed(items.map(String))}]`;
			return sentencesOf({ [kind]: [...names] }, place);
		});
	}
}

function listed(names: string[]): string {
	const more = names.length - MAX_NAMES;
	return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
