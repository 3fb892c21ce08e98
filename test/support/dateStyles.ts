import { DateTime } from 'luxon';

const inUtc = (format: string) => (at: number) => DateTime.fromMillis(at, { zone: 'utc' }).toFormat(format);

/** Forms of ISO 8601 in which a service can write its dates. */
export const DATE_STYLES: Record<string, (at: number) => string> = {
	basic: inUtc("yyyyMMdd'T'HHmmss.SSS'Z'"),
	'with a comma': inUtc("yyyy-MM-dd'T'HH:mm:ss,SSS'Z'"),
	'with short offsets': (at) => `${inUtc("yyyy-MM-dd'T'HH:mm:ss.SSS")(at + 3_600_000)}+01`,
	'without offsets': inUtc("yyyy-MM-dd'T'HH:mm:ss.SSS"),
	'of weeks, in lower case': inUtc("kkkk-'W'WW-c't'HH:mm:ss.SSS'999z'"),
};
