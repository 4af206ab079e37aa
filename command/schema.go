package command

import (
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/schema"
	"github.com/calrules/calrules/operation"
)

// The documents that the schema command can write in addition to event schemas.
const (
	schemaOpenAPI = "openapi"
	schemaConfig  = "config"
)

func newSchema(c *console) *cobra.Command {
	format, plain := newFormat(jsonFormats), false
	command := &cobra.Command{
		Use:   "schema [flags] (OPERATION | response | openapi | config)",
		Short: "Write the JSON Schema of an event, or an OpenAPI document",
		Long: `Write the JSON Schema (2020-12) of the body of an operation, such as insert, or of
the response; the OpenAPI 3.1 document of all operations; or the JSON Schema of a
configuration file. In the dialect google, the operations on calendars, the
calendar list, access control, channels and free/busy information have schemas too,
such as calendars.insert.

A schema asserts the requirements of rules for single values: types, limits, enumerations
and forms, and which members are required. It cannot assert rules about several members or
about the stored event: use check for these. x-calrules-rules lists all rules about a
member, and the format calrules-NAME is the limit that 'calrules limits NAME' shows. For
validators that do not know the formats, patterns express nearly the same.

With --plain, a schema of a body contains no formats and no calrules keywords, so a
validator compiles it in strict mode without plug-ins.`,
		Example: `  calrules schema insert >event.schema.json
  calrules schema --plain --dialect google acl.insert >rule.schema.json
  calrules schema --dialect google openapi >openapi.json`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			kinds := schemaKinds(c.dialect)
			return withShort(kinds.choices, kinds.short), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("schema requires an operation, response, openapi or config")
			}
			kinds := schemaKinds(diag.Google) // in the documents dialect, some kinds are rejected later, with an error
			if err := kinds.Set(args[0]); err != nil {
				return errors.New("the argument " + err.Error())
			}
			return writeSchema(c, kinds.value, plain, format)
		},
	}
	format.add(command, "output format; json is indented, ndjson is one line")
	command.Flags().BoolVar(&plain, "plain", false, "omit formats and the calrules keywords")
	return command
}

// schemaKinds returns the documents that the schema command can write in a dialect.
func schemaKinds(d diag.Dialect) *choice {
	kinds := &choice{choices: []string{schemaOpenAPI, schemaConfig}, short: eventsPrefix}
	for _, op := range schema.Operations(d) {
		kinds.choices = append(kinds.choices, string(op))
	}
	return kinds
}

func writeSchema(c *console, kind string, plain bool, format *format) error {
	switch kind {
	case schemaOpenAPI:
		format.write(c.out, schema.OpenAPI(c.dialect, c.own...))
	case schemaConfig:
		format.write(c.out, json.RawMessage(reference.ConfigSchema(c.checker.Catalogue())))
	default:
		body, err := schema.Body(operation.ID(kind), c.dialect, c.own...)
		if err != nil {
			return err
		}
		if plain {
			schema.Plain(body)
		}
		format.write(c.out, body)
	}
	return nil
}
