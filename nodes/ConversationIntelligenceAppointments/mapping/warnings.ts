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
		'The customer is not sent, because it is not an object. Send the whole customer, as an object or in columns such as customer_id: parts left out may be erased.',
	noAttendees: (_names: string, items: string) =>
		`Attendee Emails is empty${items}: the owner (User Email) is the only attendee.`,
	customer: (labels: string) =>
		`The customer is sent without ${labels}: on an existing appointment, the service may erase them. Send the whole customer to keep them.`,
	notCleared: (labels: string, items: string) =>
		`Fields to Clear leaves ${labels} unchanged${items}, because no customer is sent. Send the whole customer, too: parts left out may be erased.`,
	midnight: (labels: string, items: string) =>
		`${labels} has a date without a time${items}: midnight is sent. Add the time of day.`,
	endsBeforeStart: (_names: string, items: string) =>
		`End Time is before Start Time${items}. Check both times: they are sent unchanged.`,
};
type Kind = keyof typeof SENTENCES;

/** The fields that each kind of warning is about; without fields, an empty list is none. */
export type Warnings = Partial<Record<Kind, string[]>>;

const KINDS = Object.keys(SENTENCES) as Kind[];

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

	/** @param namesItems whether hints name the items; not with a single one, as in an agent's call */
	constructor(private readonly namesItems: boolean) {}

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
			const place = this.namesItems ? ` [Item ${listed(items.map(String))}]` : '';
			return sentencesOf({ [kind]: [...names] }, place);
		});
	}
}

function listed(names: string[]): string {
	const more = names.length - MAX_NAMES;
	return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
