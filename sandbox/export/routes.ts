import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buildConversation } from '../data/conversation';
import type { User } from '../data/people';
import { buildErrored, buildRecording, type Row } from '../data/rows';
import type { Scope, Scopes } from '../keys';
import { headerOf } from '../http';
import { checked } from '../problem';
import { buildTeams, buildUser } from './people';
import { requests } from './validate';

/**
 * The users whose rows are returned. If a team-scoped key's filter matches no allowed user, all allowed users
 * are returned (D1-EXP-05).
 */
function narrow(scope: Scope, emails: readonly string[]): readonly User[] {
	if (emails.length === 0) return scope.users;
	const wanted = new Set(emails);
	const matched = scope.users.filter((user) => wanted.has(user.email));
	return matched.length === 0 && scope.isTeamScoped ? scope.users : matched;
}

/** The Data Export API, mounted at `{base_url}` (D1 § Endpoints). */
export function exportRoutes(scopes: Scopes) {
	return async (server: FastifyInstance): Promise<void> => {
		const scopeIn = (request: FastifyRequest) => scopes.get(headerOf(request, 'authorization') ?? '');
		// A key that is deleted while its request is read ends it with 500.
		const scopeOf = (request: FastifyRequest) => scopeIn(request)!;

		// Runs before the body is read, so that a request without a key learns nothing about its body.
		server.addHook('onRequest', async (request, reply) => {
			// Sandbox's own choice: the text, and 401 for a key without an organization.
			if (!scopeIn(request)) return reply.code(401).type('text/plain').send('Unauthorized');
		});

		server.get<{ Params: { conversationId: string } }>(
			'/export/conversations/:conversationId',
			async (request, reply) => {
				const { organization, users } = scopeOf(request);
				const row = organization.findConversation(request.params.conversationId);
				// 404 instead of 403 outside the scope does not reveal existence.
				if (!row || !users.includes(row.user))
					return reply.code(404).send({ message: 'Conversation not found' });
				return buildConversation(organization, row);
			},
		);

		server.post('/export/conversations', async (request, reply) => {
			const scope = scopeOf(request);
			const given = checked(requests.conversations, request.body);
			const { page, limit, users, dateType: by, ...range } = given;
			const { organization } = scope;
			const query = { ...range, by, users: narrow(scope, users) };
			const conversations = organization.view('conversations', query);
			const errored = organization.view('errored', query);
			const awaiting = by === 'date' ? organization.view('awaitingUpload', query) : undefined;
			const largest = Math.max(conversations.length, errored.length, awaiting?.length ?? 0);
			const pageOf = (rows: readonly Row[]) => rows.slice((page - 1) * limit, page * limit);
			const response = {
				currentPage: page,
				totalPages: Math.ceil(largest / limit),
				totalConversations: conversations.length,
				...(awaiting && { totalAwaitingUpload: awaiting.length }),
				totalErrored: errored.length,
				conversations: pageOf(conversations).map((row) => buildConversation(organization, row)),
				...(awaiting && {
					awaitingUpload: pageOf(awaiting).map((row) => buildRecording(organization.seed, row)),
				}),
				errored: pageOf(errored).map((row) => buildErrored(organization.seed, row)),
			};
			// A Buffer is encoded once; text would be encoded to measure it and again to send it.
			return reply.type('application/json; charset=utf-8').send(Buffer.from(JSON.stringify(response)));
		});

		server.post('/export/teams', async (request) => {
			const { organization, teams } = scopeOf(request);
			const { includeSubteams, ...range } = checked(requests.teams, request.body);
			return { teams: buildTeams(organization, teams, range, includeSubteams) };
		});

		server.post('/export/users', async (request) => {
			const scope = scopeOf(request);
			const { users, ...range } = checked(requests.users, request.body);
			const shown = narrow(scope, users).filter((user) => !user.isHidden);
			return { users: shown.map((user) => buildUser(scope.organization, user, range)) };
		});

		// Its own handler makes unknown paths need a key, too. Sandbox's own choice: both bodies below.
		server.setNotFoundHandler(async (_request, reply) => reply.code(404).send({ message: 'Not found' }));
	};
}
