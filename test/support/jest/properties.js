/** `RUNS=1000 npx jest …` tries each property so often, as every night; a property never takes longer than a test may. */
require('fast-check').configureGlobal({
	numRuns: Number(process.env.RUNS ?? 100),
	interruptAfterTimeLimit: 20_000,
});

// n8n runs in any locale, so that no test passes by that of this machine.
require('luxon').Settings.defaultLocale = 'de';
const { toLocaleString } = Number.prototype;
if (toLocaleString.name !== 'inGerman') {
	Number.prototype.toLocaleString = function inGerman(locale = 'de', options) {
		return toLocaleString.call(this, locale, options);
	};
}
