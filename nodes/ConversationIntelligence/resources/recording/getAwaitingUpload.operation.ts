import { pagedList } from '../../getMany/listOperation';
import { recordingFilters } from '../../../shared/exportApi/conversationFilter';

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
];

/** Recordings still on the rep's device; they can only be selected by their start (D1-EXP-04). */
export const getAwaitingUpload = pagedList('awaitingUpload', {
	option: {
		name: 'Get Awaiting Upload',
		value: 'getAwaitingUpload',
		action: 'Get recordings awaiting upload',
		description: "Get the recordings of a date range that are still on the rep's device",
	},
	rowKind: 'recordings awaiting upload',
	simplified,
	filters: recordingFilters,
});
