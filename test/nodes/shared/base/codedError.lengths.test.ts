import {
	readAttendees,
	readOwner,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/attendees';
import {
	readId,
	readLink,
	readPrice,
} from '../../../../nodes/ConversationIntelligenceAppointments/mapping/values';
import { readUsers } from '../../../../nodes/shared/selection/entered';
import { reading } from '../../ConversationIntelligenceAppointments/mapping';
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/base/time';

const inUtc = (read: typeof toUtcTimestamp) => (value: string, label: string) => read(value, 'UTC', label);

const attendeesOf = (value: unknown, label: string) => readAttendees(value, label, reading());

test.each([
	['Price', readPrice, '1'.repeat(1000), '1,000'],
	['Event ID', readId, 'x'.repeat(1000), '1,000'],
	['Media URL', readLink, `https://media.example/${'x'.repeat(9978)}`, '10,000'],
	['Rep Email', readOwner, `${'x'.repeat(994)}@x.com`, '1,000'],
	['Attendee Emails', attendeesOf, 'a@x.com, '.repeat(5555).padEnd(50_000), '50,000'],
	['User Names or IDs', readUsers, 'a@x.com, '.padEnd(50_000), '50,000'],
	['Start Time', inUtc(toAppointmentTime), '2026-03-01 08:30'.padEnd(1000), '1,000'],
	['From Date', inUtc(toUtcTimestamp), '2026-03-01'.padEnd(1000), '1,000'],
] as Array<[string, (value: string, label: string) => unknown, string, string]>)(
	'%s is read up to its longest text, and refused by its length beyond',
	(label, read, longest, max) => {
		try {
			read(longest, label);
		} catch (error) {
			// So many digits are no finite number.
			expect(String(error)).toContain('Price must be a price (it is');
		}
		const length = (longest.length + 1).toLocaleString('en-US');
		const message = `${label} is too long: ${length} characters, at most ${max}`;
		const details = { code: 'value_too_long', retryable: false, field: label };
		expect(() => read(`${longest} `, label)).toThrow(expect.objectContaining({ message, details }));
	},
);
