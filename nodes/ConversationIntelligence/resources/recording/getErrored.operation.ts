import { pagedList } from '../../getMany/listOperation';
import { selectBy } from '../../getMany/properties';
import { recordingFilters } from '../../../shared/exportApi/conversationFilter';
import { simplified as recording } from './getAwaitingUpload.operation';

export const simplified = [...recording, 'error'];

/** Uploaded recordings that produced no conversation (D1 § ErroredRecordingsExport). */
export const getErrored = pagedList('errored', {
	option: {
		name: 'Get Errored',
		value: 'getErrored',
		action: 'Get errored recordings',
		description: 'Get the recordings of a date range that were uploaded but produced no conversation',
	},
	rowKind: 'errored recordings',
	simplified,
	properties: [selectBy],
	filters: recordingFilters,
});
