// Runs before the programs that users start first, and explains why they cannot run on this system.
import { objection } from './objection.mjs';

const message = objection(process.versions.node, process.platform);
if (message) {
	console.error(message);
	process.exitCode = 1;
}
