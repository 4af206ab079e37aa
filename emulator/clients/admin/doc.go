// Package admin tests the realtime database with the official Go Admin client. It is a module of its own because that
// client links much.
package admin
