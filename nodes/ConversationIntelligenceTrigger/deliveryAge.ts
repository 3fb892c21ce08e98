import { DateTime } from 'luxon';
import { refusal, type Refusal } from './refusals';

/** How far a sender's clock may be ahead, in milliseconds: beyond that, a copy could be replayed for long. */
const MOST_AHEAD_MS = 24 * 60 * 60 * 1000;

/**
 * Refuses a signed delivery that was sent too long ago: whoever recorded it could send it again (D1 § Envelope, sent_at).
 *
 * @param sentAt the envelope's `sent_at`; read as UTC without an offset
 * @param maximumAgeMs 0 for any age
 * @param now milliseconds since 1970
 * @returns undefined for a delivery that is new enough
 */
export function judgeAge(sentAt: unknown, maximumAgeMs: number, now: number): Refusal | undefined {
	if (maximumAgeMs === 0) return undefined;
	const sent = DateTime.fromISO(typeof sentAt === 'string' ? sentAt : '', { zone: 'utc' });
	if (!sent.isValid) return refusal('sent_at_unreadable');
	const age = now - sent.toMillis();
	return age > maximumAgeMs || age < -MOST_AHEAD_MS ? refusal('delivery_too_old') : undefined;
}
