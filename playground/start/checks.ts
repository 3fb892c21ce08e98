import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { PlaygroundProblem } from '../problem';

/** What the last node of an example put out is held against this; returns what is wrong. */
type Check = (items: IDataObject[], sandbox: Sandbox) => Promise<string | undefined>;

/** Two of the examples ask for so many conversations. */
const EXAMPLE_LIMIT = 5;

/** By the workflow's file name. */
const CHECKS: Record<string, Check> = {
	'export-conversations': async (items, sandbox) => {
		const total = await totalConversations(sandbox);
		const distinct = new Set(items.map(({ conversationId }) => conversationId)).size;
		if (items.length === total && distinct === total) return undefined;
		return `${items.length} rows, ${distinct} different, but the service has ${total} conversations`;
	},
	'export-to-file': async ([file, ...more], sandbox) => {
		const total = await totalConversations(sandbox);
		if (more.length > 0 || file === undefined) return 'not one file';
		return file.rows === total
			? undefined
			: `a file of ${String(file.rows)} rows, but the service has ${total} conversations`;
	},
	'export-transcripts': async (items, sandbox) => {
		const expected = Math.min(EXAMPLE_LIMIT, await totalConversations(sandbox));
		const spoken = items.filter(({ transcript }) => /^\[\d\d:\d\d\] .+: /.test(String(transcript))).length;
		return spoken === expected ? undefined : `${spoken} transcripts with text instead of ${expected}`;
	},
	'sync-appointments': async (items, sandbox) => {
		const expected = Math.min(EXAMPLE_LIMIT, await totalConversations(sandbox));
		const made = sandbox.control.appointments().filter(({ event_id: id }) => id.startsWith('crm-')).length;
		if (items.length === expected && made === expected) return undefined;
		return `${made} appointments made and ${items.length} matched instead of ${expected}`;
	},
};

/**
 * Holds the result of an example against what the service has.
 *
 * @param slug - the workflow's file name without `.json`
 * @param items - what its last node put out
 * @returns what is wrong; undefined when nothing is
 */
export async function checkExample(
	slug: string,
	items: IDataObject[],
	sandbox: Sandbox,
): Promise<string | undefined> {
	const check = CHECKS[slug];
	// An example whose result nobody looks at would be "ok" whatever it does.
	return check ? await check(items, sandbox) : 'has no check in playground/start/checks.ts';
}

/** Asks the service itself how many conversations the whole span of its data holds. */
async function totalConversations({ exportUrl, keys, options }: Sandbox): Promise<number> {
	const response = await fetch(`${exportUrl}/export/conversations`, {
		method: 'POST',
		headers: { authorization: keys.organization, 'content-type': 'application/json' },
		body: JSON.stringify({ fromDate: options.from, toDate: options.to, limit: 1 }),
	});
	if (!response.ok)
		throw new PlaygroundProblem(`The sandbox answered ${response.status} to the check of its total.`);
	const page: { totalConversations: number } = JSON.parse(await response.text());
	return page.totalConversations;
}
