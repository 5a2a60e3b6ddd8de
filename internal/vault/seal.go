package vault

import (
	"encoding/json"
	"fmt"

	"hearthline/internal/fault"
)

// SealJSON seals a value as JSON. The value must not hold pii.Secret fields:
// those encode as [withheld], on purpose.
func SealJSON[T any](v *Vault, place AAD, value T) ([]byte, error) {
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: encode %s.%s: %w", place.Table, place.Column, err))
	}
	return v.Seal(place, plain)
}

// UnsealJSON opens what SealJSON sealed for the same place. A decoding error is
// reported by its type alone, because its text may quote the plaintext.
func UnsealJSON[T any](v *Vault, place AAD, sealed []byte) (T, error) {
	var value T
	plain, err := v.Unseal(place, sealed)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(plain, &value); err != nil {
		var none T
		return none, fault.Wrap(fault.Internal, undecryptableMessage, fmt.Errorf("vault: decode %s.%s: %w: %T", place.Table, place.Column, ErrUndecryptable, err))
	}
	return value, nil
}
