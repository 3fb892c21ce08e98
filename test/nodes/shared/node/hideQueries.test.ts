import * as fc from 'fast-check';
import { hideQueries } from '../../../../nodes/shared/node/hideQueries';

const SECRET = 'kqzvkqzvkqzv';

/** Each form in which a presigned link reaches a message. */
const LINKS = [
	`https://m.example/t.json?X-Amz-Signature=${SECRET}&X-Amz-Date=${SECRET}`,
	`http:\\/\\/m.example\\/t.json?token=${SECRET}`,
	encodeURIComponent(`https://m.example/t.json?sig=${SECRET}`),
	`https://proxy.example/${encodeURIComponent(`https://m.example/a?sig=${SECRET}`)}`,
	`x-goog-x-goog-signature=${SECRET}`,
	`next=1;signature=${SECRET}`,
	`SIG%3d${SECRET}`,
];

test('hides every query and signature, wherever the text is cut', () => {
	const anyText = fc.array(
		fc.oneof(fc.constantFrom(...LINKS), fc.constantFrom(' ', '"', ',', 'a', '-', '?', 'http://')),
	);
	fc.assert(
		fc.property(anyText, fc.nat(500), (parts, end) => {
			expect(hideQueries(parts.join(' ').slice(0, end))).not.toContain('kqz');
		}),
	);
});

test('keeps what is no query', () => {
	const text = 'Is it https://m.example/a.mp3? With design=1, amz-date=2 and x=3';
	expect(hideQueries(text)).toBe('Is it https://m.example/a.mp3?… With design=1, amz-date=2 and x=3');
});
