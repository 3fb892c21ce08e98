import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type { Operation } from '../../../shared/operation';
import { walkPages } from '../../../shared/export/walkPages';
import { dateRangeProperties, readDateRange } from '../dateRange';
import { conversationPages } from '../conversationPages';
import { readUsers, usersProperty } from '../users';

/** Pages under way at once after the first. */
const DEFAULT_CONCURRENCY = 5;

const properties: INodeProperties[] = [
	...dateRangeProperties,
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		displayOptions: { show: { returnAll: [false] } },
		default: 50,
		description: 'Max number of results to return',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Date Type',
				name: 'dateType',
				type: 'options',
				options: [
					{ name: 'Processed Date', value: 'processedDate', description: 'When processing finished' },
					{ name: 'Time of Recording', value: 'timeOfRecording', description: 'When the recording started' },
				],
				default: 'timeOfRecording',
				description: 'What the date range selects by',
			},
			{
				displayName: 'Parallel Requests',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 20 },
				default: DEFAULT_CONCURRENCY,
				description: 'How many pages to request at the same time after the first one',
			},
			usersProperty,
		],
	},
];

/** All conversations of a date range, page by page (D1 § POST /export/conversations). */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many conversations',
		description: 'Get the conversations of a date range',
	},
	properties,
	async execute(context: IExecuteFunctions, itemIndex: number): Promise<INodeExecutionData[]> {
		const options = context.getNodeParameter('options', itemIndex, {}) as IDataObject;
		const returnAll = context.getNodeParameter('returnAll', itemIndex) as boolean;
		const maxRows = returnAll ? Infinity : (context.getNodeParameter('limit', itemIndex) as number);
		const fetchPage = conversationPages(context, itemIndex, {
			...readDateRange(context, itemIndex),
			...(options.dateType === undefined ? {} : { dateType: options.dateType }),
			...readUsers(options.users),
		});
		const concurrency = (options.concurrency as number | undefined) ?? DEFAULT_CONCURRENCY;

		const items: INodeExecutionData[] = [];
		for await (const { rows } of walkPages(fetchPage, { concurrency, maxRows })) {
			for (const json of rows.slice(0, maxRows - items.length)) items.push({ json });
		}
		return items;
	},
};
