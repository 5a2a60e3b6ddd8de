package embed

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"hearthline/internal/lead"
	"hearthline/web/page"
)

type object = map[string]any

// OpenAPI describes the calls of CRMs as an OpenAPI 3.1 document, generated from the types of the responses.
func (h *Handlers) OpenAPI(w http.ResponseWriter, _ *http.Request) error {
	body, err := json.MarshalIndent(openAPI(h.Origin), "", "  ")
	return page.WriteRawJSON(w, body, err)
}

func openAPI(origin string) object {
	client := parameter("path", "client", "The key of your CRM in its launch URL.", true)
	kind := parameter("query", "type", "The record’s type, as your launches name it.", false)
	return object{
		"openapi": "3.1.0",
		"info": object{"title": "Hearthline for CRMs", "version": "1",
			"description": "Codes are never changed or removed; new ones may be added."},
		"servers":  []any{object{"url": origin}},
		"security": []any{object{"token": []any{}}, object{"time": []any{}, "signature": []any{}}},
		"paths": object{
			"/api/embed/{client}/records/{record}": object{"get": object{
				"operationId": "recordCard", "summary": "The lead of one record, in words",
				"parameters": []any{client, parameter("path", "record", "The record’s ID, URL-encoded.", true), kind},
				"responses": responses(crmCard{}, object{
					"404": content("The record has no lead that the caller may see.", crmCard{}),
					"409": failure("Records of more than one type have this ID. Name the type."),
				}),
			}},
			"/api/embed/{client}/leads": object{"get": object{
				"operationId": "leads", "summary": "The status of the leads of a record, or of those that changed",
				"parameters": []any{client,
					parameter("query", "changed_since", "The cursor of an earlier response. Without it and without record, "+
						"the list begins with the leads that have not changed for the longest time.", false),
					parameter("query", "record", "The ID of one record. Can’t be combined with changed_since.", false), kind,
					parameter("header", "If-None-Match", "The ETag of an earlier response to the same URL.", false)},
				"responses": responses(crmLeads{}, object{"304": object{"description": "Nothing changed since that ETag."}}),
			}},
		},
		"components": object{"securitySchemes": object{
			"token": object{"type": "http", "scheme": "bearer", "bearerFormat": "JWT",
				"description": "A launch token for the full URL of the call."},
			"time":      object{"type": "apiKey", "in": "header", "name": "X-HubSpot-Request-Timestamp"},
			"signature": object{"type": "apiKey", "in": "header", "name": "X-HubSpot-Signature-v3"},
		}},
	}
}

func parameter(in, name, about string, required bool) object {
	return object{"in": in, "name": name, "description": about, "required": required, "schema": object{"type": "string"}}
}

// responses adds to the responses of a call those that every call has.
func responses(ok any, more object) object {
	more["200"] = content("The answer.", ok)
	more["403"] = failure("The call isn’t signed by an enabled CRM.")
	more["422"] = failure("A parameter is missing, repeated or not valid.")
	tooMany := failure("Too many calls in a minute.")
	tooMany["headers"] = object{"Retry-After": object{"description": "Seconds to wait.",
		"schema": object{"type": "integer"}}}
	more["429"] = tooMany
	return more
}

func content(about string, body any) object {
	return object{"description": about,
		"content": object{"application/json": object{"schema": schemaOf(reflect.TypeOf(body))}}}
}

func failure(about string) object {
	return object{"description": about, "content": object{"application/json": object{"schema": object{"type": "object",
		"required":   []string{"error", "reference"},
		"properties": object{"error": object{"type": "string"}, "reference": object{"type": "string"}}}}}}
}

// schemaOf describes a type. A field says more in its tags: doc, format, and enum for the group of its codes.
func schemaOf(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Struct:
		required, properties := []string{}, object{}
		for i := range t.NumField() {
			f := t.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := schemaOf(f.Type)
			p["description"] = f.Tag.Get("doc")
			if format := f.Tag.Get("format"); format != "" {
				p["format"] = format
			}
			if group := f.Tag.Get("enum"); group != "" {
				p["x-extensible-enum"] = lead.CodesIn(lead.CodeGroup(group)) // not enum: new codes may come
			}
			if properties[name] = p; options != "omitempty" {
				required = append(required, name)
			}
		}
		return object{"type": "object", "required": required, "properties": properties}
	default:
		return object{"type": "string"}
	}
}
