import type { Organization } from './organization';
import type { Random } from './random';
import { round } from '../statistics';
import { randomOf, type Row } from './rows';
import { checklists } from './words';

/** A tracker's verdict: not evaluated (null), without a score, or both. */
export function verdict(random: Random) {
	const isHit = random.chance(0.06) ? null : random.chance(0.6);
	const aiScore = isHit === null || random.chance(0.2) ? null : round(random.next(), 2);
	return { isHit, aiScore };
}

/** The completed evaluations of a conversation (D1 § Checklist), from a random source of their own. */
export function checklistsOf(organization: Organization, row: Row) {
	const random = randomOf(organization, row, 6);
	const chosen = random.chance(0.1) ? [] : checklists.filter(() => random.chance(0.7));
	return chosen.map(({ name, trackers }) => {
		const trackerData = trackers.map((tracker) => {
			const { isHit, aiScore } = verdict(random);
			return {
				trackerId: organization.trackerId(tracker),
				name: tracker,
				trackerName: tracker,
				isHit,
				trackerIsHit: isHit,
				aiScore,
				trackerAiScore: aiScore,
			};
		});
		const score = trackerData.filter((tracker) => tracker.isHit).length;
		return {
			name,
			checklistName: name,
			score,
			checklistScore: score,
			denominator: trackers.length,
			checklistDenominator: trackers.length,
			trackerData,
		};
	});
}

/** Score over denominator of each evaluation that the export shows of a conversation (D1 § UsersExport, averageScriptCompliance). */
export function complianceOf(organization: Organization, row: Row): number[] {
	const given = row.fields?.checklists;
	const shown: unknown = given === undefined ? checklistsOf(organization, row) : given;
	return (Array.isArray(shown) ? shown : []).flatMap((checklist: unknown) => {
		// A row that was put in may have been given anything.
		const { score, denominator } = Object(checklist) as { score?: unknown; denominator?: unknown };
		const isScored = typeof score === 'number' && typeof denominator === 'number' && denominator > 0;
		return isScored ? [score / denominator] : [];
	});
}
