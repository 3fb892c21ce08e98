/** What `npm run lint` compares with the nodes, for mutation runs alone, which do not lint. */
import { readFileSync } from 'node:fs';
import { ConversationExportApi } from '../../../credentials/ConversationExportApi.credentials';
import { CrmAppointmentApi } from '../../../credentials/CrmAppointmentApi.credentials';
import { ConversationIntelligence } from '../../../nodes/ConversationIntelligence/ConversationIntelligence.node';
import { ConversationIntelligenceAppointments } from '../../../nodes/ConversationIntelligenceAppointments/ConversationIntelligenceAppointments.node';
import { ConversationIntelligencePollTrigger } from '../../../nodes/ConversationIntelligencePollTrigger/ConversationIntelligencePollTrigger.node';
import { ConversationIntelligenceTrigger } from '../../../nodes/ConversationIntelligenceTrigger/ConversationIntelligenceTrigger.node';
import { errorsPage } from '../../../scripts/errorTables';
import { outputSchemas } from '../../../scripts/outputSchemas';
import { credentialSection, nodeSection } from '../../../scripts/parametersPage';
import { tablesPage } from '../../../scripts/tables';

test.each([
	ConversationIntelligence,
	ConversationIntelligenceAppointments,
	ConversationIntelligenceTrigger,
	ConversationIntelligencePollTrigger,
])('the page of parameters shows %p', (Node) => {
	expect(readFileSync('docs/reference/parameters.md', 'utf8')).toContain(nodeSection(new Node().description));
});

test.each([ConversationExportApi, CrmAppointmentApi])('the page of parameters shows %p', (Credential) => {
	expect(readFileSync('docs/reference/parameters.md', 'utf8')).toContain(credentialSection(new Credential()));
});

test.each([...errorsPage(), ...tablesPage(), ...outputSchemas()])('%s is up to date', (path, text) => {
	expect(readFileSync(path, 'utf8')).toBe(text);
});
