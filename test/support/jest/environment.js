/**
 * Runs test files in the worker's own realm, like n8n runs nodes: a package's errors are `instanceof Error`, and packages
 * can be loaded once for all files (`runtime.js`). After each file, globals and environment variables are restored.
 */
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Passed to jest instead of a context, because jest requires one. */
const OWN_REALM = Object.freeze({});
const { compileFunction } = vm;

vm.compileFunction = (code, parameters, { parsingContext, ...options } = {}) =>
	compileFunction(code, parameters, parsingContext === OWN_REALM ? options : { ...options, parsingContext });

module.exports = class OwnRealmEnvironment {
	constructor({ projectConfig: config }) {
		this.globals = Object.getOwnPropertyDescriptors(globalThis);
		this.variables = { object: process.env, values: { ...process.env } };
		this.exit = process.exit;
		this.global = globalThis;
		this.moduleMocker = new ModuleMocker(globalThis);
		this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
	}

	async setup() {}

	async teardown() {
		this.fakeTimersModern.dispose();
		process.exit = this.exit;
		process.env = this.variables.object;
		restore(process.env, Object.getOwnPropertyDescriptors(this.variables.values));
		restore(globalThis, this.globals);
	}

	exportConditions() {
		return ['node', 'node-addons'];
	}

	getVmContext() {
		return OWN_REALM;
	}
};

function restore(object, before) {
	for (const key of Reflect.ownKeys(object)) if (!(key in before)) delete object[key];
	for (const key of Reflect.ownKeys(before)) {
		const now = Reflect.getOwnPropertyDescriptor(object, key);
		const isSame = now && now.value === before[key].value && now.get === before[key].get;
		if (!isSame) Object.defineProperty(object, key, before[key]);
	}
}
