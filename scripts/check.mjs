// Ends with a sentence where the repository's programs cannot run; stands before those that a reader starts first.
import { objection } from './objection.mjs';

const words = objection(process.versions.node, process.platform);
if (words) {
	console.error(words);
	process.exitCode = 1;
}
