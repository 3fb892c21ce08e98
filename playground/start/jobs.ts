import type { Sandbox } from '../../sandbox';
import type { Doubles } from '../examples/doubles';
import { itemsOf, type Execution } from '../n8n/execution';

/** What is left of an example's execution: the execution itself, and what the services received. */
export interface Traces {
	execution: Execution;
	doubles: Pick<Doubles, 'notes' | 'messages' | 'files' | 'mailbox'>;
	sandbox: Pick<Sandbox, 'control'>;
}

/** How an example is run by hand, and how its result is checked. */
export interface Job {
	/** The name of the trigger to start from. */
	trigger: string;
	/** A credential that only works with a program that may be missing here. */
	needs?: 'postgres';
	/** Says what was done, and whether that is all that had to be done. */
	check(traces: Traces): { did: string; isRight: boolean };
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** By the workflow's file name. Those that only a published trigger can start are in `triggers.ts`. */
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
		check: ({ doubles: { notes, messages } }) => ({
			did: `${count(notes.size, 'note')}, ${count(messages.length, 'message')}`,
			isRight: notes.size === 1 && messages.length === 1,
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
	'sync-appointments': {
		trigger: 'Every 15 Minutes',
		check: ({ sandbox }) => {
			const booked = sandbox.control.appointments().filter(({ event_id: id }) => id.startsWith('crm-'));
			return { did: `${count(booked.length, 'appointment')}`, isRight: booked.length === 2 };
		},
	},
	'weekly-team-digest': {
		trigger: 'Every Monday',
		check: ({ doubles: { mailbox } }) => ({
			did: count(mailbox.mails.length, 'mail'),
			isRight: mailbox.mails.length === 1 && /<td/.test(mailbox.mails[0].html ?? ''),
		}),
	},
};
