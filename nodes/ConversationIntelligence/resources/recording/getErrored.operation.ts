import { erroredRecordingsExportSchema } from '../../../shared/contract';
import { pagedRows } from '../../listing/pagedRows';
import { listOperation } from '../../listing/listOperation';
import { pagedOptions } from '../../listing/properties';
import { usersOptions } from '../../listing/usersFilter';
import { dateTypeOption, emailOfRecording, simplifiedRecording } from '../../listing/recordings';

/** Uploaded recordings that produced no conversation (D1 § ErroredRecordingsExport). */
export const getErrored = listOperation({
	option: {
		name: 'Get Errored',
		value: 'getErrored',
		action: 'Get errored recordings',
		description: 'Get the recordings of a date range that were uploaded but produced no conversation',
	},
	ownOptions: [dateTypeOption, ...pagedOptions, ...usersOptions],
	schema: erroredRecordingsExportSchema,
	simplified: [...simplifiedRecording, 'error'],
	rowKind: 'errored-recordings',
	emailOf: emailOfRecording,
	open: (context, itemIndex, request) => pagedRows(context, itemIndex, request, ['errored']),
});
