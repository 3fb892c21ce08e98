import { UsersGuard } from '../../../../nodes/ConversationIntelligence/getMany/usersGuard';

const emailOf = ({ email }: { email?: unknown }) => email;

test('names the other users, those with the most rows first', () => {
	const guard = new UsersGuard(['ana@example.com'], emailOf);
	const emails = ['ben', 'cem', 'cem', 'dia', 'dia', 'dia'].map((name) => `${name}@example.com`);
	const passed = [...emails, undefined, 'ana@example.com'].filter((email) => guard.passes({ email }));
	expect(passed).toEqual(['ana@example.com']);
	expect(guard.count).toBe(7);
	expect(guard.whose).toEqual([
		'3 of dia@example.com',
		'2 of cem@example.com',
		'1 of ben@example.com',
		'1 of an unnamed user',
	]);
	expect(guard.isFallback).toBe(false);
});

test('does not say that the filter matched nobody before the first row', () => {
	expect(new UsersGuard(['ana@example.com'], emailOf).isFallback).toBe(false);
});
