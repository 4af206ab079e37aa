// Package schematest tests the schemas and the logs that calrules writes, with libraries that read them. It is a
// separate module, so that only these tests depend on the libraries.
package schematest
