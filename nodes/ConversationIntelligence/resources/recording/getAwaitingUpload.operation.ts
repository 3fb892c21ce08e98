import { recordingsExportSchema } from '../../../shared/contract';
import { pagedRows } from '../../listing/pagedRows';
import { listOperation } from '../../listing/listOperation';
import { pagedOptions } from '../../listing/properties';
import { usersOptions } from '../../listing/usersFilter';
import { emailOfRecording, simplifiedRecording } from '../../listing/recordings';

/** Recordings still on the rep's device; they can only be selected by their start (D1 § RecordingsExport, rule 4). */
export const getAwaitingUpload = listOperation({
	option: {
		name: 'Get Awaiting Upload',
		value: 'getAwaitingUpload',
		action: 'Get recordings awaiting upload',
		description: "Get the recordings of a date range that are still on the rep's device",
	},
	ownOptions: [...pagedOptions, ...usersOptions],
	schema: recordingsExportSchema,
	simplified: simplifiedRecording,
	rowKind: 'awaiting-upload',
	emailOf: emailOfRecording,
	open: (context, itemIndex, request) => pagedRows(context, itemIndex, request, ['awaitingUpload']),
});
