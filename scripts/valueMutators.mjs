/**
 * Mutators that Stryker lacks. `stryker.config.mjs` adds them to its own, so that they get its selection of tests, its
 * reports and its incremental runs. `ONLY=values npm run mutation` runs these alone.
 */
import babel from '@babel/core';
// Not exported by the package, so it is addressed by its file.
import { allMutators } from '../node_modules/@stryker-mutator/instrumenter/dist/src/mutators/mutate.js';

const { types } = babel;

/** Twice as much and half as much: small changes of a time or a size rarely matter. */
const numberLiteral = {
	name: 'NumberLiteral',
	*mutate(path) {
		if (!path.isNumericLiteral() || path.key === 'key') return;
		const { value } = path.node;
		yield types.numericLiteral(value === 0 ? 1 : value * 2);
		if (value !== 0) yield types.numericLiteral(Number.isInteger(value) ? Math.floor(value / 2) : value / 2);
	},
};

const isCall = (path) => path.isCallExpression() || path.isNewExpression() || path.isOptionalCallExpression();

/** A call with its arguments replaced. */
const withArguments = (call, args) => ({ ...types.cloneNode(call), arguments: args });

/** The last argument of several, and each property of an object that is an argument: often both are optional. */
const droppedArgument = {
	name: 'DroppedArgument',
	*mutate(path) {
		if (!isCall(path)) return;
		const args = path.node.arguments;
		if (args.length > 1) yield withArguments(path.node, args.slice(0, -1));
		for (const [at, argument] of args.entries()) {
			if (!types.isObjectExpression(argument) || argument.properties.length < 2) continue;
			for (const property of argument.properties) {
				const rest = types.objectExpression(argument.properties.filter((other) => other !== property));
				yield withArguments(path.node, args.with(at, rest));
			}
		}
	},
};

/** A part that a condition adds, such as `...(options && { options })`, whose order does not matter. */
const isConditional = (spread) =>
	types.isLogicalExpression(spread.argument) || types.isConditionalExpression(spread.argument);

/** What is spread first is overridden: `{ ...a, b }` becomes `{ b, ...a }`. */
const swappedSpread = {
	name: 'SwappedSpread',
	*mutate(path) {
		if (!path.isObjectExpression()) return;
		const { properties } = path.node;
		for (const spread of properties) {
			if (!types.isSpreadElement(spread) || isConditional(spread) || properties.length < 2) continue;
			const others = properties.filter((other) => other !== spread);
			yield types.objectExpression(properties[0] === spread ? [...others, spread] : [spread, ...others]);
		}
	},
};

/** A call whose value nobody reads, such as `seen.keepOnly(ids)`. */
const droppedCall = {
	name: 'DroppedCall',
	*mutate(path) {
		if (!path.isExpressionStatement()) return;
		const { expression } = path.node;
		const call = types.isAwaitExpression(expression) ? expression.argument : expression;
		if (types.isCallExpression(call) && !types.isSuper(call.callee)) yield types.emptyStatement();
	},
};

/** `/x/g` finds the first match only. */
const firstMatchOnly = {
	name: 'FirstMatchOnly',
	*mutate(path) {
		if (!path.isRegExpLiteral() || !path.node.flags.includes('g')) return;
		yield types.regExpLiteral(path.node.pattern, path.node.flags.replace('g', ''));
	},
};

const valueMutators = [numberLiteral, droppedArgument, swappedSpread, droppedCall, firstMatchOnly];

/** Adds the mutators to Stryker's. @param isAlone - whether Stryker's own are left out */
export function addValueMutators(isAlone) {
	if (isAlone) allMutators.length = 0;
	allMutators.push(...valueMutators);
}

/** Makes only one of so many mutants, evenly over the code, for an estimate of the score. */
export function sampleMutants(every) {
	let count = 0;
	for (const mutator of allMutators) {
		const { mutate } = mutator;
		mutator.mutate = function* (path) {
			for (const mutant of mutate.call(mutator, path)) if (count++ % every === 0) yield mutant;
		};
	}
}
