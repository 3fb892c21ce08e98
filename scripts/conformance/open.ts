/** Kept and relied-on rules that wait for their node test, each with the reason. */
export const open: Readonly<Record<string, string>> = {};
