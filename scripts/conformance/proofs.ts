import { rules, type Rule } from '../apiReference';
import { scan, type TaggedTest } from './scan';

/** Tests of the service; all others test the nodes. */
const serviceTests = ['test/service/', 'test/n8n/page'];

/** A rule with the tests that name it. */
export interface ProvenRule extends Rule {
	nodeTests: TaggedTest[];
	serviceTests: TaggedTest[];
	/** Whether it needs a node test. */
	isOwed: boolean;
}

/**
 * Returns all rules with their tests.
 *
 * @throws Error that names an unknown tag, or kept and relied-on rules without a node test
 */
export function proveRules(): Map<string, ProvenRule> {
	const tests = scan('test');
	const proven = new Map(rules.map((rule) => [rule.id, provenRule(rule, tests)]));
	for (const { file, title, rules: tags } of tests) {
		const unknown = tags.find((tag) => !proven.has(tag));
		if (unknown) throw new Error(`${file}: "${title}" has the tag ${unknown}, which docs/api does not list.`);
	}
	const unproven = [...proven.values()].filter((rule) => rule.isOwed && rule.nodeTests.length === 0);
	if (unproven.length > 0) {
		throw new Error(`No node test names these rules: ${unproven.map(({ id }) => id).join(', ')}.`);
	}
	return proven;
}

function provenRule(rule: Rule, tests: readonly TaggedTest[]): ProvenRule {
	const mine = tests.filter((test) => test.rules.includes(rule.id));
	const isOfService = ({ file }: TaggedTest) => serviceTests.some((start) => file.startsWith(start));
	return {
		...rule,
		nodeTests: mine.filter((test) => !isOfService(test)),
		serviceTests: mine.filter(isOfService),
		isOwed: rule.role === 'kept' || rule.role === 'relied on',
	};
}
