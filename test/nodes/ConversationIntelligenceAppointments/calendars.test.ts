import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AVA, BEN, CARLA, DAY } from '../../../harness/examples/visits';
import { hourOf, WHOLE_SOURCES } from '../../../harness/examples/wholeSources';
import { byHand, CREATE, processingService } from './mapping';

const PAGE = readFileSync(join(__dirname, '../../../docs/reference/values.md'), 'utf8');
const [, TABLE] = PAGE.split('## From a calendar or CRM');
const SOURCES = ['Google Calendar', 'Outlook', 'HubSpot', 'Salesforce'];

describe('What the documents say to map of a calendar or CRM', () => {
	const { bodies, run } = processingService();

	test.each(SOURCES)('%s: each visit of a whole calendar gets its own times and attendees', async (name) => {
		const slug = `${name.toLowerCase().replace(' ', '-')}-to-appointments`;
		const { visits, written } = WHOLE_SOURCES[slug];
		const kinds = Object.entries(visits).filter(([, { booked }]) => !booked?.start_time);
		const rows = kinds.map(([id, kind], index) => written({ ...kind, booked: undefined }, id, index));
		const [, times, people] = new RegExp(`^\\| ${name} .*`, 'm').exec(TABLE)![0].split('|').slice(1);
		const [start_time, end = start_time] = times.match(/(?<=`)(\{\{.*?\}\}|…\w+)/g)!;
		const end_time = end.startsWith('…') ? start_time.replace(/\w+ \}\}$/, 'hs_meeting_end_time }}') : end;
		const [attendees = AVA] = people.match(/\{\{.*?\}\}/g) ?? [];
		const fields = { event_id: '{{ $json.iCalUId ?? $json.id ?? $json.Id }}', start_time, end_time };
		const expressions = Object.entries({ ...fields, attendee_emails: attendees });
		const mapped = Object.fromEntries(expressions.map(([field, text]) => [field, text.replace('{{', '={{')]));
		// In a zone that no calendar has, so that a time without its zone is wrong.
		const timezone = 'America/New_York';
		await run(byHand({ ...CREATE, ...mapped, user_email: AVA }), rows, { timezone });

		const sqlTime = (hour: number) => DAY.set({ hour }).toFormat('yyyy-MM-dd HH:mm:ss');
		const byId = Object.fromEntries(bodies().map((body) => [body?.event_id, body]));
		for (const [index, [id]] of kinds.entries()) {
			const hour = hourOf(index);
			expect(byId[id]).toMatchObject({ start_time: sqlTime(hour), end_time: sqlTime(hour + 1) });
		}
		if (attendees !== AVA) expect(byId.visit.attendee_emails).toContain(BEN);
		expect(JSON.stringify(bodies())).not.toContain(CARLA);
	});
});
