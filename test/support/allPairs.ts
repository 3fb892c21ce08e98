type Case<Factors> = {
	[Name in keyof Factors]: Factors[Name] extends readonly (infer Value)[] ? Value : never;
};

/**
 * Cases in which every two values of different factors meet: greedy, and the same in each run.
 * @param factors the values of each
 */
export function allPairs<Factors extends Record<string, readonly unknown[]>>(factors: Factors) {
	const lists = Object.values(factors);
	const pair = (one: number, a: number, two: number, b: number) =>
		one < two ? `${one}.${a} ${two}.${b}` : `${two}.${b} ${one}.${a}`;
	const open = new Set<string>();
	for (const [one, list] of lists.entries()) {
		for (let two = 0; two < one; two++) {
			for (const a of list.keys()) for (const b of lists[two].keys()) open.add(pair(one, a, two, b));
		}
	}
	const cases: Array<Case<Factors>> = [];
	for (const first of open) {
		const chosen = new Map(first.split(' ').map((text) => text.split('.').map(Number) as [number, number]));
		for (const [factor, list] of lists.entries()) {
			if (chosen.has(factor)) continue;
			const gain = (value: number) =>
				[...chosen].filter(([other, b]) => open.has(pair(factor, value, other, b))).length;
			// Ties begin at another value in each case, so that three factors meet in many ways.
			const order = list.map((_, index) => (index + cases.length) % list.length);
			chosen.set(
				factor,
				order.reduce((best, value) => (gain(value) > gain(best) ? value : best)),
			);
		}
		for (const [one, a] of chosen) for (const [two, b] of chosen) open.delete(pair(one, a, two, b));
		const entries = Object.entries(factors).map(([name, list], factor) => [name, list[chosen.get(factor)!]]);
		cases.push(Object.fromEntries(entries) as Case<Factors>);
	}
	return cases;
}

/**
 * Every combination of the values, for factors so few and functions so fast that no pair need stand for them.
 * @param factors the values of each
 */
export function allCases<Factors extends Record<string, readonly unknown[]>>(factors: Factors) {
	const more = (cases: object[], [name, list]: [string, readonly unknown[]]) =>
		cases.flatMap((one) => list.map((value) => ({ ...one, [name]: value })));
	return Object.entries(factors).reduce(more, [{}]) as Array<Case<Factors>>;
}
