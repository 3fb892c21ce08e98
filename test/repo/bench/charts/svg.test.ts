import fc from 'fast-check';
import { drawBars, type Bar } from '../../../../bench/charts/svg';

const bar = (value: number, more: Partial<Bar> = {}): Bar => ({
	label: 'HTTP Request',
	value,
	text: `${value} s`,
	isOwn: false,
	...more,
});
const draw = (...bars: Bar[]) => drawBars({ title: 'Time', subtitle: '', groups: [{ label: '', bars }] });
const widthsIn = (svg: string) =>
	[...svg.matchAll(/class="(?:own|other)" .*?width="(\d+)"/g)].map(([, width]) => Number(width));

describe('drawBars', () => {
	it('draws bars in proportion to any values', () => {
		const [longest] = widthsIn(draw(bar(1)));
		const values = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 1 });
		fc.assert(
			fc.property(values, (drawn) => {
				const widths = widthsIn(draw(...drawn.map((value) => bar(value))));
				const most = Math.max(...drawn);
				expect(widths).toHaveLength(drawn.length);
				for (const [index, value] of drawn.entries()) {
					const exact = most === 0 ? 0 : (value / most) * longest;
					expect(Math.abs(widths[index] - Math.max(2, exact))).toBeLessThanOrEqual(0.5);
				}
			}),
		);
	});

	it('keeps a bar of zero visible', () => {
		expect(widthsIn(draw(bar(0), bar(10)))[0]).toBe(2);
	});

	it('draws all groups to the same scale', () => {
		const groups = [10, 5].map((value) => ({ label: '', bars: [bar(value)] }));
		const [long, short] = widthsIn(drawBars({ title: '', subtitle: '', groups }));
		expect(short).toBe(long / 2);
	});

	it('marks the bars of this package', () => {
		expect(draw(bar(1, { isOwn: true }))).toContain('<rect class="own"');
		expect(draw(bar(1))).not.toContain('<rect class="own"');
	});

	it('escapes characters that have a meaning in SVG', () => {
		expect(draw(bar(1, { label: '<a> & "b"' }))).toContain('>&#60;a&#62; &#38; &#34;b&#34;</text>');
	});
});
