//go:build easyjson

package main

import (
	"fmt"

	"github.com/mailru/easyjson"

	"github.com/calrules/calrules/benchmarks/internal/plain"
	"github.com/calrules/calrules/benchmarks/internal/plain/easy"
)

func init() {
	decoders["easyjson"] = func(body []byte, into any) error {
		switch into.(type) {
		case *plain.Event:
			return easyjson.Unmarshal(body, new(easy.Event))
		case *plain.Page:
			return easyjson.Unmarshal(body, new(easy.Page))
		}
		return fmt.Errorf("no type for %T", into)
	}
}
