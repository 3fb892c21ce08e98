/** Run as a program, it prints the time zone of its process and what the functions return there for the same values. */
import { toAppointmentTime, toUtcTimestamp } from '../../../../nodes/shared/time/instant';
import {
	PRESETS,
	presetRange,
	type Preset,
} from '../../../../nodes/ConversationIntelligence/getMany/dateRange';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'];
/** UTC times around midnight, the end of a month, and the start and end of summer time. */
const INSTANTS = [
	'2026-03-29T00:59:59Z',
	'2026-05-12T22:00:00Z',
	'2026-10-25T01:30:00Z',
	'2027-01-01T11:00:00Z',
];
const LOCAL = ['2026-07-01', '2026-07-01 10:00:00', '2026-03-29T02:30:00', '2026-10-25T02:30:00'];

/** Every preset at every instant, and every local time, in every zone. */
export function readings(): unknown {
	return ZONES.map((zone) => ({
		zone,
		ranges: INSTANTS.map((now) =>
			(Object.keys(PRESETS) as Preset[]).map((preset) => presetRange(preset, Date.parse(now), zone)),
		),
		timestamps: LOCAL.map((value) => toUtcTimestamp(value, zone, 'From Date')),
		appointments: LOCAL.map((value) => storedOrRefused(value, zone)),
	}));
}

/** Clock changes make some of these times ambiguous in some zones. */
function storedOrRefused(value: string, zone: string): string {
	try {
		return toAppointmentTime(value, zone, 'Start Time');
	} catch (error) {
		return (error as Error).message;
	}
}

if (require.main === module) {
	const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
	process.stdout.write(JSON.stringify({ zone, readings: readings() }));
}
