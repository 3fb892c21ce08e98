/** A model's arguments for an appointment of these people. The first one is the owner. */
export const visitOf = (eventId: string, people: string[]) => ({
	event_id: eventId,
	user_email: people[0],
	start_time: '2026-03-01T09:00:00+01:00',
	end_time: '2026-03-01T10:00:00+01:00',
	title: 'Roof inspection',
	customer_id: 'c-1',
	customer_name: 'Blue Door Ltd',
	attendee_emails: people.join(', '),
});

/** The request body for it. */
export const sentFor = (eventId: string, people: string[]) => ({
	event_id: eventId,
	user_email: people[0],
	start_time: '2026-03-01 08:00:00',
	end_time: '2026-03-01 09:00:00',
	title: 'Roof inspection',
	customer: { id: 'c-1', name: 'Blue Door Ltd' },
	attendee_emails: people,
});
