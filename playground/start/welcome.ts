import type { Sandbox } from '../../sandbox';
import { SIGNING_SECRET } from '../credentials';
import { OWNER } from '../n8n/session';

/** The text that is printed once everything runs. */
export function welcome(editorUrl: string, sandbox: Sandbox): string {
	return `
  Workflows    ${editorUrl}/home/workflows
  Log in       ${OWNER.email}   ${OWNER.password}
  Sandbox      ${sandbox.url}   (the local service; a new conversation every minute)
  Base URLs    ${sandbox.exportUrl}   ${sandbox.crmUrl}
  API key      ${sandbox.keys.organization}
  Signing secret of webhook subscriptions   ${SIGNING_SECRET}

Try: open the workflow "Export yesterday to S3" and press "Execute workflow". Mail, storage and the language model are
local doubles with ready credentials. Slack, PostgreSQL and the nodes named "(replace me)" wait for your own.
Your own workflows are kept in .playground/ for the next time; delete that folder to begin afresh.
Ctrl-C stops everything.
`;
}
