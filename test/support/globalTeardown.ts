import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { TARBALL } from './n8n';

/** Removes the tarball of `globalSetup` (jest's `globalTeardown`). */
export default function globalTeardown(): void {
	const tarball = process.env[TARBALL];
	if (tarball) rmSync(dirname(tarball), { recursive: true, force: true });
}
