package vault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"hearthline/internal/fault"
)

// SealJSON seals a value as JSON. The value must not contain pii.Secret fields: those encode as [withheld],
// on purpose.
func SealJSON[T any](v *Vault, aad AAD, value T) ([]byte, error) {
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: encode %s.%s: %w", aad.table, aad.column, err))
	}
	return v.Seal(aad, plain)
}

// quickDecoder is implemented by values that lists decrypt by the hundred. DecodeQuickly decodes the usual form of their JSON
// and reports whether it could; otherwise the value is unchanged.
type quickDecoder interface{ DecodeQuickly(plain []byte) bool }

// UnsealJSON decrypts what SealJSON sealed for the same row and column. It reports a decoding error only by
// its type, because its text may quote the plaintext. The decoder has the rules of encoding/json (DECISIONS.md).
func UnsealJSON[T any](v *Vault, aad AAD, sealed []byte) (T, error) {
	var value T
	plain, err := v.Unseal(aad, sealed)
	if err != nil {
		return value, err
	}
	if quick, ok := any(&value).(quickDecoder); ok && quick.DecodeQuickly(plain) {
		return value, nil
	}
	if err := decode(plain, &value); err != nil {
		var none T
		return none, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: decode %s.%s: %w: %T", aad.table, aad.column, ErrUndecryptable, err))
	}
	return value, nil
}

// asEncodingJSON are the rules of encoding/json, except that the syntax is not checked before anything is decoded: that only
// matters for what a value contains after an error, and takes a sixth of the time. It also refuses types with invalid tags, and
// keys that only differ in case from those of two fields, which no sealed type has.
var asEncodingJSON = jsonv2.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// decode decodes JSON by the rules of encoding/json, with a new decoder: the library's Unmarshal keeps its decoders for
// the next call, and they keep the texts that they have decoded. After an error, the value may contain a part.
func decode[T any](plain []byte, value *T) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(plain), asEncodingJSON)
	if err := jsonv2.UnmarshalDecode(d, value); err != nil {
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.Join(errors.New("there is more than one value"), err)
	}
	return nil
}
