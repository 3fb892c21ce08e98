/** What `npm run lint` compares with the nodes, for mutation runs alone, which do not lint. */
import { readFileSync } from 'node:fs';
import { errorsPage } from '../../../scripts/errorTables';
import { outputSchemas } from '../../../scripts/outputSchemas';
import { parametersPage } from '../../../scripts/parametersPage';
import { tablesPage } from '../../../scripts/tables';

const files = [...parametersPage(), ...errorsPage(), ...tablesPage(), ...outputSchemas()];
test.each(files)('%s is up to date', (path, text) => {
	expect(readFileSync(path, 'utf8')).toBe(text);
});
