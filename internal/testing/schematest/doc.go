// Package schematest uses third-party libraries to test the schemas and logs that calrules writes. Package schematest is in a
// separate module, because only its tests depend on the libraries.
package schematest
