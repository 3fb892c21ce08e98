import type { Mutation } from './mutation';

export const crmMutations: Mutation[] = [
	{
		rule: 'D2-DOES-05',
		what: 'users of every organization resolve',
		file: 'sandbox/index.ts',
		find: 'organizations.map((each) => new AppointmentBook(each, store));',
		replace: `organizations.map((each) => {
		const { Directory } = require('./crm/attendees');
		const directory = new Directory(organizations.flatMap(({ users }) => users));
		return Object.assign(new AppointmentBook(each, store), { directory });
	});`,
	},
	{
		rule: 'D2-ATT-02',
		what: 'addresses are not trimmed',
		file: 'sandbox/crm/attendees.ts',
		find: 'address.trim().toLowerCase()',
		replace: 'address.toLowerCase()',
	},
	{
		rule: 'D2-ATT-02',
		what: 'an ambiguous first.last prefix resolves',
		file: 'sandbox/crm/attendees.ts',
		find: 'candidates.length === 1 ?',
		replace: 'candidates.length >= 1 ?',
	},
	{
		rule: 'D2-ATT-02',
		what: 'an address without @ loses its last letter',
		file: 'sandbox/crm/attendees.ts',
		find: "email.includes('@') ? email.slice(0, email.lastIndexOf('@')).toLowerCase() : ''",
		replace: "email.slice(0, email.lastIndexOf('@')).toLowerCase()",
	},
	{
		rule: 'D2-ATT-03',
		what: 'removed users become attendees',
		file: 'sandbox/crm/attendees.ts',
		find: '!user.isRemoved && !user.isHidden',
		replace: '!user.isHidden',
	},
	{
		rule: 'D2-ATT-05',
		what: 'an update adds attendees instead of replacing them',
		file: 'sandbox/crm/book.ts',
		find: 'attendees: attendees.map((user) => user.email),',
		replace:
			'attendees: [...new Set([...(known?.attendees ?? []), ...attendees.map((user) => user.email)])],',
	},
	{
		rule: 'D2-RULE-02',
		what: 'outcomes are matched case-sensitively',
		file: 'sandbox/crm/book.ts',
		find: 'name.toLowerCase() === result.toLowerCase()',
		replace: 'name === result',
	},
	{
		rule: 'D2-RULE-03',
		what: 'an update forgets omitted fields',
		file: 'sandbox/crm/book.ts',
		find: '...(known ?? {',
		replace:
			'...((known && { id: known.id, organizationId: known.organizationId, createdAt: known.createdAt }) ?? {',
	},
	{
		rule: 'D2-ERR-16',
		what: 'a linked appointment can be deleted',
		file: 'sandbox/crm/book.ts',
		find: 'if (this.hasRecording(eventId)) throw new Problem(own.hasRecording, 409);',
		replace: '',
	},
	{
		rule: 'D2-STATE-05',
		what: 'the earlier link is kept',
		file: 'sandbox/crm/book.ts',
		find: 'if (earlier !== undefined) this.countLink(earlier, -1);',
		replace: '',
	},
	{
		rule: 'D1-CONV-10',
		what: 'a linked conversation keeps the job number of another event',
		file: 'sandbox/crm/book.ts',
		find: '\t\t\tjobNumber: null,\n',
		replace: '',
	},
	{
		rule: 'D1-CONV-11',
		what: 'a linked conversation keeps the field-service link of another event',
		file: 'sandbox/crm/book.ts',
		find: '\t\t\tstLink: null,\n',
		replace: '',
	},
	{
		rule: 'D2-BODY-03',
		what: 'attendees can be combined with media_url',
		file: 'sandbox/crm/appointment.ts',
		find: 'if (attendee_emails?.length) throw new Problem(exact.attendeesWithMedia, 400);',
		replace: '',
	},
	{
		rule: 'D2-BODY-07',
		what: 'a missing event gets another body',
		file: 'sandbox/crm/appointment.ts',
		find: "'Event not found'",
		replace: "'No such event'",
	},
	{
		rule: 'D2-AUTH-02',
		what: 'an unknown key gets 401',
		file: 'sandbox/crm/routes.ts',
		find: 'reply.code(403)',
		replace: 'reply.code(401)',
	},
	{
		rule: 'D2-AUTH-02',
		what: 'a path that cannot be decoded bypasses the gateway',
		file: 'sandbox/index.ts',
		find: '\t\trewriteUrl: routableUrl,\n',
		replace: '',
	},
	{
		rule: 'D2-DEL-01',
		what: 'the internal ID deletes an appointment',
		file: 'sandbox/crm/book.ts',
		find: 'remove(eventId: string): void {',
		replace:
			'remove(given: string): void {\n\t\tconst eventId = this.appointments.list().find(({ id }) => id === given)?.event_id ?? given;',
	},
];
