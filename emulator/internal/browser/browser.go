// Package browser makes a handler accessible to scripts on web pages.
package browser

import (
	"net/http"

	"github.com/rs/cors"
)

// everyone lets pages of any origin send any request to the emulator and read the header fields of the response. Allowing any
// origin is safe because credentials are not cookies: a script must send the token itself.
var everyone = cors.New(cors.Options{
	AllowedOrigins: []string{"*"},
	AllowedMethods: []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPatch, http.MethodPost, http.MethodPut},
	AllowedHeaders: []string{"*"},
	ExposedHeaders: []string{"Allow", "Date", "ETag", "WWW-Authenticate"},
	MaxAge:         3600, // in seconds
})

// Open returns a handler that allows pages of any origin to read the responses of h, and that responds to preflight requests
// itself.
func Open(h http.Handler) http.Handler { return everyone.Handler(h) }
