import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../base/text';

/** Where the checklists and trackers of a conversation are (D1 § Checklist, Tracker, AiTracker). */
export const ENTRY_PATHS = {
	checklists: [['checklists']],
	trackers: [['checklists', 'trackerData'], ['aiTrackers']],
};

export type EntryName = keyof typeof ENTRY_PATHS;

/** Fields of a tracker, and their names outside of a checklist (D1 § AiTracker). */
const ALIASES: Record<string, string> = { trackerIsHit: 'isHit', trackerAiScore: 'aiScore' };

/** A field of an entry by its name in a checklist; undefined if there is none. */
export const entryField = (entry: IDataObject, name: string) => entry[name] ?? entry[ALIASES[name]];

/** The checklists or the trackers of a conversation; a tracker has the fields of its checklist, too. */
export const entriesNamed = (row: IDataObject, name: EntryName) =>
	ENTRY_PATHS[name].flatMap((path) => entriesBelow(row, path));

/** The objects at the end of a path, each with the fields of those on the way. */
export function entriesBelow(parent: IDataObject, [name, ...rest]: string[]): IDataObject[] {
	const entries = entriesIn(parent[name]);
	if (rest.length === 0) return entries;
	return entries.flatMap((entry) => entriesBelow(entry, rest).map((inner) => ({ ...entry, ...inner })));
}

/** The entries of a list; of an object, its questions and answers. */
export function entriesIn(value: unknown): IDataObject[] {
	if (Array.isArray(value)) return value.filter(isObject);
	if (!isObject(value)) return [];
	return Object.entries(value).map(([question, answer]) => {
		// As text, because a column of a table has one type.
		const isText = typeof answer === 'string' || (answer ?? null) === null;
		return { question, answer: isText ? (answer ?? null) : JSON.stringify(answer) };
	});
}

const trackersThatAre = (isHit: boolean) => (row: IDataObject) =>
	entriesNamed(row, 'trackers')
		.filter((tracker) => entryField(tracker, 'trackerIsHit') === isHit)
		.map(({ trackerName }) => trackerName);

const scoresIn = (row: IDataObject) =>
	entriesNamed(row, 'checklists').map(
		({ checklistName, checklistScore, checklistDenominator }) =>
			`${String(checklistName)} ${String(checklistScore)}/${String(checklistDenominator)}`,
	);

/** Flat fields that are made of a conversation's checklists and trackers: the texts of each, and what they are. */
export const ENTRY_TEXTS: Record<string, { of: (row: IDataObject) => unknown[]; description: string }> = {
	checklistScores: { of: scoresIn, description: 'Each checklist with its score, such as "Discovery 3/5"' },
	hitTrackers: { of: trackersThatAre(true), description: 'Names of the trackers that were hit' },
	missedTrackers: { of: trackersThatAre(false), description: 'Names of the trackers that were missed' },
};
