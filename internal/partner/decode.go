package partner

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"hearthline/internal/heloc"
)

// decode converts a tree to a heloc value. It cannot fail: a field of the wrong type is
// treated as null, because one odd field must not hide a whole lead.
func decode[T any](tree any) T {
	var value T
	fill(reflect.ValueOf(&value).Elem(), tree)
	return value
}

// fill sets v from a node and reports whether the node fits.
func fill(v reflect.Value, node any) bool {
	if node == nil {
		return false
	}
	if v.Kind() == reflect.Pointer {
		made := reflect.New(v.Type().Elem())
		if !fill(made.Elem(), node) {
			return false
		}
		if made.Elem().Kind() == reflect.Struct && made.Elem().IsZero() {
			return false // a selected offer with only null fields is no selected offer
		}
		v.Set(made)
		return true
	}
	// an object is filled member by member
	if scalar, ok := v.Addr().Interface().(json.Unmarshaler); ok && v.Kind() != reflect.Struct {
		return fillScalar(v, scalar, node)
	}
	switch v.Kind() {
	case reflect.Struct:
		return fillStruct(v, node)
	case reflect.Slice:
		return fillSlice(v, node)
	case reflect.String:
		return fillString(v, node)
	case reflect.Bool:
		return fillBool(v, node)
	case reflect.Float64:
		number, err := strconv.ParseFloat(textOf(node), 64)
		if err == nil {
			v.SetFloat(number)
		}
		return err == nil
	default:
		return false
	}
}

// fillStruct follows the JSON tags; the members of embedded structs are in the same object.
func fillStruct(v reflect.Value, node any) bool {
	from, ok := node.(object)
	if !ok {
		return false
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			fillStruct(v.Field(i), node)
		case name != "" && name != "-":
			fill(v.Field(i), from[name])
		}
	}
	return true
}

// fillSlice omits entries that are null or do not fit.
func fillSlice(v reflect.Value, node any) bool {
	entries, ok := node.([]any)
	if !ok {
		return false
	}
	made := reflect.MakeSlice(v.Type(), 0, len(entries))
	for _, entry := range entries {
		value := reflect.New(v.Type().Elem()).Elem()
		if fill(value, entry) {
			made = reflect.Append(made, value)
		}
	}
	v.Set(made)
	return true
}

// fillString also accepts numbers because the lender sends some ids as either. Ids that are
// keys of our rows are UUIDs in lower case; anything else is treated as absent.
func fillString(v reflect.Value, node any) bool {
	text := textOf(node)
	if _, isText := node.(string); !isText && text == "" {
		return false
	}
	switch v.Interface().(type) {
	case heloc.AppID, heloc.OriginatorID:
		id, err := heloc.ParseAppID(text)
		if err != nil {
			return false
		}
		text = string(id)
	}
	v.SetString(text)
	return true
}

func fillBool(v reflect.Value, node any) bool {
	value, ok := node.(bool)
	if text, isText := node.(string); isText && (text == "true" || text == "false") {
		value, ok = text == "true", true
	}
	if ok {
		v.SetBool(value)
	}
	return ok
}

// fillScalar calls UnmarshalJSON of money, rates, counts and dates, for a number or a string
// that contains one.
func fillScalar(v reflect.Value, scalar json.Unmarshaler, node any) bool {
	text := strings.TrimSpace(textOf(node))
	if text == "" {
		return false
	}
	if _, isNumber := node.(json.Number); !isNumber {
		text = strconv.Quote(text)
	}
	if err := scalar.UnmarshalJSON([]byte(text)); err != nil {
		v.SetZero()
		return false
	}
	return true
}
