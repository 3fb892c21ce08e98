/** `npm run bench -- service` measures the sandbox's throughput on one core, and its memory. */
import { request } from 'undici';
import type { Benchmark } from '../benchmark';
import { type SandboxProcess, startSandboxProcess } from '../sandboxProcess';
import { canPin, cpuSeconds, pinClient, residentMB } from './core';
import { type Call, drive, type Load } from './load';

const targets = { upserts: 1000, pages: 200 };
const connections = 16;
const json = 'application/json';
const range = { fromDate: '2000-01-01T00:00:00Z', toDate: '2100-01-01T00:00:00Z', limit: 50 };

/** A full page: 50 conversations, with the same page of the two other arrays. */
const pageCall = (sandbox: SandboxProcess, page: number): Call => ({
	method: 'POST',
	path: '/data/export/conversations',
	headers: { authorization: sandbox.keys.organization, 'content-type': json },
	body: JSON.stringify({ ...range, page }),
});

/** An equal mix of new appointments and updates. */
const upsertCall = (sandbox: SandboxProcess, owner: string, index: number): Call => ({
	method: 'POST',
	path: '/crm/custom/appointment',
	headers: { 'x-api-key': sandbox.keys.organization, 'content-type': json },
	body: JSON.stringify({
		event_id: `bench-${index % 2 ? index : Math.floor(index / 2)}`,
		user_email: owner,
		start_time: '2025-03-04 15:00:00',
		end_time: '2025-03-04 16:30:00',
		title: `Appointment ${index}`,
		customer: { id: `customer-${index}`, name: 'Ada Example', phone: '+15551234567' },
		price: 1000 + index / 100,
		custom_fields: { source: 'bench', index },
	}),
});

const startPinned = async (conversations: number) =>
	await startSandboxProcess({ conversations }, canPin ? 0 : undefined);

async function ownerIn(sandbox: SandboxProcess): Promise<string> {
	const { headers, body } = pageCall(sandbox, 1);
	const answer = await request(`${sandbox.exportUrl}/export/users`, { method: 'POST', headers, body });
	const { users } = (await answer.body.json()) as { users: Array<{ email: string; isRemoved: boolean }> };
	const owner = users.find((user) => !user.isRemoved);
	if (!owner) throw new Error('The sandbox has no active user.');
	return owner.email;
}

async function throughput(seconds: number) {
	const sandbox = await startPinned(100_000);
	try {
		const { origin } = new URL(sandbox.exportUrl);
		const owner = await ownerIn(sandbox);
		const timed = async (next: (index: number) => Call, length: number) => {
			const before = cpuSeconds(sandbox.pid);
			const load = await drive(origin, connections, next, (_, milliseconds) => milliseconds > length * 1000);
			return { ...load, perCpuSecond: load.requests / (cpuSeconds(sandbox.pid) - before) };
		};
		const page = (index: number) => pageCall(sandbox, 1 + ((index * 37) % 1999));
		const upsert = (index: number) => upsertCall(sandbox, owner, index);
		await timed(page, seconds / 5);
		const pages = await timed(page, seconds);
		await timed(upsert, seconds / 5);
		return { pages, upserts: await timed(upsert, seconds) };
	} finally {
		await sandbox.stop();
	}
}

/** The sandbox's memory before, halfway through and after reading every page. */
async function walk(conversations: number, mostPages: number) {
	const sandbox = await startPinned(conversations);
	try {
		const { origin } = new URL(sandbox.exportUrl);
		const pages = Math.min(mostPages, Math.ceil(conversations / range.limit));
		const idle = residentMB(sandbox.pid);
		const half = await drive(
			origin,
			4,
			(index) => pageCall(sandbox, 1 + index),
			(index) => index >= pages / 2,
		);
		const middle = residentMB(sandbox.pid);
		await drive(
			origin,
			4,
			(index) => pageCall(sandbox, 1 + half.requests + index),
			(index) => index >= pages - half.requests,
		);
		return { conversations, pages, idle, middle, end: residentMB(sandbox.pid) };
	} finally {
		await sandbox.stop();
	}
}

type Measured = Load & { perCpuSecond: number };

const loadRow = (name: string, { perSecond, perCpuSecond, p50, p99 }: Measured, target: number) =>
	`| ${name} | ${Math.round(perSecond)} | ${Math.round(perCpuSecond)} | ${(perSecond / target).toFixed(1)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`;

export const benchmark: Benchmark = {
	async run(args) {
		const isQuick = args.includes('--quick');
		pinClient();
		const { pages, upserts } = await throughput(isQuick ? 2 : 15);
		const walks = [await walk(10_000, Infinity), await walk(1_000_000, isQuick ? 400 : Infinity)];
		const [small, large] = walks;
		return `## The local service on one core

\`npm run bench -- service\`: one sandbox process${canPin ? ' pinned to one core' : ''}, the client in another process, ${connections} connections.

| | per second | per CPU second of the sandbox | ÷ target | p50 ms | p99 ms |
| --- | --- | --- | --- | --- | --- |
${loadRow('full export pages (50 conversations each)', pages, targets.pages)}
${loadRow('appointment upserts', upserts, targets.upserts)}

Resident memory of the sandbox while reading every page:

| conversations | pages | idle MB | halfway MB | end MB |
| --- | --- | --- | --- | --- |
${walks.map((row) => `| ${row.conversations.toLocaleString('en')} | ${row.pages.toLocaleString('en')} | ${row.idle.toFixed(0)} | ${row.middle.toFixed(0)} | ${row.end.toFixed(0)} |`).join('\n')}

A hundred times the conversations take ${(large.end / small.end).toFixed(2)} times the memory.`;
	},
};
