package operation

// MaxParams is for the tests.
const MaxParams = maxParams
