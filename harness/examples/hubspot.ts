import type { FastifyInstance } from 'fastify';

/** A contact, deal or meeting, with its properties as text. */
export interface HubSpotRecord {
	id: string;
	createdAt: string;
	/** When it was deleted. */
	archivedAt?: string;
	properties: Record<string, string | null | undefined>;
	/** IDs of the linked records by their type, e.g. `contacts`. */
	links?: Record<string, string[]>;
}

/** What HubSpot stores. */
export interface HubSpot {
	owners: Array<{ id: string; email: string }>;
	contacts: HubSpotRecord[];
	deals: HubSpotRecord[];
	meetings: HubSpotRecord[];
}

type RecordType = Exclude<keyof HubSpot, 'owners'>;

interface Search {
	after?: string;
	limit: number;
	properties: string[];
	/** Any of them must fit. */
	filterGroups: Array<{ filters: [{ propertyName: string; value: number; highValue?: number }] }>;
}

interface BatchRead {
	properties: string[];
	inputs: Array<{ id: string }>;
}

interface NewRecord {
	properties: HubSpotRecord['properties'];
	associations: Array<{ to: { id: number | string }; types: Array<{ associationTypeId: number }> }>;
}

/** So that every list has several pages. */
const RECORDS_PER_PAGE = 2;
const RECORDS_PER_BATCH = 100;
/** HubSpot's number for the link from a meeting to a contact. */
const MEETING_TO_CONTACT = 200;

/** The parts of HubSpot's API that the examples use. */
export function hubSpotRoutes(server: FastifyInstance, hubSpot: HubSpot): void {
	const add = (type: RecordType, properties: HubSpotRecord['properties'], links = {}) => {
		const id = String(hubSpot[type].length + 1001);
		const record = { id, createdAt: new Date().toISOString(), properties, links };
		hubSpot[type].push(record);
		return record;
	};
	server.get<{ Querystring: { email?: string; after?: string } }>(
		'/api.hubapi.com/crm/v3/owners',
		async ({ query: { email, after } }) =>
			page(
				hubSpot.owners.filter((owner) => email === undefined || owner.email === email),
				after,
			),
	);
	server.post<{ Body: Search }>('/api.hubapi.com/crm/v3/objects/meetings/search', async ({ body }) => {
		const found = hubSpot.meetings.filter(({ archivedAt, properties }) =>
			body.filterGroups.some(({ filters: [{ propertyName, value, highValue = Infinity }] }) => {
				const at = Date.parse(properties[propertyName] ?? '');
				return !archivedAt && at >= value && at <= highValue;
			}),
		);
		return { total: found.length, ...page(found.map(only(body.properties)), body.after, body.limit) };
	});
	server.get<{ Querystring: { archived?: string; after?: string } }>(
		'/api.hubapi.com/crm/v3/objects/meetings',
		async ({ query: { archived, after } }) =>
			page(
				hubSpot.meetings
					.filter(({ archivedAt }) => Boolean(archivedAt) === (archived === 'true'))
					.map(only([])),
				after,
			),
	);
	server.post<{ Params: { type: RecordType }; Body: BatchRead }>(
		'/api.hubapi.com/crm/v3/objects/:type/batch/read',
		async ({ params: { type }, body: { inputs, properties } }, reply) => {
			const ids = inputs.map(({ id }) => id);
			// Of an empty batch HubSpot does not say what it does.
			if (
				ids.length === 0 ||
				!ids.every((id) => /^\d+$/.test(id)) ||
				ids.length > RECORDS_PER_BATCH ||
				new Set(ids).size < ids.length
			)
				return await reply.code(400).send({ status: 'error', category: 'VALIDATION_ERROR' });
			const results = hubSpot[type].filter(({ id }) => ids.includes(id)).map(only(properties));
			return await reply.code(results.length < ids.length ? 207 : 200).send({ status: 'COMPLETE', results });
		},
	);
	server.post<{ Params: { to: string }; Body: BatchRead }>(
		'/api.hubapi.com/crm/v4/associations/meetings/:to/batch/read',
		async ({ params: { to: type }, body: { inputs } }, reply) => {
			const results = inputs.flatMap(({ id }) => {
				const meeting = hubSpot.meetings.find((known) => known.id === id);
				const ids = meeting?.links?.[type] ?? [];
				return meeting ? [{ from: { id }, to: ids.map((toObjectId) => ({ toObjectId })) }] : [];
			});
			return await reply
				.code(results.length < inputs.length ? 207 : 200)
				.send({ status: 'COMPLETE', results });
		},
	);
	server.post<{ Body: NewRecord }>(
		'/api.hubapi.com/crm/v3/objects/meetings',
		async ({ body: { properties, associations } }, reply) => {
			const contacts = associations
				.filter(({ types }) =>
					types.some(({ associationTypeId }) => associationTypeId === MEETING_TO_CONTACT),
				)
				.map(({ to }) => String(to.id));
			return await reply.code(201).send(add('meetings', properties, { contacts }));
		},
	);
	server.post<{
		Params: { email: string };
		Body: { properties: Array<{ property: string; value: string }> };
	}>(
		'/api.hubapi.com/contacts/v1/contact/createOrUpdate/email/:email',
		async ({ params: { email }, body }) => {
			const known = hubSpot.contacts.find(({ properties }) => properties.email === email);
			const contact = known ?? add('contacts', { email });
			for (const { property, value } of body.properties) contact.properties[property] = value;
			return { vid: Number(contact.id), isNew: !known };
		},
	);
}

function page<Row>(rows: Row[], after = '0', limit = RECORDS_PER_PAGE) {
	const next = Number(after) + Math.min(limit, RECORDS_PER_PAGE);
	return {
		results: rows.slice(Number(after), next),
		...(next < rows.length && { paging: { next: { after: String(next) } } }),
	};
}

/** Returns a record as HubSpot does, with the properties that were asked for. */
const only =
	(names: string[]) =>
	({ id, createdAt, archivedAt, properties }: HubSpotRecord) => ({
		id,
		createdAt,
		updatedAt: createdAt,
		archived: archivedAt !== undefined,
		archivedAt,
		properties: {
			hs_object_id: id,
			...Object.fromEntries(names.map((name) => [name, properties[name] ?? null])),
		},
	});
