import { isWebPage } from '../../../../nodes/shared/http/requestErrors';

const PAGES = [
	...[
		'<html>',
		' \n<HTML lang="de">',
		'<!doctype html>',
		'<?xml ?>',
		'<!---->',
		'<h1 id="a">No</h1>',
		' <P>\nNo',
	],
	...['<meta http-equiv="refresh" content="0; url=/sign-in">', '<error code="1"/>', '<soap:Fault a="/">'],
];
const NO_PAGES = [
	'',
	'html',
	'Bad <html>',
	'{"a":"<html>"}',
	'< html>',
	'<>',
	'<3',
	'</b>',
	'<crm-5> not found',
	'<divider',
];

test('isWebPage is true for nothing but the beginning of a web page', () => {
	expect([...PAGES, ...NO_PAGES].filter(isWebPage)).toEqual(PAGES);
});
