import { fieldTable, section } from './types';

const recordingRows = [
	['recordingId', 'string'],
	['date', 'string (ISO 8601)'],
	['title', 'string | null'],
	['duration', 'number', 'Seconds.'],
	['crmEventID', 'string | null'],
	['user', 'RecordingUser'],
	['jobNumber', 'string | null'],
	['stLink', 'string | null'],
	['totalSold', 'number | null'],
	['outcome', 'string | null'],
	['customFields', 'object | null'],
] as const;

export const recording = fieldTable('D1', 'RecordingsExport', 'D1-REC', recordingRows);

export const erroredRecording = fieldTable('D1', 'ErroredRecordingsExport', 'D1-ERRORED', [
	...recordingRows,
	['processedDate', 'string | null', 'When processing finished (ISO 8601).'],
	[
		'error',
		'string',
		'Why no conversation was produced; `AUDIO_TOO_SHORT` and `NO_TRANSCRIPT` are examples.',
	],
]);

export const recordingRules = section('D1', 'Recordings without a conversation', {
	'D1-RECORDING-01': 'Awaiting upload: no conversation, transcript or coaching results exist.',
	'D1-RECORDING-02': 'A recording appears as one of three kinds: conversation, awaiting upload, or errored.',
});
