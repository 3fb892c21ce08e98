import type { Sandbox } from '../sandbox';
import type { Doubles } from '../harness/examples/doubles';
import { itemsOf, type Execution } from '../harness/n8n/execution';

/** The traces of an example: its execution, and what the services received. */
export interface Traces {
	execution: Execution;
	doubles: Pick<Doubles, 'calls' | 'sheet' | 'messages' | 'files' | 'mailbox'>;
	sandbox: Pick<Sandbox, 'control'>;
}

/** How to run an example by hand and check its result. */
export interface Job {
	/** The name of the trigger to start from. */
	trigger: string;
	/** A credential for a program that may not be installed. */
	needs?: 'postgres';
	/** Says what was done, and whether that was everything. */
	check(traces: Traces): { did: string; isRight: boolean };
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Jobs by the workflow's file name. `triggers.ts` has the examples that only a published trigger can start. */
export const JOBS: Record<string, Job> = {
	'archive-recordings': {
		trigger: 'Every Night',
		check: ({ execution, doubles: { files } }) => {
			const conversations = itemsOf(execution, "Yesterday's Conversations").length;
			return {
				did: `${count(files.size, 'file')} of ${count(conversations, 'conversation')}`,
				isRight: conversations > 0 && files.size === 2 * conversations,
			};
		},
	},
	'ask-your-calls': {
		trigger: 'Try It',
		check: ({ execution }) => {
			const kept = itemsOf(execution, 'Has Transcript').length;
			return {
				did: `${count(kept, 'transcript')} searchable`,
				isRight: kept > 0 && itemsOf(execution, 'Remember').length >= kept,
			};
		},
	},
	'coaching-alert': {
		trigger: 'Try It',
		check: ({ execution, doubles: { messages } }) => {
			const checked = itemsOf(execution, 'Low Checklists').length;
			return {
				did: `${count(messages.length, 'alert')} for ${count(checked, 'conversation')}`,
				isRight: checked > 0 && messages.length === itemsOf(execution, 'Any?').length,
			};
		},
	},
	'conversation-to-crm-and-slack': {
		trigger: 'Try It',
		check: ({ execution, doubles: { calls, messages } }) => ({
			did: `${count(calls.length, 'call')}, ${count(messages.length, 'message')}`,
			isRight: messages.length === 1 && calls.length === itemsOf(execution, 'Has Customer').length,
		}),
	},
	'conversations-to-data-table': {
		trigger: 'Every Hour',
		check: ({ execution }) => {
			const saved = itemsOf(execution, 'Save').length;
			return {
				did: `${count(saved, 'row')} saved`,
				isRight: saved > 0 && saved === itemsOf(execution, 'Last 7 Days').length,
			};
		},
	},
	'conversations-to-google-sheets': {
		trigger: 'Every Hour',
		check: ({ execution, doubles: { sheet } }) => ({
			did: count(sheet.length, 'row'),
			isRight: sheet.length > 1 && sheet.length === 1 + itemsOf(execution, 'Last 7 Days').length,
		}),
	},
	'daily-export-to-s3': {
		trigger: 'Every Night',
		check: ({ execution, doubles: { files } }) => {
			const [summary] = itemsOf(execution, "Yesterday's Conversations");
			const rows = Number(summary?.json.rows ?? 0);
			return {
				did: `${count(files.size, 'file')} of ${count(rows, 'row')}`,
				isRight: files.size === 1 && rows > 0,
			};
		},
	},
	'export-to-postgresql': {
		trigger: 'Every Hour',
		needs: 'postgres',
		check: ({ execution }) => {
			const saved = itemsOf(execution, 'Save Conversations').length;
			return {
				did: `${count(saved, 'row')} saved`,
				isRight: saved > 0 && saved === itemsOf(execution, 'Conversations').length,
			};
		},
	},
	'lost-deals-mail': {
		trigger: 'Every Morning',
		check: ({ execution, doubles: { mailbox } }) => {
			const deals = itemsOf(execution, 'Lost Deals').length;
			return {
				did: `${count(mailbox.mails.length, 'mail')} of ${count(deals, 'deal')}`,
				isRight: mailbox.mails.length === 1 && deals > 0,
			};
		},
	},
	'sync-appointments': {
		trigger: 'Every 15 Minutes',
		check: ({ execution, sandbox }) => {
			const booked = sandbox.control.appointments().filter(({ event_id: id }) => id.startsWith('crm-'));
			const matched = itemsOf(execution, 'Match').length;
			return {
				did: `${count(booked.length, 'appointment')}, ${matched} matched`,
				isRight: booked.length === 2 && matched === 1,
			};
		},
	},
	'weekly-team-digest': {
		trigger: 'Every Monday',
		check: ({ doubles: { mailbox } }) => ({
			did: count(mailbox.mails.length, 'mail'),
			isRight: mailbox.mails.length === 1 && /Teams/.test(mailbox.mails[0].html ?? ''),
		}),
	},
};
