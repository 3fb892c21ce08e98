import { join } from 'node:path';

import { PACKAGE_FOLDER } from '../harness/n8n/package';
import { Service } from '../harness/processes/service';

/** Makes n8n watch the installed packages and reload a changed node. */
export const RELOAD = { N8N_DEV_RELOAD: 'true' };

/**
 * Compiles every change of a node directly into the package that n8n has installed.
 *
 * @param userFolder - the value of `N8N_USER_FOLDER`
 */
export async function watchNodes(userFolder: string): Promise<Service> {
	const installed = join(
		userFolder,
		'.n8n',
		'nodes',
		'node_modules',
		'n8n-nodes-conversation-intelligence',
		'dist',
	);
	return await Service.start({
		name: 'tsc',
		command: process.execPath,
		args: [
			require.resolve('typescript/bin/tsc'),
			...['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput', '--outDir', installed],
		],
		cwd: PACKAGE_FOLDER,
		env: process.env,
		logFile: join(userFolder, 'tsc.log'),
	});
}
