import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { isTool } from '../../../shared/node/tool';
import { zoneOf } from '../../../shared/time/writtenTime';
import { postAppointment } from '../../api';
import { buildAppointment, warningsOf, type Appointment } from '../../mapping/buildAppointment';
import { readColumns } from '../../mapping/columns';
import { mappingProperties, options } from '../../mapping/properties';
import { fieldError, nameItem } from '../../mapping/values';
import { limitRequests } from '../../requestOptions';
import { compareItems, sentencesOf, type KeyedInput } from '../../warnings';

interface UpsertInput extends KeyedInput {
	body: Appointment;
	isPreview: boolean;
}

/** Creates or updates an appointment by its event ID (D2 § POST /custom/appointment). */
export const upsert: Operation<UpsertInput> = {
	option: {
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update appointment',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
	},
	properties: mappingProperties,
	read: (item) => readAppointment(item, true),
	key: ({ key }) => key,
	afterRead: (inputs) => compareItems(inputs, 'event_id_shared'),
	async execute(item, { body, isPreview, warnings }) {
		const response = isPreview ? { preview: true } : await postAppointment(item, body);
		const { event_id, user_email } = body;
		const sent = withZone(body);
		return [{ json: { event_id, user_email, ...response, sent, warnings: sentencesOf(warnings) } }];
	},
};

/** @param mayCreate whether to require what only a new appointment needs */
export function readAppointment(item: Item, mayCreate: boolean): UpsertInput {
	const columns = readColumns(item);
	nameItem(item, columns.values.event_id);
	limitRequests(item);
	const buildOptions = {
		mayCreate,
		zone: readZone(item),
		ownerOnly: item.option(options.ownerOnly),
		toClear: item.option(options.fieldsToClear),
	};
	const body = buildAppointment(columns, buildOptions);
	return {
		index: item.index,
		key: body.event_id,
		body,
		isPreview: item.option(options.previewOnly),
		warnings: warningsOf(columns, body, buildOptions, isTool(item.context.getNode())),
	};
}

function readZone(item: Item): string {
	const zone = item.option(options.timeZone);
	const found = zone === '' ? item.context.getTimezone() : zoneOf(zone);
	if (found === undefined) throw fieldError('time_zone_invalid', options.timeZone.displayName, zone);
	return found;
}

/** For the output: times that say that they are UTC, so that the next node reads them right. */
function withZone(sent: Appointment): Appointment {
	const zoned = { ...sent };
	for (const time of ['start_time', 'end_time'] as const) {
		if (sent[time] !== undefined) zoned[time] = `${sent[time].replace(' ', 'T')}Z`;
	}
	return zoned;
}
