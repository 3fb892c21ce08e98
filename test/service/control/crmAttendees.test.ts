import { appointment, crm, crmStore } from '../support/crm';
import { useService } from '../support/service';

const service = useService({ conversations: 20, awaitingUpload: 2, errored: 2 });
const api = crm(service);
const store = crmStore(service);
const nobody = 'nobody.at.all@example.invalid';
type People = Awaited<ReturnType<typeof store.people>>;

const prefixOf = (email: string) => email.slice(0, email.indexOf('@')).toLowerCase();
let people: People;
let active: People;
/** Active users with a unique first.last prefix. */
let unambiguous: People;
beforeAll(async () => {
	people = await store.people();
	active = people.filter((user) => !user.isRemoved && !user.isHidden);
	const count = (prefix: string) => people.filter(({ email }) => prefixOf(email) === prefix).length;
	unambiguous = active.filter(
		({ email }) => count(prefixOf(email)) === 1 && /^[^.]+\.[^.]+$/.test(prefixOf(email)),
	);
});

/** Saves a new appointment and returns its attendees. */
async function attendeesOf(user_email: string, attendee_emails?: string[]) {
	const body = appointment(user_email, { attendee_emails });
	const response = await api.save(body);
	if (response.status !== 200) return response.status;
	return (await store.get(body.event_id))?.attendees;
}

// D2-ATT-01, D2-STATE-01
test('every resolved person becomes an attendee', async () => {
	const [owner, one, two] = active.map((user) => user.email);
	expect((await attendeesOf(owner, [one, two]))?.toString()).toBe([owner, one, two].toString());
});

// D2-ATT-04, D2-ATT-01
test('without a list or with [], the owner is the only attendee', async () => {
	const [{ email }] = active;
	expect(await attendeesOf(email)).toEqual([email]);
	expect(await attendeesOf(email, [])).toEqual([email]);
});

// D2-ATT-02
test('addresses are trimmed and case-insensitive', async () => {
	const [owner, one] = active.map((user) => user.email);
	expect(await attendeesOf(`  ${owner.toUpperCase()}\t`, [` ${one.toUpperCase()} `])).toEqual([owner, one]);
});

// D2-ATT-02
test('an alternate email resolves', async () => {
	const withAlternate = active.filter((user) => user.alternateEmails.length > 0);
	expect(withAlternate.length).toBeGreaterThan(0);
	for (const { email, alternateEmails } of withAlternate) {
		expect(await attendeesOf(alternateEmails[0].toUpperCase())).toEqual([email]);
	}
});

// D2-ATT-02
test('an unambiguous first.last prefix resolves with any domain', async () => {
	const [{ email }] = unambiguous;
	expect(await attendeesOf(`${prefixOf(email)}@another-domain.example`)).toEqual([email]);
	expect(await attendeesOf(`${prefixOf(email).toUpperCase()}@another-domain.example`)).toEqual([email]);
});

// D2-ATT-02
test('an ambiguous prefix, or one that is not first.last, does not resolve', async () => {
	const twins = active.find(
		({ email }) => active.filter((other) => prefixOf(other.email) === prefixOf(email)).length > 1,
	);
	expect(twins).toBeDefined();
	expect(await attendeesOf(`${prefixOf(twins?.email ?? '')}@another-domain.example`)).toBe(422);
	const [{ email }] = unambiguous;
	const [first] = prefixOf(email).split('.');
	expect(await attendeesOf(`${first}@another-domain.example`)).toBe(422);
});

// D2-ATT-02
test.each([
	['with another letter and no @', (prefix: string) => `${prefix}X`],
	['with another letter', (prefix: string) => `${prefix}X@another-domain.example`],
	['without its last letter', (prefix: string) => `${prefix.slice(0, -1)}@another-domain.example`],
	['after the @', (prefix: string) => `someone@${prefix}`],
])('a prefix %s does not resolve', async (_case, written) => {
	for (const { email } of unambiguous.slice(0, 5)) {
		expect(await attendeesOf(written(prefixOf(email)))).toBe(422);
	}
});

// D2-ATT-02
test('users who share a prefix resolve by primary email', async () => {
	const [{ email }] = active.filter(
		(user) => active.filter((other) => prefixOf(other.email) === prefixOf(user.email)).length > 1,
	);
	expect(await attendeesOf(email)).toEqual([email]);
});

// D2-ATT-02
test('repeated and alternate emails of a user lead to one attendee', async () => {
	const { email, alternateEmails } = active.find((user) => user.alternateEmails.length > 0) ?? active[0];
	expect(await attendeesOf(email, [email.toUpperCase(), ` ${email}`, ...alternateEmails])).toEqual([email]);
});

// D2-ATT-03
test('removed, hidden and unresolved addresses are skipped', async () => {
	const [owner, one] = active.map((user) => user.email);
	const inactive = people.filter((user) => user.isRemoved || user.isHidden).map((user) => user.email);
	expect(inactive.length).toBeGreaterThan(1);
	expect(await attendeesOf(owner, [...inactive, nobody, one])).toEqual([owner, one]);
});

// D2-ATT-03
test('an owner who does not resolve is skipped if another attendee resolves', async () => {
	const [{ email }] = active;
	expect(await attendeesOf(nobody, [email])).toEqual([email]);
});

// D2-ATT-03, D2-ERR-17, D2-STATE-06
test('responds with 422 and changes nothing when nobody resolves', async () => {
	const [owner] = active.map((user) => user.email);
	const removed = people.find((user) => user.isRemoved)?.email ?? nobody;
	const body = appointment(owner);
	await api.save(body);
	const before = await store.get(body.event_id);
	for (const change of [
		{ user_email: nobody, attendee_emails: [removed] },
		{ user_email: nobody },
		{ user_email: nobody, attendee_emails: [] },
	]) {
		expect((await api.save({ ...body, title: 'Changed', ...change })).status).toBe(422);
		expect(await store.get(body.event_id)).toEqual(before);
	}
	expect(before?.attendees).toEqual([owner]);
	const fresh = appointment(nobody);
	expect((await api.save(fresh)).status).toBe(422);
	expect(await store.get(fresh.event_id)).toBeUndefined();
});

// D2-ATT-05, D2-STATE-02
test('every update replaces the whole attendee list', async () => {
	const [owner, one, two] = active.map((user) => user.email);
	const body = appointment(owner, { attendee_emails: [one] });
	const attendees = async () => (await store.get(body.event_id))?.attendees;
	await api.save(body);
	await api.save({ event_id: body.event_id, user_email: owner, attendee_emails: [two] });
	expect(await attendees()).toEqual([owner, two]);
	await api.save({ event_id: body.event_id, user_email: owner, result: 'Sold' });
	expect(await attendees()).toEqual([owner]);
});
