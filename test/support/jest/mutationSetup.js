// A mutation run needs to know only that a property fails, and a surviving mutant must not cost every example.
require('fast-check').configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 5000 });
