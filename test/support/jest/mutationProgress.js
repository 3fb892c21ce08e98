/** Whether a test of the run under way has failed; shared by the sequencer, which resets it, and the test runner. */
module.exports = { hasFailed: false };
