/** The five operations, and what they have in common. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isObject, quoted, wellFormed } from '../shared/base/text';
import { conversationReference, readConversationId } from '../shared/selection/entered';
import { requestRun } from '../shared/http/requestRun';
import type { Item } from '../shared/node/item';
import type { Operation, Resource } from '../shared/node/resources';
import { deleteAppointment, postAppointment, postMatch } from './api';
import { buildAppointment, plainName, readColumns, type Appointment } from './mapping/appointment';
import {
	sentencesOf,
	warningsOf,
	warnOfShared,
	type KeyedInput,
	type WarnedInput,
	type Warnings,
} from './itemWarnings';
import { readsCancelled } from './mapping/status';
import { readZone } from './mapping/times';
import { fieldError, isUnset, readId } from './mapping/values';
import {
	bookedStatuses,
	cancelledStatuses,
	eventIdProperty,
	mappingProperties,
	missingIsDeleted,
	options,
	optionsProperty,
	requestOptions,
	statusProperties,
} from './appointmentParameters';

type UpsertInput = KeyedInput & { body: Appointment };

/** `tolerated` statuses are no failure: 404 without the appointment, 409 because it has a recording. */
type DeleteInput = KeyedInput & { tolerated: number[] };

type Preview = WarnedInput & { preview: IDataObject };

interface Own<Input> extends Pick<Operation<Input>, 'option' | 'properties' | 'read' | 'afterRead'> {
	/** Sends an item, and returns its output without the warnings. */
	run(item: Item, input: Input): Promise<IDataObject>;
	/** The output of an item of Preview Only, for operations that have this option. */
	preview?(input: Input): IDataObject;
}

/** Adds what all operations do: items of a key run in their order, and each output ends with its warnings. */
const operationOf = <Input extends KeyedInput>(own: Own<Input>): Operation<Input | Preview> => ({
	key: ({ key }) => key,
	afterRead: (inputs) => warnOfShared(inputs, 'event_id_shared'),
	warningsOf,
	triesAll: true,
	...own,
	isPreview: (input) => 'preview' in input,
	read: (item) => (item.option(options.previewOnly) ? readPreview(item, own) : own.read(item)),
	async execute(item, input) {
		const output = 'preview' in input ? input.preview : await own.run(item, input);
		// In the editor, a hint says that nothing was sent.
		const hidden = item.context.getMode() === 'manual' ? { preview_only: [] } : {};
		return [{ json: { ...output, warnings: sentencesOf({ ...input.warnings, ...hidden }) } }];
	},
});

/** Reads an item of Preview Only, which is returned even if it would be rejected. */
function readPreview<Input extends KeyedInput>(item: Item, { read, preview }: Own<Input>): Preview {
	const preview_only = ['previewOnly'];
	try {
		const input = read(item);
		return { ...input, warnings: { ...input.warnings, preview_only }, preview: preview!(input) };
	} catch (error) {
		const { eventId } = item.ids;
		const output = { action: 'rejected', event_id: eventId, ...item.failed(error).json };
		return { index: item.index, value: eventId, warnings: { preview_only }, preview: output };
	}
}

const upsert = operationOf<UpsertInput>({
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update appointment',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	properties: mappingProperties,
	read: (item) => readAppointment(item, true),
	preview: ({ body }) => wouldSend('would_book', body),
	run: sendAppointment,
});

const update = operationOf<UpsertInput>({
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update appointment',
		description: 'Change some fields of an appointment',
	},
	properties: mappingProperties,
	read: (item) => readAppointment(item, false),
	preview: ({ body }) => wouldSend('would_update', body),
	run: sendAppointment,
});

/** Creates or updates an appointment, or deletes it if its row is cancelled; the last row of an event ID wins. */
const sync = operationOf<UpsertInput | DeleteInput>({
	option: {
		name: 'Sync Appointments',
		value: 'sync',
		action: 'Sync appointments',
		description: 'Create, update or delete each appointment, depending on its status',
	},
	properties: [...statusProperties, ...mappingProperties],
	read(item) {
		const { value, columns: known } = readStatus(item);
		const columns = readColumns(item, known);
		const { event_id } = columns.values;
		nameItem(item, event_id);
		const lists = { cancelled: item.value(cancelledStatuses), booked: item.value(bookedStatuses) };
		if (!readsCancelled(value, 'Status', lists)) return readAppointment(item, true, columns);
		// A cancelled row needs only its event ID.
		return { ...readCommon(item), key: readEventId(item, event_id), tolerated: [404, 409] };
	},
	preview: (input) =>
		'body' in input ? wouldSend('would_book', input.body) : { action: 'would_delete', event_id: input.key },
	async run(item, input) {
		if ('body' in input) return { action: 'booked', ...(await sendAppointment(item, input)) };
		const { deleted, existed, ...rest } = await sendDelete(item, input);
		return { action: !deleted ? 'kept' : existed ? 'deleted' : 'unchanged', ...rest };
	},
});

const remove = operationOf<DeleteInput>({
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete appointment',
		description: 'Delete an appointment that has no linked recording',
	},
	properties: [eventIdProperty, optionsProperty([missingIsDeleted])],
	read(item) {
		const tolerated = item.option(missingIsDeleted) ? [404] : [];
		return { ...readCommon(item), key: readEventId(item), tolerated };
	},
	run: sendDelete,
});

const conversationReferenceProperty: INodeProperties = {
	displayName: 'Conversation',
	name: 'conversationId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description:
		'The conversation to link, by its ID or its link in the web app. Its earlier link is overwritten.',
	...conversationReference,
};

const match = operationOf<KeyedInput & { ids: IDataObject }>({
	option: {
		name: 'Match Conversation',
		value: 'match',
		action: 'Match conversation',
		description: 'Link a recorded conversation to an existing appointment',
	},
	properties: [eventIdProperty, conversationReferenceProperty, optionsProperty()],
	read(item) {
		const ids = { event_id: readEventId(item), conversation_id: readConversationId(item) };
		// The link is the conversation's (D2 § POST /custom/appointment/match); UUIDs ignore letter case.
		return { ...readCommon(item), key: ids.conversation_id.toLowerCase(), value: ids.event_id, ids };
	},
	afterRead: (inputs) => warnOfShared(inputs, 'conversation_shared'),
	async run(item, { ids, warnings }) {
		const { status: code, response } = await postMatch(item, ids);
		if (response !== 'Successfully matched conversation to event') warnings.response_unexpected = [response];
		return { matched: true, ...ids, status: code, response };
	},
});

export const appointment: Resource = {
	option: { name: 'Appointment', value: 'appointment' },
	operations: [upsert, update, sync, remove, match],
};

function readAppointment(item: Item, mayCreate: boolean, columns = readColumns(item)): UpsertInput {
	nameItem(item, columns.values.event_id);
	const zone = item.option(options.timeZone);
	const { body, warnings } = buildAppointment(columns, {
		mayCreate,
		zone: zone === '' ? item.context.getTimezone() : readZone(zone, options.timeZone.displayName),
		isZoneChosen: zone !== '',
		json: item.input.json,
		dateOrder: item.option(options.dateOrder),
		takesWholeDays: item.option(options.allDayEvents),
		ownerOnly: item.option(options.repOnly),
	});
	return { ...readCommon(item), key: body.event_id, body, warnings };
}

async function sendAppointment(item: Item, { body, warnings }: UpsertInput): Promise<IDataObject> {
	const { event_id, user_email } = body;
	const { isInDoubt, ...response } = await postAppointment(item, body);
	warnOfResponse(warnings, response);
	if (isInDoubt && body.media_url) warnings.media_maybe_twice = [event_id];
	const { retryOnFail } = item.context.getNode();
	// n8n repeats all items of the node.
	const mayRepeat = retryOnFail && item.context.getInputData().length > 1;
	if (mayRepeat && body.media_url) warnings.media_repeated = [event_id];
	return { event_id, user_email, ...response, sent: withUtc(body) };
}

const wouldSend = (action: string, body: Appointment): IDataObject => ({
	action,
	event_id: body.event_id,
	user_email: body.user_email,
	would_send: withUtc(body),
});

/** A body for the next node: its times say that they are UTC. */
function withUtc(body: Appointment): Appointment {
	const shown = { ...body };
	for (const time of ['start_time', 'end_time'] as const) {
		if (body[time] !== undefined) shown[time] = `${body[time].replace(' ', 'T')}Z`;
	}
	return shown;
}

async function sendDelete(item: Item, { key, tolerated, warnings }: DeleteInput): Promise<IDataObject> {
	const { isInDoubt, ...response } = await deleteAppointment(item, key, tolerated);
	const [isGone, isKept] = [404, 409].map((status) => response.status === status);
	warnOfResponse(warnings, response);
	if (isGone && isInDoubt) warnings.delete_in_doubt = [key];
	if (isKept) warnings.kept_with_recording = [key];
	return { deleted: !isKept, existed: !isGone || isInDoubt, event_id: key, ...response };
}

/** Warns of a success that a proxy may have sent, because D2 confirms in a plain text. */
function warnOfResponse(warnings: Warnings, { status, response }: { status: number; response: string }) {
	const isPlain = response.length <= 1000 && !/^[{[]/.test(response);
	if (status < 300 && !isPlain) warnings.response_unexpected = [response];
}

function readEventId(item: Item, value = item.parameter(eventIdProperty.name, '')): string {
	nameItem(item, value);
	if (isUnset(value)) throw fieldError('field_missing', eventIdProperty.displayName);
	return readId(value, eventIdProperty.displayName);
}

/** Names the item in its messages, even when its event ID cannot be sent. */
function nameItem(item: Item, eventId: unknown): void {
	if (!isUnset(eventId))
		item.ids.eventId = typeof eventId === 'string' ? wellFormed(eventId) : quoted(eventId);
}

/** What every operation reads of an item. The lowest limits of all items apply to all. */
function readCommon(item: Item): Omit<KeyedInput, 'key'> {
	const { limiter } = requestRun(item.context);
	limiter.limit({
		concurrency: item.option(requestOptions.concurrency),
		perSecond: item.option(requestOptions.perSecond) || Infinity,
	});
	// Only this API has usage plans (D2 § Limits, 1).
	limiter.rate.startSlowly();
	return { index: item.index, warnings: {} };
}

/** The status of an item, and the columns that it comes from; an expression has their names in it. */
function readStatus(item: Item): { value: unknown; columns: string[] } {
	const { json } = item.input;
	const raw = item.context.getNodeParameter('status', item.index, '', { rawExpressions: true }) as unknown;
	const { mode, value: chosen } = isObject(raw) ? raw : { mode: 'value', value: raw };
	if (mode === 'value' && !isUnset(chosen)) {
		const given = item.parameter('status');
		const columns = Object.keys(json).filter((name) => String(chosen).includes(name));
		return { value: isObject(given) && isObject(raw) ? given.value : given, columns };
	}
	const isMeant = (name: string) => (isUnset(chosen) ? plainName(name) === 'status' : name === chosen);
	const columns = Object.keys(json).filter(isMeant);
	const column = columns.find((name) => !isUnset(json[name])) ?? columns[0] ?? '';
	return { value: json[column], columns };
}
