import type { FastifyInstance } from 'fastify';

interface Values {
	range: string;
	values: unknown[][];
}

interface Body extends Values {
	/** Of `values:batchUpdate`. */
	data: Values[];
}

/** The one sheet of every spreadsheet. */
const SHEET = 'Conversations';

/** The part of the Google Sheets API that n8n's node uses to append and update rows. */
export function googleSheetRoutes(server: FastifyInstance, rows: unknown[][]): void {
	const write = ({ range, values }: Values) => {
		// Whole rows such as `Conversations!2:4`, or a cell such as `Conversations!C5`.
		const [, column = 'A', row] = /!([A-Z])?(\d+)/.exec(range)!;
		for (const [index, cells] of values.entries()) {
			const target = (rows[Number(row) - 1 + index] ??= []);
			cells.forEach((cell, at) => (target[column.charCodeAt(0) - 65 + at] = cell));
		}
	};
	server.route<{ Params: { '*': string }; Body: Body }>({
		method: ['GET', 'POST', 'PUT'],
		url: '/sheets.googleapis.com/v4/spreadsheets/*',
		handler: async ({ method, params, body }) => {
			const path = params['*'];
			if (path.endsWith(':append')) rows.push(...body.values);
			else if (path.endsWith('values:batchUpdate')) body.data.forEach(write);
			else if (method === 'PUT') write(body);
			else if (path.includes('/values/')) return rows.length > 0 ? { values: rows } : {};
			else return { sheets: [{ properties: { sheetId: 0, title: SHEET } }] };
			return {};
		},
	});
}
