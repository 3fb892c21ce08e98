/** D2 § Customer object. */
export interface Customer {
	id: string;
	name: string;
	email?: string;
	phone?: string;
	address?: string;
}

export const recordingTypes = ['CALL_AUDIO', 'APPOINTMENT_AUDIO', 'CALL_AUDIO_WITH_LOCATION'] as const;
export type RecordingType = (typeof recordingTypes)[number];

/** What a caller may send (D2 § Appointment). */
export interface AppointmentInput {
	event_id: string;
	user_email: string;
	attendee_emails?: string[];
	start_time?: string;
	end_time?: string;
	title?: string;
	customer?: Customer;
	result?: string;
	type?: string;
	price?: number;
	media_url?: string;
	recording_type?: RecordingType;
	location?: string;
	lead_source?: string;
	custom_fields?: Record<string, unknown>;
}

/** An appointment as it is kept. Times stand exactly as they were sent. */
export interface Appointment extends Omit<AppointmentInput, 'attendee_emails'> {
	/** Internal ID; DELETE must not accept it. */
	id: string;
	organizationId: string;
	/** Primary emails of the attendees, the whole list. */
	attendees: string[];
	createdAt: string;
	updatedAt: string;
}
