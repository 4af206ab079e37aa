//go:build goexperiment.jsonv2

package main

import "encoding/json/v2"

func init() { decoders[v2] = func(body []byte, into any) error { return json.Unmarshal(body, into) } }
