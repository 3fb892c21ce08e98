/**
 * Writes the time zones by which Windows, and so Outlook and Exchange, names them. They are from CLDR 48's table
 * windowsZones.json, rows of territory 001, in the npm package cldr-core 48.2.0:
 *
 *     npm pack cldr-core && tar xzf cldr-core-*.tgz
 *     node scripts/windowsZones.mjs package/supplemental/windowsZones.json
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { URL } from 'node:url';

const { mapTimezones } = JSON.parse(readFileSync(process.argv[2], 'utf8')).supplemental.windowsZones;
const rows = mapTimezones
	.map(({ mapZone }) => mapZone)
	.filter(({ _territory }) => _territory === '001')
	.map(({ _other, _type }) => [_other, _type]);
const target = new URL(
	'../nodes/ConversationIntelligenceAppointments/mapping/windowsZones.json',
	import.meta.url,
);
writeFileSync(target, `${JSON.stringify(Object.fromEntries(rows), null, '\t')}\n`);
