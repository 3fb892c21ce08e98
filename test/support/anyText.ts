import * as fc from 'fast-check';

/** One of all 1.1 million characters. Like fast-check's unit `binary`, which takes seconds of each process. */
const character = fc.nat(0x10f7ff).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

export const anyText = (limits: fc.StringConstraints = {}) => fc.string({ ...limits, unit: character });
