/** Reasons why kept and relied-on rules still need a node test, by rule. */
export const open: Readonly<Record<string, string>> = {};
