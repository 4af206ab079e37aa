package emulator

import (
	"net/http"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// discoveryPaths lists the paths of the discovery document, from which clients in dynamic languages generate their methods. The
// public service uses the same paths.
var discoveryPaths = map[string]bool{"/discovery/v1/apis/calendar/v3/rest": true, "/$discovery/rest": true}

// serveDiscovery serves the discovery document for the address of the request.
func (s *Server) serveDiscovery(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.refuse(w, r, refused(http.StatusMethodNotAllowed, "httpMethodNotAllowed", "The method is %s; the discovery document has GET.", r.Method))
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	w.Header().Add("Vary", "Accept-Encoding")
	writeBody(w, r, encode(discovery(address(r)+"/")))
}

// discovery returns the discovery document of the emulator with the given root URL.
func discovery(root string) resource {
	resources, standard := map[string]any{}, map[string]any{}
	for op := range operation.All() {
		of, name, _ := strings.Cut(string(op.ID), ".")
		if resources[of] == nil {
			resources[of] = map[string]any{"methods": map[string]any{}}
		}
		resources[of].(map[string]any)["methods"].(map[string]any)[name] = method(op, standard)
	}
	return resource{
		"kind": "discovery#restDescription", "discoveryVersion": "v1", "id": "calendar:v3", "name": "calendar", "version": "v3",
		"title": "Calendar emulator", "protocol": "rest", "rootUrl": root, "servicePath": "calendar/v3/", "baseUrl": root + "calendar/v3/",
		"basePath": "/calendar/v3/", "batchPath": "batch/calendar/v3",
		"parameters": standard, "resources": resources, "schemas": schemas[diag.Google],
	}
}

// method describes an operation and adds the parameters common to all operations to standard.
func method(op *operation.Operation, standard map[string]any) map[string]any {
	params, order := map[string]any{}, []string{}
	for segment := range strings.SplitSeq(op.Path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			params[name] = map[string]any{"type": "string", "location": "path", "required": true}
			order = append(order, name)
		}
	}
	for _, p := range op.ParamsIn(diag.Google) {
		into := params
		if p.Standard {
			into = standard
		}
		into[p.Name] = map[string]any{"type": discoveryTypes[p.Type], "location": "query", "required": p.Required, "repeated": p.Repeated}
		if p.Required {
			order = append(order, p.Name)
		}
	}
	m := map[string]any{
		"id": "calendar." + string(op.ID), "path": strings.TrimPrefix(op.Path, "/"), "httpMethod": op.Method, "description": op.Summary,
		"parameters": params, "parameterOrder": order,
	}
	if sent := bodyOf(op); sent != "" {
		m["request"] = map[string]any{"$ref": sent}
	}
	if answered := answerOf(op); answered != "" {
		m["response"] = map[string]any{"$ref": answered}
	}
	return m
}

// discoveryTypes maps parameter types to the types in the discovery document.
var discoveryTypes = map[string]string{"string": "string", "enum": "string", "integer": "integer", "boolean": "boolean"}
