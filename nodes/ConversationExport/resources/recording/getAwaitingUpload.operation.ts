import { recordingsExportSchema } from '../../../shared/contract';
import { arrayReader, DEFAULT_CONCURRENCY } from '../list/arrayReader';
import { listOperation } from '../list/listOperation';
import { concurrencyOption } from '../list/properties';
import { usersOptions } from '../users';
import { emailOfRecording, simplifiedRecording } from './shared';

/** Recordings still on the rep's device; they can only be selected by their start (D1 § RecordingsExport, rule 4). */
export const getAwaitingUpload = listOperation({
	option: {
		name: 'Get Awaiting Upload',
		value: 'getAwaitingUpload',
		action: 'Get recordings awaiting upload',
		description: "Get the recordings of a date range that are still on the rep's device",
	},
	ownOptions: [concurrencyOption(DEFAULT_CONCURRENCY), ...usersOptions],
	schema: recordingsExportSchema,
	simplified: simplifiedRecording,
	rowKind: 'awaiting-upload',
	emailOf: emailOfRecording,
	open: (context, itemIndex, request) => arrayReader(context, itemIndex, request, ['awaitingUpload']),
});
