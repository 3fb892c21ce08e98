import type { FastifyInstance } from 'fastify';

/** An event with its fields by their API names, `Owner` and `Who` as objects. */
export interface SalesforceEvent extends Record<string, unknown> {
	Id: string;
	IsDeleted: boolean;
	IsChild: boolean;
	StartDateTime: string;
	SystemModstamp: string;
	WhoId?: string;
	Description?: string | null;
	invitees: SalesforceInvitee[];
}

export interface SalesforceInvitee {
	Relation: { Email: string | null; Type: 'User' | 'Contact' | 'Calendar' };
	Status: 'New' | 'Accepted' | 'Declined';
	IsDeleted: boolean;
}

/** Where the credential of the double signs in. */
export const INSTANCE_URL = 'https://example.my.salesforce.com';
const API = '/example.my.salesforce.com/services/data/v59.0';
/** So that the events have several pages. */
const EVENTS_PER_PAGE = 2;

/** The parts of Salesforce's REST API that the examples use, which reads as much of SOQL as they write. */
export function salesforceRoutes(server: FastifyInstance, events: SalesforceEvent[]): void {
	const query = (soql: string, found: SalesforceEvent[], start: number) => {
		const next = start + EVENTS_PER_PAGE;
		const done = next >= found.length;
		return {
			totalSize: found.length,
			done,
			...(!done && { nextRecordsUrl: `/services/data/v59.0/query/01gD0000002HU6KIAW-${next}` }),
			records: found.slice(start, next).map((event) => selected(soql, event)),
		};
	};
	let soql = '';
	const all = () => {
		const [changedFrom, from, to] = [
			/SystemModstamp >= (\S+) OR/,
			/WhoId != null AND StartDateTime >= (\S+)/,
			/StartDateTime < ([^\s)]+)/,
		].map((condition) => Date.parse(condition.exec(soql)![1]));
		return events.filter(({ IsChild, StartDateTime, SystemModstamp, WhoId }) => {
			const start = Date.parse(StartDateTime);
			const isUpcoming = WhoId !== undefined && start >= from && start < to;
			const isChanged = Date.parse(SystemModstamp) >= changedFrom;
			return (isChanged || isUpcoming) && !(IsChild && soql.includes('IsChild = false'));
		});
	};
	server.get<{ Querystring: { q: string } }>(`${API}/queryAll`, async ({ query: { q } }) =>
		query((soql = q), all(), 0),
	);
	server.get<{ Params: { locator: string } }>(`${API}/query/:locator`, async ({ params: { locator } }) =>
		query(soql, all(), Number(locator.split('-')[1])),
	);
	// Unlike queryAll, leaves out what is deleted.
	server.get<{ Querystring: { q: string } }>(`${API}/query`, async ({ query: { q } }) => {
		const id = /WHERE Id = '(\w+)'$/.exec(q)?.[1];
		return query(
			q,
			events.filter((event) => event.Id === id && !event.IsDeleted),
			0,
		);
	});
	server.patch<{ Params: { id: string }; Body: Partial<SalesforceEvent> }>(
		`${API}/sobjects/Event/:id`,
		async ({ params: { id }, body }, reply) => {
			Object.assign(events.find((event) => event.Id === id)!, body);
			return await reply.code(204).send();
		},
	);
}

/** The fields of an event that a query selects. */
function selected(soql: string, event: SalesforceEvent) {
	const [list = '', subquery = ''] = /, \((SELECT [^)]+)\)/.exec(soql) ?? [];
	const fields = /^SELECT (.*) FROM Event/.exec(soql.replace(list, ''))![1];
	const row: Record<string, unknown> = { attributes: { type: 'Event' } };
	for (const [object, field] of fields.split(', ').map((name) => name.split('.')))
		row[object] = field ? pick(event[object], field, row[object]) : (event[object] ?? null);
	if (subquery) {
		const kept = event.invitees.filter(
			({ IsDeleted }) => !IsDeleted || !subquery.includes('IsDeleted = false'),
		);
		row.EventRelations = kept.length > 0 ? { totalSize: kept.length, done: true, records: kept } : null;
	}
	return row;
}

const pick = (object: unknown, field: string, picked: unknown) =>
	object ? { ...(picked as object), [field]: (object as Record<string, unknown>)[field] ?? null } : null;
