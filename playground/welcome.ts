import type { Sandbox } from '../sandbox';
import { SIGNING_SECRET } from '../harness/credentials';
import { OWNER } from '../harness/n8n/session';

/** The text that `npm start` prints once everything is running. */
export function welcome(editorUrl: string, sandbox: Sandbox): string {
	return `
  Workflows       ${editorUrl}/home/workflows
  Log in          ${OWNER.email}   ${OWNER.password}
  Local service   ${sandbox.url}   (a new conversation every minute)
  Base URLs       ${sandbox.exportUrl}   ${sandbox.crmUrl}
  API key         ${sandbox.keys.organization}
  Signing secret of webhook subscriptions   ${SIGNING_SECRET}

First rows: Create workflow > Add first step > search "conversation" > Conversation Intelligence > Actions >
Get many conversations > Execute step. docs/getting-started.md continues with a webhook and a poll.
A whole job: open the workflow "Yesterday’s lost deals by mail", click "Execute workflow" and look at the mail on the
local service's page. Language model, calendars, CRMs, Slack, Google Sheets, mail and storage are local
doubles with credentials. PostgreSQL and the nodes named "(replace me)" need your own.
Your workflows are kept in .playground/ for the next start. Delete that folder to start over.
Ctrl-C stops everything.
`;
}
