import { isWebPage } from '../../../../nodes/shared/http/bodyText';

const PAGES = [
	...['<html>', ' \n<HTML lang="de">', '<!doctype html>', '<head>', '<body>', '<?xml ?>', '<!---->'],
	...['<h1 id="a">No</h1>', ' <P>\nNo</P>', '<meta http-equiv="refresh" content="0; url=/sign-in">'],
	...['<div class="login">', '<error code="1"/>', '<br/>', '<soap:Fault a="/"><code>7</code></soap:Fault>'],
];
const NO_PAGES = [
	...['', 'html', 'Bad <html>', '<htmlish>', '<p>', '<none>', '{"a":"<html>"}', '< html>', '<divider>'],
	...['<crm-1> is not </crm-1>', '<b> is not </a>', '<a b <c/>', '<crm-1/> is not'],
];

test('isWebPage is true for nothing but the beginning of a web page', () => {
	expect([...PAGES, ...NO_PAGES].filter(isWebPage)).toEqual(PAGES);
});
