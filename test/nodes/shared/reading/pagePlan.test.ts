import { PagePlan } from '../../../../nodes/shared/reading/pagePlan';

const RANGE = { from: 0, to: 1000 };

interface Service {
	/** Rows that the service has; by default also what it counts. */
	rows: number;
	counted?: (page: number) => number;
	/** Most rows of a page. */
	cap?: number;
	/** What the service says of its pages; by default what its total makes. */
	pages?: (page: number) => number;
	/** Rows that came twice. */
	duplicates?: number;
}

/** Follows a plan with so many requests in flight. Returns them as page/limit. */
function follow(maxRows: number, service: Service, inFlight = 1) {
	const { rows, counted = () => rows, cap = 50, duplicates = 0 } = service;
	const plan = new PagePlan(RANGE, maxRows);
	const sent: string[] = [];
	const waiting: Array<{ page: number; limit: number }> = [];
	const send = () => {
		for (let query; waiting.length < inFlight && (query = plan.nextQuery()); waiting.push(query)) {
			expect(query).toMatchObject(RANGE);
			sent.push(`${query.page}/${query.limit}`);
		}
		return waiting.shift();
	};
	for (let query = send(); query; query = send()) {
		const { page, limit } = query;
		const size = Math.min(limit, cap);
		const length = Math.max(0, Math.min(size, rows - (page - 1) * size));
		const total = counted(page);
		const pages = service.pages?.(page) ?? Math.ceil(total / limit);
		plan.add({ lists: [{ total, rows: Array.from({ length }) }], pages }, page, length > 0, duplicates);
	}
	const { last, pageSize, hasEmptyPage } = plan;
	return { sent: sent.join(' '), requests: sent.length, last, pageSize, hasEmptyPage };
}

test.each<[string, number, Service & { inFlight?: number }, string, object?]>([
	['asks for full pages up to the total', Infinity, { rows: 120 }, '1/50 2/50 3/50'],
	['asks for no page after a full one that is the last', Infinity, { rows: 100 }, '1/50 2/50'],
	['asks once for an empty list', Infinity, { rows: 0 }, '1/50'],
	['asks for as many rows as are wanted', 30, { rows: 120 }, '1/30'],
	['asks for no more pages than are wanted', 70, { rows: 500 }, '1/50 2/50'],
	['asks for another page when rows came twice', 100, { rows: 500, duplicates: 1 }, '1/50 2/50 3/50'],
	[
		'asks a service that sends 25 rows for 25',
		Infinity,
		{ rows: 120, cap: 25 },
		'1/50 2/25 3/25 4/25 5/25',
		{ pageSize: 25 },
	],
	[
		'asks a service that sends 25 rows for 25 when 30 are wanted',
		30,
		{ rows: 120, cap: 25 },
		'1/30 2/25',
		{ pageSize: 25 },
	],
	[
		'asks for 25 wanted rows, then for as many as the service sends',
		25,
		{ rows: 120, cap: 20 },
		'1/25 2/20',
		{ pageSize: 20 },
	],
	[
		'follows totalPages where the total is capped',
		Infinity,
		{ rows: 120, counted: () => 100, pages: () => 3 },
		'1/50 2/50 3/50',
	],
	[
		'ends behind the last page of a service that counts too many',
		Infinity,
		{ rows: 120, pages: () => 9 },
		'1/50 2/50 3/50 4/50',
		{ hasEmptyPage: true },
	],
	[
		'ends behind the last page although more are in flight',
		Infinity,
		{ rows: 120, pages: () => 9, inFlight: 3 },
		'1/50 2/50 3/50 4/50 5/50 6/50',
		{ hasEmptyPage: true },
	],
	[
		'ends at twice the pages of the first response and one if each page promises another',
		Infinity,
		{ rows: 9000, pages: (page) => page + 1, counted: () => 50 },
		'1/50 2/50 3/50 4/50 5/50',
	],
	[
		'ends at twice the pages of the first response and one if the total grows',
		Infinity,
		{ rows: 9000, counted: (page) => page * 100 },
		'1/50 2/50 3/50 4/50 5/50',
	],
	[
		'follows a total that grows',
		Infinity,
		{ rows: 170, counted: (page) => (page === 1 ? 120 : 170) },
		'1/50 2/50 3/50 4/50',
	],
	[
		'keeps what it has sent when the total shrinks',
		Infinity,
		{ rows: 400, counted: (page) => (page === 1 ? 400 : 90), inFlight: 4 },
		'1/50 2/50 3/50 4/50 5/50',
	],
	[
		'follows a total that shrinks',
		Infinity,
		{ rows: 400, counted: (page) => (page === 1 ? 400 : 90) },
		'1/50 2/50',
	],
	[
		'asks a service that sends one row for one',
		Infinity,
		{ rows: 3, cap: 1 },
		'1/50 2/1 3/1',
		{ pageSize: 1 },
	],
	['asks for another page of 30 when rows came twice', 30, { rows: 500, duplicates: 5 }, '1/30 2/30'],
	[
		'notices an empty second page',
		Infinity,
		{ rows: 50, pages: () => 9 },
		'1/50 2/50',
		{ hasEmptyPage: true },
	],
	[
		'follows a total that grows in pages of 25',
		Infinity,
		{ rows: 9000, cap: 25, counted: (page) => (page === 1 ? 60 : 9000) },
		'1/50 2/25 3/25 4/25 5/25 6/25 7/25',
		{ pageSize: 25 },
	],
])('%s', (_what, maxRows, service, sent, expected = {}) => {
	const { requests, ...outcome } = follow(maxRows, service, service.inFlight);
	expect(outcome).toEqual({ sent, last: requests, pageSize: 50, hasEmptyPage: false, ...expected });
});
