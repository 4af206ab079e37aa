// Package admin tests the realtime database with the official Go Admin client. The package is in a separate module because
// that client has many dependencies.
package admin
