import { recordingFilters } from '../../../shared/exportApi/conversationFilter';
import { pagedList } from '../../getMany/listOperation';

export const simplified = [
	'recordingId',
	'date',
	'title',
	'duration',
	'crmEventID',
	'userName',
	'userEmail',
	'jobNumber',
	'outcome',
	'error',
	'kind',
];

/**
 * Recordings without a conversation: those still on the rep's device, which can only be selected by their start
 * (D1-EXP-04), and those that were uploaded in vain (D1 § ErroredRecordingsExport).
 */
export const getMissing = pagedList(
	'errored',
	{
		option: {
			name: 'Get Missing',
			value: 'getMissing',
			action: 'Get missing recordings',
			description:
				'Get the recordings of a date range that await their upload or failed to become a conversation',
		},
		rowKind: 'missing recordings',
		simplified,
		filters: recordingFilters,
	},
	() => ['awaitingUpload'],
);
