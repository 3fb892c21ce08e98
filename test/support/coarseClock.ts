/**
 * `COARSE_CLOCK=20 npx jest --selectProjects engine` makes the clock advance in steps of 20 milliseconds, so
 * that times that differ on a slow machine are equal, as on a fast one.
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
