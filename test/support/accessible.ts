import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Expects that a page fits a window of this width, and is accessible in light and dark colours. */
export async function expectAccessible(page: Page, width: number): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	await expect(page.evaluate('document.documentElement.scrollWidth')).resolves.toBe(width);
	await page.evaluate(axe);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		const violations = await page.evaluate(
			'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
		);
		expect(violations).toEqual([]);
	}
}
