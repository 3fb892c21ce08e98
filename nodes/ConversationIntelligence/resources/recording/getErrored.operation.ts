import { SIMPLIFIED } from '../../listing/fields';
import { pagedList } from '../../listing/listOperation';
import { dateTypeFilter } from '../../listing/properties';
import { recordingFilters } from '../../listing/rowFilter';

/** Uploaded recordings that produced no conversation (D1 § ErroredRecordingsExport). */
export const getErrored = pagedList('errored', {
	option: {
		name: 'Get Errored',
		value: 'getErrored',
		action: 'Get errored recordings',
		description: 'Get the recordings of a date range that were uploaded but produced no conversation',
	},
	rowKind: 'errored recordings',
	simplified: [...SIMPLIFIED.recording, 'error'],
	filters: [dateTypeFilter, ...recordingFilters],
});
