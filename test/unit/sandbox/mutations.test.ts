import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, scan } from '../../../scripts/conformance/scan';
import { allMutations } from '../../../scripts/mutate/all';
import { edited } from '../../../scripts/mutate/mutation';

const named = new Set(scan('test/contract').flatMap(({ rules }) => rules));

describe('`npx tsx scripts/mutate`', () => {
	it.each(allMutations.map((mutation) => [mutation.rule, mutation.what, mutation] as const))(
		'%s: “%s” finds its code exactly once, and a test names the rule',
		(rule, _what, mutation) => {
			const text = readFileSync(join(root, mutation.file), 'utf8');
			expect(edited(mutation, text)).not.toBe(text);
			expect(named).toContain(rule);
		},
	);

	it('refuses code that is missing or occurs twice', () => {
		const mutation = { rule: 'D1-EXP-01', what: 'a change', file: 'a.ts', find: 'one', replace: 'two' };
		expect(edited(mutation, 'one more')).toBe('two more');
		for (const text of ['nothing', 'one and one'])
			expect(() => edited(mutation, text)).toThrow('"a change": a.ts');
	});
});
