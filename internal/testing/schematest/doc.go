// Package schematest tests the schemas and logs that calrules writes with third-party libraries that read them. It is a
// separate module, so that only these tests depend on the libraries.
package schematest
