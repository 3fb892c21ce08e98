import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../shared/operation';
import { dateRangeProperties } from './dateRange';
import { fieldsProperties } from './fields';
import { fileProperties } from './file/fileOptions';
import type { List } from './list';
import { includeTranscript, limitProperties, outputAs } from './properties';
import { readRequest } from './readRequest';
import { runList } from './runList';

/** Builds a Get Many operation: date range, limit, users, output as items or as a file, hints. */
export function listOperation(list: List): Operation {
	return {
		option: list.option,
		properties: [
			...dateRangeProperties,
			...(list.properties ?? []),
			...limitProperties,
			outputAs,
			...fieldsProperties(Object.keys(list.schema.shape as object), true),
			...(list.hasTranscripts
				? [{ ...includeTranscript, displayOptions: { hide: { outputAs: ['file'] } } }]
				: []),
			...collection('Filters', 'filters', 'Add filter', list.filters),
			...collection('Options', 'options', 'Add option', list.options),
			...fileProperties,
		],
		start() {
			const now = Date.now();
			return {
				prepare(item) {
					const request = readRequest(item, list, now);
					const source = list.open(item, request);
					return { execute: async () => await runList(item, list, request, source) };
				},
			};
		},
	};
}

function collection(
	displayName: string,
	name: string,
	placeholder: string,
	entries: INodeProperties[] = [],
): INodeProperties[] {
	if (entries.length === 0) return [];
	const options = [...entries].sort((a, b) => a.displayName.localeCompare(b.displayName));
	return [{ displayName, name, type: 'collection', placeholder, default: {}, options }];
}
