import type { Item } from '../../../shared/node/item';
import type { Operation } from '../../../shared/node/operation';
import { postAppointment } from '../../api';
import { buildAppointment, type Appointment } from '../../mapping/buildAppointment';
import { readColumns } from '../../mapping/columns';
import { mappingProperties, options } from '../../mapping/properties';
import { readZone } from '../../mapping/times';
import { nameItem } from '../../mapping/values';
import { common, readCommon } from '../../requestOptions';
import { sentencesOf, type KeyedInput } from '../../warnings';

export interface UpsertInput extends KeyedInput {
	body: Appointment;
	/** Whether only to show it. */
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
	...common,
	async execute(item, { body, isPreview, warnings }) {
		const { event_id, user_email } = body;
		const posted = isPreview ? { preview: true } : await postAppointment(item, body);
		const { isInDoubt, ...response } = { isInDoubt: false, ...posted };
		if (isInDoubt && body.media_url) warnings.media_maybe_twice = [event_id];
		// The times of the output say that they are UTC, so that the next node reads them right.
		const sent = { ...body };
		for (const time of ['start_time', 'end_time'] as const) {
			if (body[time] !== undefined) sent[time] = `${body[time].replace(' ', 'T')}Z`;
		}
		return [{ json: { event_id, user_email, ...response, sent, warnings: sentencesOf(warnings) } }];
	},
};

/** @param mayCreate whether to require what only a new appointment needs */
export function readAppointment(item: Item, mayCreate: boolean, columns = readColumns(item)): UpsertInput {
	nameItem(item, columns.values.event_id);
	const zone = item.option(options.timeZone);
	const buildOptions = {
		mayCreate,
		zone: zone === '' ? item.context.getTimezone() : readZone(zone, options.timeZone.displayName),
		isZoneChosen: zone !== '',
		takesWholeDays: item.option(options.allDayEvents) === 'wholeDay',
		ownerOnly: item.option(options.ownerOnly),
	};
	const { body, warnings } = buildAppointment(columns, buildOptions);
	const isPreview = item.option(options.previewOnly);
	return { ...readCommon(item), key: body.event_id, body, isPreview, warnings };
}
