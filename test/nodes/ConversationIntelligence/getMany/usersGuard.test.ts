import { UsersGuard } from '../../../../nodes/ConversationIntelligence/getMany/usersGuard';

const emailOf = ({ email }: { email?: unknown }) => email;

test('names at most three other users, those with the most rows first', () => {
	const guard = new UsersGuard(['ana@example.com'], emailOf);
	const emails = ['ben', 'cem', 'cem', 'dia', 'dia', 'dia', 'eva'].map((name) => `${name}@example.com`);
	const passed = [...emails, undefined, 'ana@example.com'].filter((email) => guard.passes({ email }));
	expect(passed).toEqual(['ana@example.com']);
	expect(guard.count).toBe(8);
	expect(guard.whose).toBe(
		'3 of dia@example.com, 2 of cem@example.com, 1 of ben@example.com, and of 2 more users',
	);
});

test('names three other users without counting more', () => {
	const guard = new UsersGuard([], emailOf);
	for (const email of ['ben', 'cem', 'dia']) guard.passes({ email });
	expect(guard.whose).toBe('1 of ben, 1 of cem, 1 of dia');
});

test('does not say that the filter matched nobody before the first row', () => {
	expect(new UsersGuard(['ana@example.com'], emailOf).isFallback).toBe(false);
});

test('counts an unnamed user as another user', () => {
	const guard = new UsersGuard(['ana@example.com'], emailOf);
	expect(guard.passes({})).toBe(false);
	expect({ isFallback: guard.isFallback, whose: guard.whose }).toEqual({
		isFallback: true,
		whose: '1 of an unnamed user',
	});
});
