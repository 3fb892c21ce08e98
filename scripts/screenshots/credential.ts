import type { Stage } from './panels';
import { save } from './save';

/** Takes the picture of the credential after its test. */
export async function photographCredential({ page, n8n, ending }: Stage): Promise<void> {
	await page.goto(`${n8n.url}/home/credentials`);
	await page.getByText('Conversation Export API of the local service').click();
	const dialog = page.locator('.el-dialog');
	await dialog.getByText('Connection tested successfully').waitFor();
	const box = await dialog.boundingBox();
	if (box === null) throw new Error('The credential is not open');
	// The fields below are only for the trigger.
	await save(page, `credential${ending}`, { ...box, height: 470 });
}
