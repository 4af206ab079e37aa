// Package admin tests the realtime database with the official Go Admin client. It is a separate module because that
// client has many dependencies.
package admin
