import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../harness/n8n/package';
import { Service } from '../harness/processes/service';

/** Makes n8n watch the installed packages and reload a changed node. */
export const RELOAD = { N8N_DEV_RELOAD: 'true' };

/**
 * Compiles or copies every change of a node, icon, codex file or schema directly into the package that n8n has installed.
 */
export async function watchNodes(userFolder: string): Promise<() => Promise<void>> {
	const installed = join(userFolder, '.n8n/nodes/node_modules/n8n-nodes-conversation-intelligence/dist');
	const start = (name: string, ...args: string[]) =>
		Service.start({
			name,
			command: process.execPath,
			args: [`node_modules/.bin/${name}`, ...args],
			cwd: PACKAGE_FOLDER,
			env: { ...process.env, DIST: installed },
			logFile: join(userFolder, `${name}.log`),
		});
	const compile = ['-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput', '--outDir', installed];
	const services = [await start('tsc', ...compile), await start('gulp', 'watch')];
	return async () => void (await Promise.all(services.map(async (service) => await service.stop())));
}
