import type { Sandbox } from '../../sandbox';
import { SIGNING_SECRET } from '../credentials';
import { OWNER } from '../n8n/session';

/** What the reader is told when everything runs. */
export function welcome(editorUrl: string, sandbox: Sandbox): string {
	return `
  Workflows    ${editorUrl}/home/workflows
  Log in       ${OWNER.email}   ${OWNER.password}
  Sandbox      ${sandbox.url}   (the local service; a new conversation every minute)
  Base URLs    ${sandbox.exportUrl}   ${sandbox.crmUrl}
  API key      ${sandbox.keys.organization}
  Signing secret of webhook subscriptions   ${SIGNING_SECRET}

Try: open the workflow "Export conversations" and press "Execute workflow". Both credentials are made already.
Your own workflows are kept in .playground/ for the next time; delete that folder to begin afresh.
Ctrl-C stops everything.
`;
}
