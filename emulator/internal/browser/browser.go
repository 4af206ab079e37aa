// Package browser opens a handler to scripts of web pages.
package browser

import (
	"net/http"

	"github.com/rs/cors"
)

// everyone lets pages of every origin send every request of the emulator, and read the header fields of its answers.
// Credentials are not cookies: a script sends its token itself.
var everyone = cors.New(cors.Options{
	AllowedOrigins: []string{"*"},
	AllowedMethods: []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPatch, http.MethodPost, http.MethodPut},
	AllowedHeaders: []string{"*"},
	ExposedHeaders: []string{"Allow", "Date", "ETag", "WWW-Authenticate"},
	MaxAge:         3600, // in seconds
})

// Open returns a handler that lets browsers show the answers of h to pages of every origin, and that answers preflight
// requests itself.
func Open(h http.Handler) http.Handler { return everyone.Handler(h) }
