import { rolesFor, sections, type Role, type Rule } from './rules';
import { open } from './open';
import { scan, type TaggedTest } from './scan';

/** Tests of the service; all others test the nodes. */
const serviceTests = ['test/contract/', 'test/unit/sandbox', 'test/e2e/page'];

/** A rule with its role for the nodes and the tests that name it. */
export interface ProvenRule extends Rule {
	role: Role;
	nodeTests: TaggedTest[];
	serviceTests: TaggedTest[];
	/** Whether it needs a node test. */
	isOwed: boolean;
}

/**
 * Returns all rules with their roles and tests.
 *
 * @throws Error that names an unknown tag, a rule without a role, a kept or relied-on rule without a node
 *   test, or an open rule with one
 */
export function proveRules(): Map<string, ProvenRule> {
	const rules = sections.flatMap((section) => section.rules);
	const roles = rolesFor(rules.map(({ id }) => id));
	const tests = scan('test');
	const proven = new Map(rules.map((rule) => [rule.id, provenRule(rule, roles.get(rule.id)!, tests)]));
	if (proven.size !== rules.length) throw new Error('Two rules share an identifier.');
	for (const { file, title, rules: tags } of tests) {
		const unknown = tags.find((tag) => !proven.has(tag));
		if (unknown) throw new Error(`${file}: "${title}" has the tag ${unknown}, which is not a rule.`);
	}
	const owed = [...proven.values()].filter(({ isOwed }) => isOwed);
	const unproven = owed.filter(({ nodeTests }) => nodeTests.length === 0).map(({ id }) => id);
	const missing = unproven.filter((id) => !(id in open));
	if (missing.length > 0) throw new Error(`No node test names these rules: ${missing.join(', ')}.`);
	const closed = Object.keys(open).filter((id) => !unproven.includes(id));
	if (closed.length > 0)
		throw new Error(`Remove these rules from open.ts, because they have a node test: ${closed.join(', ')}.`);
	return proven;
}

function provenRule(rule: Rule, role: Role, tests: readonly TaggedTest[]): ProvenRule {
	const mine = tests.filter((test) => test.rules.includes(rule.id));
	const isOfService = ({ file }: TaggedTest) => serviceTests.some((start) => file.startsWith(start));
	return {
		...rule,
		role,
		nodeTests: mine.filter((test) => !isOfService(test)),
		serviceTests: mine.filter(isOfService),
		isOwed: role === 'kept' || role === 'relied on',
	};
}
