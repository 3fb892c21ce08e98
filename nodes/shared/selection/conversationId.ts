import type { INodePropertyMode } from 'n8n-workflow';
import { isObject } from '../base/text';
import type { Item } from '../node/item';
import { assertLength, refusedValue } from '../base/errors';
import { SELECTION_ERRORS } from './errors';

/** Not within a longer run of digits, so that one is read once. */
const UUID = '(?<![0-9a-fA-F])[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** What precedes the ID: `conversations/`, or anything if the address has a single ID. */
const BEFORE_ID = `(?:.*[Cc]onversations?/|(?!.*${UUID}.*${UUID}).*?)`;
const URL_ID = `^${BEFORE_ID}(${UUID})`;

/** How a resource locator names a conversation without a list: by its link in the web app, or by ID. */
export const conversationReference = {
	modes: [
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://…/conversations/3f2b8c1e-…',
			extractValue: { type: 'regex', regex: URL_ID },
			validation: [
				{
					type: 'regex',
					properties: {
						regex: `^${BEFORE_ID}${UUID}.*`,
						errorMessage: 'The URL holds no single conversation ID',
					},
				},
			],
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 3f2b8c1e-5d7a-…' },
	],
} satisfies { modes: INodePropertyMode[] };

/**
 * The ID in the parameter `conversationId`, a resource locator or, in older workflows and from agents, text.
 * @throws CodedError when it is not a UUID, before anything is requested
 */
export function readConversationId({ context, index, ids }: Item): string {
	const given = context.getNodeParameter('conversationId', index, '') as unknown;
	const { mode, value } = isObject(given) ? given : { mode: 'id', value: given };
	assertLength(value, 'Conversation');
	const text = typeof value === 'string' ? value.trim() : '';
	// n8n's own extraction would fail without saying what is wrong.
	const isLink = mode === 'url' || /^https?:\/\//i.test(text);
	const id = isLink ? (new RegExp(URL_ID).exec(text)?.[1] ?? text) : text;
	if (new RegExp(`^${UUID}$`).test(id)) return (ids.conversationId = id);
	const refused = { field: 'Conversation', value: typeof value === 'string' ? id : value };
	throw refusedValue(SELECTION_ERRORS, 'conversation_id_invalid', refused);
}
