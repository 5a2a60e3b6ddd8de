package store

import (
	"reflect"
	"strings"
	"testing"

	"hearthline/internal/lead"
)

// TestListFields_InOrderOfColumns: a row of a list is scanned by position.
func TestListFields_InOrderOfColumns(t *testing.T) {
	t.Parallel()
	var row lead.Row
	columns, fields, value := strings.FieldsFunc(listColumns,
		func(r rune) bool { return strings.ContainsRune(", \t\n", r) }), listFields(&row), reflect.ValueOf(&row).Elem()
	if len(columns) != len(fields) {
		t.Fatalf("%d columns for %d fields", len(columns), len(fields))
	}
	byColumn := map[string]any{}
	for i := range value.NumField() {
		byColumn[value.Type().Field(i).Tag.Get("db")] = value.Field(i).Addr().Interface()
	}
	for i, column := range columns {
		if byColumn[column] != fields[i] {
			t.Errorf("column %d is %s and scanned into another field", i+1, column)
		}
	}
}
