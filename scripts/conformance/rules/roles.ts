import { expandTag } from './tags';

/**
 * A rule's role for the nodes: they keep it (send, verify, refuse, wait, explain), rely on the service to
 * keep it, pass through what it describes, or are not concerned (it only concerns the service or its web
 * app).
 */
export const roleNames = ['kept', 'relied on', 'passed through', 'not concerned'] as const;
export type Role = (typeof roleNames)[number];

/** Rules and ranges of rules in the order of the documents; when in doubt, with the stricter role. */
const roles: Record<Role, string[]> = {
	kept: [
		// A hint names each documented key that is missing or has another type.
		...['D1-CONVENTION-01', 'D1-CONVENTION-03', 'D1-DOES-01..03', 'D1-DOES-05..06'],
		// Links are returned with their expiry and fetched without a credential.
		...['D1-CONV-09', 'D1-CONV-22'],
		...['D1-TEAMS-03..04', 'D1-USERS-03'],
		...['D1-HTTP-01..02', 'D1-GET-01..04', 'D1-EXPBODY-01..06', 'D1-EXP-04..05'],
		...['D1-TEAMBODY-01..03', 'D1-USERBODY-01..04'],
		...['D1-AUTH-01..02', 'D1-AUTH-04', 'D1-SIG-01..05', 'D1-SUB-01..02'],
		// A message explains events of users whom the key cannot see.
		...['D1-EVENT-04', 'D1-ENVELOPE-01..04', 'D1-DATA-01', 'D1-DATA-04'],
		...['D1-TEST-01', 'D1-TEST-04', 'D1-WH-01', 'D1-WH-03..04', 'D1-WH-07'],
		...['D1-ERR-01..02', 'D1-LIM-01..04', 'D1-LIM-06', 'D1-LIM-08'],
		...['D2-DOES-01..06', 'D2-APPT-01..15', 'D2-CUSTOMER-01..05', 'D2-TYPE-01..03', 'D2-RULE-01..03'],
		...['D2-MATCHBODY-01..02', 'D2-STATE-03..04'],
		...['D2-HEAD-01..03', 'D2-POST-01..02', 'D2-ATT-03..05', 'D2-DEL-01..06', 'D2-MATCH-01', 'D2-MATCH-03'],
		...['D2-AUTH-01..04'],
		...['D2-ERR-00..21', 'D2-BODY-01..11', 'D2-RETRY-01..03', 'D2-LIM-01..04'],
	],
	'relied on': [
		...['D1-CONVENTION-02', 'D1-CONVENTION-04', 'D1-DOES-04'],
		// The list picker stops at the last page; the reader compares rows with each array's total.
		...['D1-RESP-02..08'],
		// Fields that the nodes read: for identity, order, file names, the picker and the users filter.
		...['D1-CONV-01', 'D1-CONV-03..05', 'D1-CONV-08', 'D1-CONV-21', 'D1-RUSER-02..03'],
		...['D1-REC-01..02', 'D1-REC-04', 'D1-REC-06', 'D1-ERRORED-01..02', 'D1-ERRORED-06', 'D1-ERRORED-12'],
		...['D1-RECORDING-02', 'D1-TEAMS-01', 'D1-USER-02..03', 'D1-USER-05', 'D1-USERS-01'],
		...['D1-EXP-00..03', 'D1-TEAMBODY-04', 'D1-USERBODY-05'],
		...['D1-SUB-06', 'D1-EVENT-01..03', 'D1-TEST-02..03', 'D1-WH-02', 'D1-HDR-05'],
		...['D2-STATE-01..02', 'D2-STATE-05..07', 'D2-ATT-02', 'D2-MATCH-02', 'D2-EVENT-01', 'D2-EVENT-03'],
	],
	'passed through': [
		...['D1-CONV-02', 'D1-CONV-06..07', 'D1-CONV-10..20', 'D1-CONV-23..28', 'D1-RUSER-01'],
		...['D1-VIEWER-01..04', 'D1-CHECK-01..07', 'D1-TRACK-01..07', 'D1-AITRACK-01..05'],
		...['D1-CUSTOMER-01..04', 'D1-ADDRESS-01..06', 'D1-SURVEY-01..03'],
		...['D1-REC-03', 'D1-REC-05', 'D1-REC-07..11', 'D1-ERRORED-03..05', 'D1-ERRORED-07..11', 'D1-ERRORED-13'],
		...['D1-RECORDING-01', 'D1-TEAM-01..30', 'D1-USER-01', 'D1-USER-04', 'D1-USER-06..41'],
		...['D1-MEMBER-01..02', 'D1-COACH-01..08'],
		...['D1-DATA-02..03', 'D1-DATA-05..13', 'D1-EVENTCUSTOMER-01..03', 'D1-EVENTSURVEY-01..05'],
	],
	'not concerned': [
		...['D1-RESP-01', 'D1-TEAMS-02', 'D1-USERS-02', 'D1-USERS-04..06', 'D1-TEAMBODY-05', 'D1-USERBODY-06'],
		...['D1-AUTH-03', 'D1-AUTH-05', 'D1-SUB-03..05', 'D1-WH-05..06', 'D1-HDR-01..04'],
		...['D1-LIM-05', 'D1-LIM-07'],
		...['D2-ATT-01', 'D2-ATT-06', 'D2-AUTH-05', 'D2-EVENT-02'],
	],
};

const roleOf = new Map<string, Role>();
for (const role of roleNames) {
	for (const id of roles[role].flatMap(expandTag)) {
		if (roleOf.has(id)) throw new Error(`${id} has two roles.`);
		roleOf.set(id, role);
	}
}

/**
 * Returns the role of each rule.
 *
 * @param ids of all rules
 * @throws Error that names rules without a role, or roles of unknown rules
 */
export function rolesFor(ids: readonly string[]): ReadonlyMap<string, Role> {
	const missing = ids.filter((id) => !roleOf.has(id));
	const unknown = [...roleOf.keys()].filter((id) => !ids.includes(id));
	if (missing.length > 0) throw new Error(`Rules without a role in rules/roles.ts: ${missing.join(', ')}.`);
	if (unknown.length > 0) throw new Error(`Roles of unknown rules in rules/roles.ts: ${unknown.join(', ')}.`);
	return roleOf;
}
