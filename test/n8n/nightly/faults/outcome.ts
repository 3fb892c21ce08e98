import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { itemsOf, type Execution } from '../../../../harness/n8n/execution';

/** The result of one operation under one fault. */
export interface Outcome {
	/** Items on the first output, without what differs from run to run: origins, signatures, times. */
	output: unknown[];
	/** Items on the error output, as `message: description`. */
	refused: string[];
	/** The node's hints. */
	hints: string[];
	/** How often the fault struck, if the service had one. */
	struck?: number;
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/;

/** @param node the name of the node that ran */
export function outcomeOf(execution: Execution, node: string, struck?: number): Outcome {
	const hints = execution.data?.resultData.runData[node]?.at(-1)?.hints ?? [];
	return {
		output: itemsOf(execution, node, 0).map(comparable),
		refused: itemsOf(execution, node, 1).map(({ json }) => words(json)),
		hints: hints.map(({ message }) => message),
		struck,
	};
}

const words = ({ error, message }: IDataObject) => [error, message].filter(Boolean).join(': ');

function comparable({ json, binary }: INodeExecutionData): unknown {
	const files = Object.values(binary ?? {}).map(({ fileName, mimeType, bytes }) => ({
		fileName,
		mimeType,
		bytes,
	}));
	const text = JSON.stringify({ json, files }, (key, value: unknown) => {
		if (typeof value !== 'string') return value;
		if (/^https?:/.test(value)) return new URL(value).pathname;
		return key === 'urlsExpireAt' ? value.replace(MOMENT, 'a moment') : value;
	});
	return JSON.parse(text);
}
