package sqldb

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgtype"
)

// acceptTypes lets a connection store booleans in columns of numbers, as SQLite does.
func acceptTypes(m *pgtype.Map) {
	m.TryWrapEncodePlanFuncs = append([]pgtype.TryWrapEncodePlanFunc{wrapBool}, m.TryWrapEncodePlanFuncs...)
}

// values removes from texts the bytes that PostgreSQL refuses, which the lender or a browser could send.
func (postgres) values(args []any) []any {
	for i, arg := range args {
		v := reflect.ValueOf(arg)
		if v.Kind() != reflect.String {
			continue
		}
		if text := v.String(); strings.Contains(text, "\x00") || !utf8.ValidString(text) {
			args = slices.Clone(args)
			args[i] = StorableText(text)
		}
	}
	return args
}

// StorableText removes from a text what PostgreSQL refuses.
func StorableText(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}

// wrapBool writes booleans as 0 or 1 where a column has numbers.
func wrapBool(value any) (plan pgtype.WrappedEncodePlanNextSetter, next any, ok bool) {
	b, ok := value.(bool)
	if !ok {
		return nil, nil, false
	}
	return &boolPlan{}, numberOf(b), true
}

func numberOf(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

type boolPlan struct{ next pgtype.EncodePlan }

func (p *boolPlan) SetNext(next pgtype.EncodePlan) { p.next = next }

func (p *boolPlan) Encode(value any, buf []byte) ([]byte, error) {
	b, ok := value.(bool)
	if !ok {
		return nil, fmt.Errorf("store: got a %T, want a bool", value)
	}
	return p.next.Encode(numberOf(b), buf)
}
