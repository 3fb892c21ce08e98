import { recordingsExportSchema } from '../../../shared/contract';
import { SIMPLIFIED } from '../../listing/fields';
import { listOperation } from '../../listing/listOperation';
import { emailOfRecording, pagedSource } from '../../listing/pagedSource';
import { pagedOptions } from '../../listing/properties';
import { usersFilter } from '../../../shared/users';
import { guardOption } from '../../listing/usersGuard';

/** Recordings still on the rep's device; they can only be selected by their start (D1 § RecordingsExport, rule 4). */
export const getAwaitingUpload = listOperation({
	option: {
		name: 'Get Awaiting Upload',
		value: 'getAwaitingUpload',
		action: 'Get recordings awaiting upload',
		description: "Get the recordings of a date range that are still on the rep's device",
	},
	rowKind: 'awaiting-upload',
	schema: recordingsExportSchema,
	simplified: SIMPLIFIED.recording,
	filters: [usersFilter],
	options: [guardOption, ...pagedOptions],
	emailOf: emailOfRecording,
	open: (item, request) => pagedSource(item, request, ['awaitingUpload']),
});
