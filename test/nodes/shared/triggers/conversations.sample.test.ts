import { sampleItems } from '../../../../nodes/shared/triggers/conversations';
import { ListService, WANTED_USER } from '../../ConversationIntelligencePollTrigger/listService';
import { pollContext } from '../../ConversationIntelligencePollTrigger/pollingN8n';

const NOW = Date.UTC(2026, 2, 31);
const DAYS_30 = 30 * 24 * 3_600_000;

/** A service with conversations that were processed so many milliseconds ago, and how to sample five of them. */
function listed(ages: number[]) {
	jest.spyOn(Date, 'now').mockReturnValue(NOW);
	const service = new ListService();
	for (const [n, age] of ages.entries()) service.put(`c${n}`, NOW - age);
	const context = pollContext({ process: 'sample', respond: async (request) => service.respond(request) });
	const sample = async (filter: object) => {
		const items = await sampleItems(context, { filter, output: 'raw' }, 'poll', 5);
		return items.map(({ dedupeKey }) => dedupeKey);
	};
	return { service, sample };
}

test('a sample is of the last 30 days, the latest first', async () => {
	const { sample } = listed([3, 1, 2, DAYS_30, DAYS_30 + 1]);
	expect(await sample({})).toEqual(['c1', 'c2', 'c0', 'c3']);
});

test.each([
	['the latest five', [0, 6, 12, 18, 24, 30], ['c0', 'c6', 'c12', 'c18', 'c24'], 5],
	['the five of the first response', [0, 6, 12, 18, 24], ['c0', 'c6', 'c12', 'c18', 'c24'], 5],
	['the 500th of its users', [998], ['c998'], 50],
	['refused after 500 of its users', [1000], 'no_sample', 50],
])('of 3,000 conversations, a sample is %s', async (_which, passing, expected, mostRequests) => {
	const { service, sample } = listed(Array.from({ length: 3000 }, (_, n) => n * 60_000));
	service.isFiltering = true;
	for (const [n, id] of [...service.rows.keys()].entries()) {
		if (n % 2 === 1) service.unwanted.add(id);
		if (!passing.includes(n)) service.short.add(id);
	}
	const filter = { users: [WANTED_USER], minDuration: 60 };
	expect(await sample(filter).catch(({ details }) => details.code)).toEqual(expected);
	expect(service.requests).toBeLessThan(mostRequests);
});

const EXACT = ': emails must be exact, capital letters included';

test.each([
	['', {}, ''],
	[' that passes No Appointment', { noAppointment: true }, ', or correct these filters'],
	[
		' that passes User Names or IDs "ana@example.com", No Appointment',
		{ users: [WANTED_USER], noAppointment: true },
		`, or correct these filters${EXACT}`,
	],
])(
	'says that no conversation%s was processed in the last 30 days, and what to do',
	async (which, filter, correct) => {
		await expect(listed([DAYS_30 + 1]).sample(filter)).rejects.toMatchObject({
			message: `No conversation${which} was processed in the last 30 days`,
			description: `Publish the workflow anyway${correct}.`,
		});
	},
);
