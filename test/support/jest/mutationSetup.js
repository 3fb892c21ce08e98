// Whether a property fails matters, not the smallest example.
require('fast-check').configureGlobal({ endOnFailure: true });
