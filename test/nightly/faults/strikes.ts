import type { ServerResponse } from 'node:http';
import type { Response, Strike } from './faultProxy';

/** The body of every refusal, so that tests can see whether a message quotes it. */
const SERVICE_WORDS = 'The words of the service.';

/** A refusal as the service would send it. The request does not reach the service. */
export const refusal =
	(status: number, headers: Record<string, string> = {}): Strike =>
	() =>
		response(status, 'text/plain', SERVICE_WORDS, headers);

/** A response with this text. */
export const response = (
	status: number,
	type: string,
	text: string,
	headers: Record<string, string> = {},
): Response => ({ status, headers: { 'content-type': type, ...headers }, body: Buffer.from(text) });

/** Sends the headers and half of the body, then nothing more. */
export const unfinished =
	(end: (response: ServerResponse) => void = () => {}): Strike =>
	async (passOn) => {
		const genuine = await passOn();
		return (response) => {
			response.writeHead(genuine.status, genuine.headers);
			response.write(genuine.body.subarray(0, genuine.body.length / 2), () => end(response));
		};
	};

/** Changes a JSON answer, and passes on any other one unchanged. */
const changed =
	(change: (data: unknown) => unknown): Strike =>
	async (passOn) => {
		const genuine = await passOn();
		if (!genuine.headers['content-type'].includes('json')) return genuine;
		return response(
			genuine.status,
			'application/json',
			JSON.stringify(change(JSON.parse(genuine.body.toString()))),
		);
	};

export type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes the first row: of a list, of each list in an object of lists, or the object itself. */
export const firstRow = (change: (row: Row) => unknown) =>
	changed((data) => {
		const changeList = (list: unknown[]) =>
			list.map((row, index) => (index === 0 && isRow(row) ? change(row) : row));
		if (Array.isArray(data)) return changeList(data);
		if (!isRow(data)) return data;
		if ('conversationId' in data) return change(data);
		const lists = Object.entries(data).filter(([, value]) => Array.isArray(value));
		return {
			...data,
			...Object.fromEntries(lists.map(([name, list]) => [name, changeList(list as unknown[])])),
		};
	});

/** Swaps texts for numbers and numbers for texts, except in the ID. */
export const wrongTypes = (row: Row) =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => {
			if (typeof value === 'number') return [name, 'wrong'];
			return [name, typeof value === 'boolean' ? 1 : value];
		}),
	);
