import { say } from './api.js';
import * as appointments from './sections/appointments.js';
import * as connect from './sections/connect.js';
import * as debugging from './sections/debugger.js';
import * as deliveries from './sections/deliveries.js';
import * as faults from './sections/faults.js';
import * as subscriptions from './sections/subscriptions.js';

const refreshEvery = 2000;
const sections = [connect, subscriptions, deliveries, appointments, debugging, faults];
let isAway = false;

/** Asks the sandbox for what may have changed, for as long as somebody looks. */
async function refresh() {
	try {
		if (!document.hidden) await Promise.all(sections.map((section) => section.refresh?.()));
		if (isAway) say('The sandbox is back.');
		isAway = false;
	} catch (error) {
		isAway = true;
		say(`The sandbox cannot be reached: ${error.message}`, 'bad');
	}
	setTimeout(refresh, refreshEvery);
}

for (const section of sections) section.start?.(refreshNow);
/** After something was changed by hand, its section shows it at once. */
async function refreshNow() {
	await Promise.all(sections.map((section) => section.refresh?.()));
}
void refresh();
