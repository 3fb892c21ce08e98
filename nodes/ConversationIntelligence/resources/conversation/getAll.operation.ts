import { UserError, type IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { conversationsExportSchema } from '../../../shared/contract';
import { pagedRows } from '../../listing/pagedRows';
import type { ArrayName } from '../../../shared/reading';
import { listOperation } from '../../listing/listOperation';
import { pagedOptions } from '../../listing/properties';
import type { ListRequest } from '../../listing/spec';
import { usersOptions } from '../../listing/usersFilter';
import { simplifiedConversation } from '../../listing/simplified';
import { dateTypeOption, emailOfRecording } from '../../listing/recordings';

/** Recordings that can come along, because each page of the service holds them anyway. */
const ALSO: Record<string, ArrayName> = { awaitingUpload: 'awaitingUpload', errored: 'errored' };

/** All conversations of a date range, page by page (D1 § POST /export/conversations). */
export const getAll = listOperation({
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many conversations',
		description: 'Get the conversations of a date range',
	},
	ownOptions: [
		{
			displayName: 'Also Include',
			name: 'alsoInclude',
			type: 'multiOptions',
			displayOptions: { show: { '/returnAll': [true] } },
			options: [
				{ name: 'Awaiting Upload', value: 'awaitingUpload' },
				{ name: 'Errored', value: 'errored' },
			],
			default: [],
			description: 'Also return these recordings; <code>kind</code> tells rows apart',
		},
		dateTypeOption,
		...pagedOptions,
		...usersOptions,
	],
	schema: conversationsExportSchema,
	arrays: arraysOf,
	addedFields: (request) =>
		z.object({
			urlsExpireAt: z.string(),
			...(arraysOf(request).length > 1 ? { kind: z.string(), error: z.string() } : {}),
		}),
	simplified: simplifiedConversation,
	// The recording's ID is the one that rows of every kind have.
	kept: (request) => (arraysOf(request).length > 1 ? ['recordingId', 'kind', 'error'] : []),
	rowKind: 'conversations',
	emailOf: emailOfRecording,
	open: (context, itemIndex, request) => pagedRows(context, itemIndex, request, arraysOf(request)),
});

function arraysOf({ options }: ListRequest): ArrayName[] {
	const also = Array.isArray(options.alsoInclude) ? options.alsoInclude.map(String) : [];
	const arrays = also.map((name) => {
		if (Object.hasOwn(ALSO, name)) return ALSO[name];
		throw new UserError(`Also Include names "${name}". Use awaitingUpload or errored.`);
	});
	refuseAwaitingByProcessedDate(arrays, options);
	return ['conversations', ...new Set(arrays)];
}

function refuseAwaitingByProcessedDate(arrays: ArrayName[], { dateType }: IDataObject): void {
	if (dateType !== 'processedDate' || !arrays.includes('awaitingUpload')) return;
	throw new UserError(
		'Recordings that await their upload have no processed date. Remove Awaiting Upload, or set Date Type to Time of Recording.',
	);
}
