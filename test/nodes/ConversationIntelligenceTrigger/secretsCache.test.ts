import { SecretsCache } from '../../../nodes/ConversationIntelligenceTrigger/secretsCache';

/** A credential whose reads are counted and whose secret changes with each. */
function credential() {
	let reads = 0;
	return {
		read: async () => ({ signingSecret: `signing secret ${++reads}` }),
		get reads() {
			return reads;
		},
	};
}

describe('SecretsCache', () => {
	test('reads again only for a caller that needs newer secrets', async () => {
		let now = 100;
		const cache = new SecretsCache(() => now);
		const { read } = credential();
		expect((await cache.get('node', 90, read)).signing).toEqual(['signing secret 1']);
		now = 200;
		expect((await cache.get('node', 100, read)).signing).toEqual(['signing secret 1']);
		expect((await cache.get('node', 101, read)).signing).toEqual(['signing secret 2']);
		expect((await cache.get('another node', 0, read)).signing).toEqual(['signing secret 3']);
	});

	test('shares a read only among callers for whom it began late enough', async () => {
		let now = 100;
		const cache = new SecretsCache(() => now);
		const source = credential();
		const early = [cache.get('node', 100, source.read), cache.get('node', 100, source.read)];
		now = 150;
		const late = [cache.get('node', 150, source.read), cache.get('node', 150, source.read)];
		expect((await Promise.all(early)).map(({ signing }) => signing[0])).toEqual([
			'signing secret 1',
			'signing secret 1',
		]);
		expect((await Promise.all(late)).map(({ signing }) => signing[0])).toEqual([
			'signing secret 2',
			'signing secret 2',
		]);
		expect(source.reads).toBe(2);
	});

	test('forgets the least recently read node once it keeps 1,000', async () => {
		const cache = new SecretsCache(() => 100);
		const { read } = credential();
		for (let node = 0; node < 1000; node++) await cache.get(`node ${node}`, 0, read);
		// Read again, so that "node 1" is the least recent.
		await cache.get('node 0', 101, read);
		await cache.get('one more', 0, read);
		expect((await cache.get('node 0', 0, read)).signing).toEqual(['signing secret 1001']);
		expect((await cache.get('node 2', 0, read)).signing).toEqual(['signing secret 3']);
		expect((await cache.get('node 1', 0, read)).signing).toEqual(['signing secret 1003']);
	});

	test('keeps a newer read when an older one fails late', async () => {
		let now = 100;
		const cache = new SecretsCache(() => now);
		let fail: (reason: Error) => void = () => {};
		const early = cache.get('node', 0, async () => await new Promise((_resolve, reject) => (fail = reject)));
		now = 200;
		const { read } = credential();
		await cache.get('node', 150, read);
		fail(new Error('too late'));
		await expect(early).rejects.toThrow('too late');
		expect((await cache.get('node', 150, read)).signing).toEqual(['signing secret 1']);
	});

	test('measures by a clock that no change of the time can turn back', async () => {
		const cache = new SecretsCache();
		const { read } = credential();
		const before = performance.now();
		expect((await cache.get('node', before, read)).signing).toEqual(['signing secret 1']);
		expect((await cache.get('node', before, read)).signing).toEqual(['signing secret 1']);
		expect((await cache.get('node', performance.now(), read)).signing).toEqual(['signing secret 2']);
	});

	test('does not remember a failed read', async () => {
		const cache = new SecretsCache(() => 100);
		const broken = async () => await Promise.reject(new Error('no such credential'));
		await expect(cache.get('node', 0, broken)).rejects.toThrow('no such credential');
		expect((await cache.get('node', 0, credential().read)).signing).toEqual(['signing secret 1']);
	});
});
