import { dateTypeFilter } from './properties';
import type { ListRun } from './list';

const SCHEDULES = ['n8n-nodes-base.scheduleTrigger', 'n8n-nodes-base.cron', 'n8n-nodes-base.interval'];

/** What may surprise in the request itself, whatever rows it gives: one sentence each. */
export function requestHints(run: ListRun): string[] {
	return [...usersHint(run), ...midnightHint(run), ...scheduleHint(run)];
}

/** D1 § POST /export/conversations: `[]` means all users, which an expression can give by accident. */
function usersHint({ request: { filters, users } }: ListRun): string[] {
	if (!('users' in filters) || users !== undefined) return [];
	return ['The users filter is empty, so the rows of all users are included.'];
}

/** The date picker writes midnight for a day that is picked without a time. */
function midnightHint({ item }: ListRun): string[] {
	const end = item.parameter('dateRange', 'custom') === 'custom' ? item.parameter('toDate', '') : '';
	const [, day] = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?$/.exec(String(end)) ?? [];
	if (day === undefined) return [];
	return [`To Date is the first moment of ${day}, so that day is not included: pick the day after.`];
}

function scheduleHint({ item, list, request }: ListRun): string[] {
	if (!list.filters?.includes(dateTypeFilter) || request.dateType === 'processedDate') return [];
	const triggers = item.context.getParentNodes(item.context.getNode().name);
	if (!triggers.some(({ type }) => SCHEDULES.includes(type))) return [];
	return [
		'Recordings that are uploaded after a scheduled export are not in it: set the filter Date Type to Processed Date.',
	];
}
