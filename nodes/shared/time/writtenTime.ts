import { DateTime, IANAZone } from 'luxon';

/** A date as written, before its zone is applied. */
interface WrittenTime {
	/** The date and time on the clock, read as if in UTC. */
	clock: DateTime;
	/** The zone in the text: `UTC`, `UTC+05:30` or an IANA name; undefined without one. */
	zone?: string;
	/** Whether the text names more than a day, such as `2026-03` or `2026-W10`. */
	isPartial?: boolean;
}

/** The part of a date that has no single meaning, such as `BST`. */
type UnclearZone = { unclear: string };

const DAY = String.raw`\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}-\d|\d{4}W\d{3}|\d{4}-\d{3}|\d{8}|\d{7}(?=[Tt])`;
const TIME = String.raw`\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d+(?!\d))?)?)?`;
const ISO = new RegExp(`^(${DAY})(?:(?:[Tt]|\\s+)(${TIME})\\s*([^\\s[\\]]*))?$`);
const PARTIAL = /^\d{4}-W?\d{2}$/;
/** RFC 5322 and HTTP dates; years have four digits, because two digits are ambiguous. */
const MAIL = /^((?:[a-z]{3}, )?\d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(?::\d{2})?) (\S+)$/i;
const UTC = /^(?:z|utc|gmt)$/i;
const OFFSET = /^([+-](?:[01]\d|2[0-3])):?([0-5]\d)?$/;
/** RFC 9557: suffixes in brackets, such as `[Europe/Berlin][u-ca=iso8601]`. */
const SUFFIXES = /^([^[]*)((?:\[[^[\]]*\])+)$/;

/**
 * Reads ISO 8601, RFC 3339, RFC 9557, SQL, email and HTTP dates. An offset takes precedence over a zone in brackets.
 *
 * @param text without outer spaces
 * @returns undefined for text that is not a date; `unclear` for a part without a single meaning, such as `BST`
 */
export function readWrittenTime(text: string): WrittenTime | UnclearZone | undefined {
	const [, core, suffixes] = SUFFIXES.exec(text) ?? [text, text, ''];
	const written = readCore(core.trimEnd());
	if (written === undefined || 'unclear' in written) return written;
	for (const [, suffix] of suffixes.matchAll(/\[([^[\]]*)\]/g)) {
		const zone = zoneOf(suffix);
		const isNeeded = suffix.startsWith('!') || (written.zone === undefined && !suffix.includes('='));
		if (isNeeded && zone === undefined) return { unclear: suffix };
		written.zone ??= zone;
	}
	return written;
}

function readCore(core: string): WrittenTime | UnclearZone | undefined {
	if (PARTIAL.test(core)) return onClock(DateTime.fromISO(core, { zone: 'UTC' }), '', true);
	const iso = ISO.exec(core);
	if (iso) {
		const [, day, time, zone = ''] = iso;
		return onClock(DateTime.fromISO(time === undefined ? day : `${day}T${time}`, { zone: 'UTC' }), zone);
	}
	const plain = core.replace(/\([^()]*\)/g, ' ').replace(/\s+/g, ' ');
	const mail = MAIL.exec(plain.trim());
	return mail ? onClock(DateTime.fromRFC2822(`${mail[1]} +0000`, { zone: 'UTC' }), mail[2]) : undefined;
}

function onClock(clock: DateTime, written: string, isPartial = false): WrittenTime | UnclearZone | undefined {
	if (!clock.isValid) return undefined;
	if (written === '') return { clock, isPartial };
	const zone = zoneOf(written);
	return zone === undefined ? { unclear: written } : { clock, zone };
}

/**
 * Reads the name of a zone or an offset, e.g. `Europe/Berlin`, `UTC` or `+02:00` (D2 § Appointment, times).
 *
 * @returns undefined for anything else, abbreviations too: BST is British, Bangladesh or Bougainville time
 */
export function zoneOf(written: string): string | undefined {
	if (UTC.test(written)) return 'UTC';
	const offset = OFFSET.exec(written);
	if (offset) return `UTC${offset[1]}:${offset[2] ?? '00'}`;
	return written.includes('/') && IANAZone.isValidZone(written) ? written : undefined;
}
