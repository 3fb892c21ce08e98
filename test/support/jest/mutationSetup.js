// Whether a property fails matters, not the smallest example; and a survivor would try every example each time.
require('fast-check').configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 100 });
