import { createReadStream, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const REJECTED = /(rejected a delivery|cannot accept deliveries).*/;
const LOOK_EVERY_MS = 1000;

/**
 * Prints why n8n rejects a delivery, from its log, because the sender sees a status only.
 * @returns what ends it
 */
export function printRejections(logFile: string, print: (line: string) => void): () => Promise<void> {
	let read = statSync(logFile).size;
	const look = async () => {
		const { size } = statSync(logFile);
		if (size === read) return;
		const added = await text(createReadStream(logFile, { start: read, end: size - 1 }));
		read = size;
		for (const line of added.split('\n')) {
			const [found] = REJECTED.exec(line) ?? [];
			if (found) print(`n8n ${found}\n      Its log: ${logFile}`);
		}
	};
	const timer = setInterval(() => void look(), LOOK_EVERY_MS);
	return async () => clearInterval(timer);
}
