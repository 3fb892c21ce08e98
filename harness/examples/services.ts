/** The parts of outside services' APIs that the examples use, below the name of their host. */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import recorded from './recorded.json';

/** What an outside service stores or is sent, in its own words. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

interface Asked {
	params: Json;
	query: Json;
	body: Json;
	reply: FastifyReply;
}

/** The answers of a service, by method and path. */
type Answers = Record<string, (asked: Asked) => unknown>;

/** So that every list has several pages, but a long one not hundreds. */
const perPage = (rows: Json[]) => Math.max(2, Math.ceil(rows.length / 5));

/** Microsoft Graph takes so many requests for one mailbox at a time. */
const MAX_OF_MAILBOX = 4;

/** A page of a list, and where the next one starts. */
const pageOf = (rows: Json[], from = 0, limit = Infinity) => {
	const next = from + Math.min(limit, perPage(rows));
	return { rows: rows.slice(from, next), next: next < rows.length ? String(next) : undefined };
};

export const emptyServices = () => ({
	/** The events of each calendar, recurring ones as instances. */
	calendars: { google: [] as Json[], outlook: [] as Json[] },
	/** Records have `id`, `createdAt`, `archivedAt` when deleted, `properties`, and `links`: IDs by the type of the record. */
	hubSpot: { owners: [], contacts: [], deals: [], meetings: [] } as Record<
		'owners' | 'contacts' | 'deals' | 'meetings',
		Json[]
	>,
	/** Salesforce's events by the names of their fields, and with `invitees`. */
	salesforce: [] as Json[],
	/** The rows of the Google sheet, the column names first. */
	sheet: [] as Json[][],
});
export type Services = ReturnType<typeof emptyServices>;

export const answersOf = (services: Services): Answers => ({
	...Object.fromEntries(Object.entries(recorded.answers).map(([route, answer]) => [route, () => answer])),
	...ofCalendars(services.calendars),
	...ofHubSpot(services.hubSpot),
	...ofSalesforce(services.salesforce),
	...ofSheet(services.sheet),
});

function ofCalendars({ google, outlook }: Services['calendars']): Answers {
	// Of Outlook's times, which have no offset, all are in UTC.
	const instant = ({ dateTime = '', timeZone, date }: Json) =>
		Date.parse(date ?? (timeZone === 'UTC' ? `${dateTime}Z` : dateTime));
	const isBetween = ({ start, end }: Json, from = '', to = '') =>
		!(instant(end) <= Date.parse(from)) && !(instant(start) >= Date.parse(to));
	let open = 0;
	const ofMailbox =
		(answer: Answers[string]): Answers[string] =>
		async (asked) => {
			if (open >= MAX_OF_MAILBOX)
				return asked.reply.code(429).send({ error: { code: 'ApplicationThrottled' } });
			open++;
			await delay(10);
			open--;
			return answer(asked);
		};
	return {
		'GET /www.googleapis.com/calendar/v3/calendars/:id/events': ({ query }) => {
			const found = google.filter(
				({ status, updated, recurrence, ...event }) =>
					(query.showDeleted === 'true' || status !== 'cancelled') &&
					!(query.singleEvents === 'true' && recurrence) &&
					!(Date.parse(updated) < Date.parse(query.updatedMin)) &&
					isBetween(event, query.timeMin, query.timeMax),
			);
			// Of a deleted event, Google promises no more.
			const events = found.map((event) =>
				event.status === 'cancelled' ? { id: event.id, status: event.status } : event,
			);
			const { rows: items, next } = pageOf(events, Number(query.pageToken ?? 0));
			return { kind: 'calendar#events', items, nextPageToken: next };
		},
		'GET /graph.microsoft.com/v1.0/me/events/:id': ofMailbox(
			({ params, reply }) =>
				outlook.find(({ id }) => id === params.id) ??
				reply.code(404).send({ error: { code: 'ErrorItemNotFound' } }),
		),
		'GET /graph.microsoft.com/v1.0/me/calendars/:id/calendarView': ofMailbox(({ query }) => {
			const within = outlook.filter((event) => isBetween(event, query.startDateTime, query.endDateTime));
			return { value: within.filter(({ type }) => type !== 'seriesMaster') };
		}),
	};
}

function ofHubSpot(hubSpot: Services['hubSpot']): Answers {
	const RECORDS_PER_BATCH = 100;
	/** HubSpot's number for the link from a meeting to a contact. */
	const MEETING_TO_CONTACT = 200;
	const page = (all: Json[], after = '0', limit?: number) => {
		const { rows: results, next } = pageOf(all, Number(after), limit);
		return { results, paging: next && { next: { after: next } } };
	};
	/** A record as HubSpot returns it, with the properties that were asked for. */
	const only =
		(names: string[]) =>
		({ id, createdAt, archivedAt, properties }: Json) => {
			const shown = Object.fromEntries(names.map((name) => [name, properties[name] ?? null]));
			const own = { id, createdAt, updatedAt: createdAt, archived: archivedAt !== undefined, archivedAt };
			return { ...own, properties: { hs_object_id: id, ...shown } };
		};
	const add = (type: 'contacts' | 'meetings', properties: Json, links = {}) => {
		const id = String(hubSpot[type].length + 1001);
		const record = { id, createdAt: new Date().toISOString(), properties, links };
		hubSpot[type].push(record);
		return record;
	};
	/** 207 is HubSpot's status if a part of the batch was not found. */
	const batch = (results: Json[], { length }: Json[], reply: FastifyReply) =>
		reply.code(results.length < length ? 207 : 200).send({ status: 'COMPLETE', results });
	const at = '/api.hubapi.com/crm';
	return {
		[`GET ${at}/v3/owners`]: ({ query: { email, after } }) => {
			const found = hubSpot.owners.filter((owner) => email === undefined || owner.email === email);
			return page(found, after);
		},
		[`POST ${at}/v3/objects/meetings/search`]: ({ body }) => {
			const found = hubSpot.meetings.filter(({ archivedAt, properties }) =>
				body.filterGroups.some(({ filters: [{ propertyName, value, highValue = Infinity }] }: Json) => {
					const time = Date.parse(properties[propertyName] ?? '');
					return !archivedAt && time >= value && time <= highValue;
				}),
			);
			return { total: found.length, ...page(found.map(only(body.properties)), body.after, body.limit) };
		},
		[`GET ${at}/v3/objects/meetings`]: ({ query: { archived, after } }) => {
			const found = hubSpot.meetings.filter((one) => Boolean(one.archivedAt) === (archived === 'true'));
			return page(found.map(only([])), after);
		},
		[`POST ${at}/v3/objects/:type/batch/read`]: ({ params, body: { inputs, properties }, reply }) => {
			const ids: string[] = inputs.map(({ id }: Json) => id);
			// Of an empty batch HubSpot does not say what it does.
			const isRight = ids.length > 0 && ids.length <= RECORDS_PER_BATCH && new Set(ids).size === ids.length;
			if (!isRight || !ids.every((id) => /^\d+$/.test(id)))
				return reply.code(400).send({ status: 'error', category: 'VALIDATION_ERROR' });
			const stored = hubSpot[params.type as 'deals'].filter(({ id }) => ids.includes(id));
			return batch(stored.map(only(properties)), ids, reply);
		},
		[`POST ${at}/v4/associations/meetings/:to/batch/read`]: ({ params, body: { inputs }, reply }) => {
			const results = inputs.flatMap(({ id }: Json) => {
				const meeting = hubSpot.meetings.find((known) => known.id === id);
				const ids: string[] = meeting?.links?.[params.to] ?? [];
				// HubSpot leaves out what has no link, and names it among its errors.
				const to = ids.map((linked) => ({ toObjectId: Number(linked), associationTypes: [] }));
				return to.length > 0 ? [{ from: { id }, to }] : [];
			});
			return batch(results, inputs, reply);
		},
		[`POST ${at}/v3/objects/meetings`]: ({ body: { properties, associations }, reply }) => {
			const isContact = ({ associationTypeId }: Json) => associationTypeId === MEETING_TO_CONTACT;
			const contacts = associations
				.filter(({ types }: Json) => types.some(isContact))
				.map(({ to }: Json) => String(to.id));
			return reply.code(201).send(add('meetings', properties, { contacts }));
		},
		'POST /api.hubapi.com/contacts/v1/contact/createOrUpdate/email/:email': ({ params: { email }, body }) => {
			const known = hubSpot.contacts.find(({ properties }) => properties.email === email);
			const contact = known ?? add('contacts', { email });
			for (const { property, value } of body.properties) contact.properties[property] = value;
			return { vid: Number(contact.id), isNew: !known };
		},
	};
}

/** Where the credential of the double signs in to Salesforce. */
export const INSTANCE_URL = 'https://example.my.salesforce.com';

/** Reads as much of SOQL as the examples write. */
function ofSalesforce(events: Json[]): Answers {
	const pick = (object: Json, field: string, picked: Json) =>
		object ? { ...picked, [field]: object[field] ?? null } : null;
	/** The fields of an event that a query selects. */
	const selected = (soql: string, event: Json) => {
		const [list = '', subquery = ''] = /, \((SELECT [^)]+)\)/.exec(soql) ?? [];
		const fields = /^SELECT (.*) FROM Event/.exec(soql.replace(list, ''))![1];
		const row: Json = { attributes: { type: 'Event' } };
		for (const [object, field] of fields.split(', ').map((name) => name.split('.')))
			row[object] = field ? pick(event[object], field, row[object]) : (event[object] ?? null);
		if (!subquery) return row;
		const kept = event.invitees.filter(
			({ IsDeleted }: Json) => !IsDeleted || !subquery.includes('IsDeleted = false'),
		);
		row.EventRelations = kept.length > 0 ? { totalSize: kept.length, done: true, records: kept } : null;
		return row;
	};
	const page = (soql: string, found: Json[], start = 0) => {
		const { rows, next } = pageOf(found, start);
		const nextRecordsUrl = next && `/services/data/v59.0/query/01gD0000002HU6KIAW-${next}`;
		const records = rows.map((event) => selected(soql, event));
		return { totalSize: found.length, done: !next, nextRecordsUrl, records };
	};
	let all = '';
	const changedOrUpcoming = () => {
		const [changedFrom, from, to] = [
			/SystemModstamp >= ([^\s)]+)/,
			/WhoId != null AND StartDateTime >= (\S+)/,
			/StartDateTime < ([^\s)]+)/,
		].map((condition) => Date.parse(condition.exec(all)?.[1] ?? ''));
		return events.filter(({ IsChild, IsRecurrence, StartDateTime, SystemModstamp, WhoId }) => {
			const start = Date.parse(StartDateTime);
			const isWanted = Date.parse(SystemModstamp) >= changedFrom || (WhoId && start >= from && start < to);
			const isLeftOut =
				(IsChild && all.includes('IsChild = false')) ||
				(IsRecurrence && all.includes('IsRecurrence = false'));
			return isWanted && !isLeftOut;
		});
	};
	const at = '/example.my.salesforce.com/services/data/v59.0';
	return {
		[`GET ${at}/queryAll`]: ({ query }) => page((all = query.q), changedOrUpcoming()),
		[`GET ${at}/query/:locator`]: ({ params }) =>
			page(all, changedOrUpcoming(), Number(params.locator.split('-')[1])),
		// Unlike queryAll, leaves out what is deleted.
		[`GET ${at}/query`]: ({ query: { q } }) => {
			const id = /WHERE Id = '(\w+)'$/.exec(q)?.[1];
			const found = events.filter(({ Id, IsDeleted }) => Id === id && !IsDeleted);
			return page(q, found);
		},
		[`PATCH ${at}/sobjects/Event/:id`]: ({ params, body, reply }) => {
			const event = events.find(({ Id }) => Id === params.id);
			Object.assign(event, body);
			return reply.code(204).send();
		},
	};
}

function ofSheet(rows: Services['sheet']): Answers {
	const at = '/sheets.googleapis.com/v4/spreadsheets/*';
	const write = ({ range, values }: Json) => {
		// Whole rows such as `Conversations!2:4`, or a cell such as `Conversations!C5`.
		const [, column = 'A', row] = /!([A-Z])?(\d+)/.exec(range)!;
		for (const [index, cells] of values.entries()) {
			const target = (rows[Number(row) - 1 + index] ??= []);
			cells.forEach((cell: unknown, place: number) => (target[column.charCodeAt(0) - 65 + place] = cell));
		}
		return {};
	};
	return {
		[`GET ${at}`]: ({ params }) => {
			if (params['*'].includes('/values/')) return rows.length > 0 ? { values: rows } : {};
			return { sheets: [{ properties: { sheetId: 0, title: 'Conversations' } }] };
		},
		[`POST ${at}`]: ({ params, body }) => {
			if (params['*'].endsWith(':append')) rows.push(...body.values);
			else body.data.forEach(write);
			return {};
		},
		[`PUT ${at}`]: ({ body }) => write(body),
	};
}
