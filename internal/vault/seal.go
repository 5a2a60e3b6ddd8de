package vault

import (
	"encoding/json"
	"fmt"

	"hearthline/internal/fault"
)

// SealJSON seals a value as JSON. The value must not contain pii.Secret fields: those encode as [withheld],
// on purpose.
func SealJSON[T any](v *Vault, aad AAD, value T) ([]byte, error) {
	plain, err := json.Marshal(value)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, undecryptableMessage,
			fmt.Errorf("vault: encode %s.%s: %w", aad.table, aad.column, err))
	}
	return v.Seal(aad, plain)
}

// UnsealJSON decrypts what SealJSON sealed for the same row and column.
func UnsealJSON[T any](v *Vault, aad AAD, sealed []byte) (value T, err error) {
	plain, err := v.Unseal(aad, sealed)
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(plain, &value); err != nil {
		var none T
		return none, undecodable(aad, err)
	}
	return value, nil
}

// undecodable reports a decoding error only by its type, because its text may quote the plaintext.
func undecodable(aad AAD, err error) error {
	return fault.Wrap(fault.Internal, undecryptableMessage,
		fmt.Errorf("vault: decode %s.%s: %w: %T", aad.table, aad.column, ErrUndecryptable, err))
}
