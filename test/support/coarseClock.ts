/**
 * `COARSE_CLOCK=20 npx jest --selectProjects engine`: the clock moves in steps of 20 milliseconds, in the tests and in what they
 * run in their process. Moments that a slow machine tells apart become one, as they do now and then on a fast one.
 */
const step = Number(process.env.COARSE_CLOCK);
const FineDate = Date;
const coarseNow = () => Math.floor(FineDate.now() / step) * step;

global.Date = new Proxy(FineDate, {
	construct: (target, given, newTarget) =>
		Reflect.construct(target, given.length === 0 ? [coarseNow()] : given, newTarget) as object,
	get: (target, name, receiver) => (name === 'now' ? coarseNow : Reflect.get(target, name, receiver)),
});

export {};
