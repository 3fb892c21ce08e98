import fc from 'fast-check';
import { customHeaderProblems, mostBytes, reservedNames } from '../../../../sandbox/webhooks/rules';

const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,20}$/);
const isReserved = (name: string) =>
	reservedNames.some((reserved) => reserved.toLowerCase() === name.toLowerCase());
const freeName = token.filter((name) => !isReserved(name));
const headerText = fc.stringMatching(/^[\x20-\x7e\xa0-\xff]{0,100}$/);
const anyCase = (text: string) =>
	fc
		.array(fc.boolean(), { minLength: text.length, maxLength: text.length })
		.map((upper) => [...text].map((c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(''));

describe('Custom headers (D1 § Custom headers)', () => {
	it('cannot have the twelve reserved names of D1-HDR-04', () => {
		expect(reservedNames).toEqual(
			'Content-Type, X-Service-Signature, Host, Content-Length, Transfer-Encoding, Connection, Keep-Alive, TE, Trailer, Upgrade, Proxy-Authorization, Proxy-Authenticate'.split(
				', ',
			),
		);
	});

	it('can be up to five, with valid text and different names', () => {
		const headers = fc.uniqueArray(fc.tuple(freeName, headerText), {
			maxLength: 5,
			selector: ([name]) => name.toLowerCase(),
		});
		fc.assert(fc.property(headers, (list) => customHeaderProblems(list).length === 0));
	});

	it('cannot be six', () => {
		const six = Array.from({ length: 6 }, (_, index): [string, string] => [`X-${index}`, '']);
		expect(customHeaderProblems(six)).toEqual(['At most 5 custom headers are allowed, not 6.']);
		expect(customHeaderProblems(six.slice(1))).toEqual([]);
	});

	it('cannot repeat a name in another case', () => {
		const pair = freeName.chain((name) => fc.tuple(anyCase(name), anyCase(name)));
		fc.assert(
			fc.property(pair, ([one, other]) => {
				expect(
					customHeaderProblems([
						[one, ''],
						[other, ''],
					]),
				).toEqual([`The header ${JSON.stringify(other)} occurs twice; names ignore case.`]);
			}),
		);
	});

	it('cannot have a reserved name in any case', () => {
		fc.assert(
			fc.property(fc.constantFrom(...reservedNames).chain(anyCase), (name) => {
				expect(customHeaderProblems([[name, 'x']])).toEqual([
					`The header "${name}" is reserved and cannot be set.`,
				]);
			}),
		);
	});

	it.each(['', 'X Name', ' X', 'X\t', 'X:', 'X\n', 'Ünique', '日本'])('cannot have the name %j', (name) => {
		expect(customHeaderProblems([[name, 'x']])).toHaveLength(1);
	});

	it.each(['a\rb', 'a\nb', 'a\r\nInjected: b', 'nul\0', '日本', '👋', 'del\x7f'])(
		'cannot have the value %j, which is not quoted',
		(value) => {
			expect(customHeaderProblems([['X-Name', value]])).toEqual([
				'The value of the header "X-Name" is not valid HTTP header text (no line breaks).',
			]);
		},
	);

	it.each([
		['ASCII', 'a', 1],
		['with two bytes per character', 'é', 2],
		['escaped in JSON', '"', 2],
	])('are limited by the UTF-8 bytes of all headers as JSON: %s', (_name, character, bytes) => {
		const frame = JSON.stringify({ 'X-One': '', 'X-Two': 'abc' }).length;
		const fitting = Math.floor((mostBytes - frame) / bytes);
		const headers = (length: number): Array<[string, string]> => [
			['X-One', character.repeat(length)],
			['X-Two', 'abc'],
		];
		expect(customHeaderProblems(headers(fitting))).toEqual([]);
		expect(customHeaderProblems(headers(fitting + 1))).toEqual([
			expect.stringMatching(/^The custom headers are 409[78] bytes as JSON; at most 4096 are allowed\.$/),
		]);
	});
});
