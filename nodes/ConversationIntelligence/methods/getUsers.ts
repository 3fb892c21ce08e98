import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { jsonRequest } from '../../shared/transport';

/**
 * The users of the key's organization or teams, for the users filter: removed ones too, because their conversations
 * stay (D1 § POST /export/users).
 *
 * @returns name and e-mail, sorted by name; the value is the exact e-mail
 */
export async function getUsers(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const now = Date.now();
	const { data } = await jsonRequest(this, {
		credentialType: 'conversationExportApi',
		method: 'POST',
		path: '/export/users',
		// The metrics do not matter here; a short range is the cheapest.
		body: { fromDate: new Date(now - 1000).toISOString(), toDate: new Date(now).toISOString() },
	});
	const users = Array.isArray(data.users) ? (data.users as IDataObject[]) : [];
	return users
		.filter((user) => typeof user.email === 'string')
		.map((user) => optionOf(user, String(user.email)))
		.sort((a, b) => a.name.localeCompare(b.name));
}

function optionOf({ name, isRemoved }: IDataObject, email: string): INodePropertyOptions {
	const shown = typeof name === 'string' && name !== '' ? `${name} (${email})` : email;
	return { name: isRemoved === true ? `${shown}, removed` : shown, value: email };
}
