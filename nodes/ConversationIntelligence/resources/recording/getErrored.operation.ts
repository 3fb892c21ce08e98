import { erroredRecordingsExportSchema } from '../../../shared/contract';
import { SIMPLIFIED } from '../../listing/fields';
import { listOperation } from '../../listing/listOperation';
import { emailOfRecording, pagedSource } from '../../listing/pagedSource';
import { dateTypeFilter, pagedOptions } from '../../listing/properties';
import { usersFilter } from '../../../shared/users';
import { guardOption } from '../../listing/usersGuard';

/** Uploaded recordings that produced no conversation (D1 § ErroredRecordingsExport). */
export const getErrored = listOperation({
	option: {
		name: 'Get Errored',
		value: 'getErrored',
		action: 'Get errored recordings',
		description: 'Get the recordings of a date range that were uploaded but produced no conversation',
	},
	rowKind: 'errored-recordings',
	schema: erroredRecordingsExportSchema,
	simplified: [...SIMPLIFIED.recording, 'error'],
	filters: [dateTypeFilter, usersFilter],
	options: [guardOption, ...pagedOptions],
	emailOf: emailOfRecording,
	open: (item, request) => pagedSource(item, request, ['errored']),
});
