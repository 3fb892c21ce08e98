import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** What a range selects by. */
export const dateTypeOption: INodeProperties = {
	displayName: 'Date Type',
	name: 'dateType',
	type: 'options',
	options: [
		{ name: 'Processed Date', value: 'processedDate', description: 'When processing finished' },
		{ name: 'Time of Recording', value: 'timeOfRecording', description: 'When the recording started' },
	],
	default: 'timeOfRecording',
	description: 'What the date range selects by',
};

/** The rep's e-mail, in every kind of row that comes from a recording. */
export function emailOfRecording(row: IDataObject): unknown {
	const user = row.user as IDataObject | null | undefined;
	return user?.email;
}

/** At most ten fields. */
export const simplifiedRecording = [
	'recordingId',
	'date',
	'title',
	'duration',
	'crmEventID',
	'user',
	'jobNumber',
	'totalSold',
	'outcome',
];
