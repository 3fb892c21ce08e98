/** Whether a test of the current run has failed. The sequencer resets it, and the test runner sets it. */
module.exports = { hasFailed: false };
