import { Random } from './random';

const list = (text: string) => text.split(', ');

export const firstNames = list(
	'Ava, Ben, Carla, Diego, Elena, Felix, Grace, Hugo, Iris, Jonas, Kira, Liam, Maya, Noah, Olga, Pablo, Quinn, Rosa, Sam, Tessa, Umar, Vera, Will, Xenia, Yara, Zane, Amir, Bianca, Cody, Dana, Eli, Fiona',
);
export const lastNames = list(
	'Adams, Baker, Castillo, Dawson, Ellis, Foster, Garcia, Hansen, Ibarra, Jensen, Keller, Lopez, Morgan, Novak, Ortiz, Parker, Quincy, Rivera, Stone, Turner, Usman, Vargas, Walsh, Xu, Young, Zimmer, Brooks, Cohen, Diaz, Evans, Flores',
);
export const teamNames = list(
	'West, West Coast, West Mountain, Rockies, East, East Shore, East Inland, Appalachia, Central, Lakes, Plains, Prairie',
);
export const streets = list('Oak Street, Maple Avenue, Cedar Lane, Hillcrest Road, Rue de l’Église, Mühlweg');
export const places = [
	list('Denver, CO, 80202, US'),
	list('Austin, TX, 73301, US'),
	list('Montréal, QC, H2X 1Y4, CA'),
];
export const outcomes = list('Sold, Not Sold, Follow Up, No Show, Rescheduled, Cancelled');
export const jobs = list(
	'Roof inspection, HVAC replacement, Window estimate, Plumbing repair, Solar consultation',
);
/** Two from D1 § ErroredRecordingsExport and one of the sandbox's own, because the list is open. */
export const errors = list('AUDIO_TOO_SHORT, NO_TRANSCRIPT, NO_SPEECH');
export const leadSources = list('Web form, Referral, Door knock, Phone, Event; "booth"');

export const checklists = {
	Introduction: list('Introduced self, Set the agenda, Asked about the home'),
	Discovery: list('Asked for pain points, Confirmed budget, Confirmed decision maker'),
	Closing: list('Presented price, Handled objection, Asked for the sale, Booked next step'),
};
export const looseTrackers = list(
	'Mentioned financing, Mentioned competitor, Offered warranty, Used customer name',
);
export const trackers = [...Object.values(checklists).flat(), ...looseTrackers];

const sentences = [
	'The customer asked about the price and the warranty.',
	'The rep walked through the options and showed pictures of earlier jobs.',
	'They agreed to meet again after the insurance adjuster has been there.',
	'An objection about the time of installation was answered with a firm date.',
	'Financing was offered, "zero down", and the customer wants to think about it.',
	'The old unit is 17 years old, runs at 62 % and will not last another winter.',
	'The decision maker – the customer’s partner – was not at home.',
	'Next step: send the written estimate, then call on Thursday.',
	'Le client préfère un rendez-vous en français.',
	'Follow-up booked 👍, the rep promised a reference from the same street.',
];
export const speech = sentences.join(' ').split(' ');

/** Built once, so that rows only pick one. */
export const paragraphs: readonly string[] = Array.from({ length: 512 }, (_, index) => {
	const random = new Random(23, index);
	return Array.from({ length: random.whole(2, 5) }, () => random.pick(sentences)).join(
		index % 16 === 0 ? '\n' : ' ',
	);
});
