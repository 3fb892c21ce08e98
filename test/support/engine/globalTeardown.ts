import { rmSync } from 'node:fs';

/** Removes the folder that `globalSetup` has created (jest's `globalTeardown`). */
export default function globalTeardown(): void {
	rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true });
}
