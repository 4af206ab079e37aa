package rtdbgen

import (
	"encoding/base64"
	"math"

	"github.com/calrules/calrules/internal/gen/draw"
)

// KeyFile draws service account key files that [rtdbauth.ParseKeyFile] accepts. The private key in a file is random, because
// only token libraries check whether a key is real.
var KeyFile = draw.Custom(func(t *draw.T) string { return string(draw.EncodeJSON(keyFile(t))) })

func keyFile(t *draw.T) map[string]any {
	file := map[string]any{
		"client_email": draw.Address.Draw(t, "client_email"),
		"private_key":  pemBlock(t, draw.One(t, "PEM label", "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY")),
	}
	if draw.Maybe(t, "other members") {
		file["type"], file["project_id"], file["client_id"] = "service_account", draw.Name.Draw(t, "project"), nil
	}
	return file
}

var keyBytes = draw.SliceOfN(draw.Map(draw.IntRange(0, math.MaxUint8), func(n int) byte { return byte(n) }), 1, 12)

func pemBlock(t *draw.T, label string) string {
	body := base64.StdEncoding.EncodeToString(keyBytes.Draw(t, "key"))
	return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n"
}
