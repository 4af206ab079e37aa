package main

import (
	"github.com/bytedance/sonic"
	experiment "github.com/go-json-experiment/json"
	"github.com/goccy/go-json"
)

func init() {
	decoders["go-json-experiment"] = func(body []byte, into any) error { return experiment.Unmarshal(body, into) }
	decoders["sonic"] = sonic.Unmarshal
	decoders["goccy"] = json.Unmarshal
}
