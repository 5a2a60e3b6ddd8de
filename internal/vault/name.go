package vault

import (
	"bytes"
	"encoding/binary"
	"errors"

	"hearthline/internal/heloc"
)

// nameVersion is the first byte of a name's plaintext. Each part follows with its length before it.
const nameVersion = 1

// SealName seals the borrower's name of a lead. A list opens a name for each row, so the parts are not JSON.
func (v *Vault) SealName(app heloc.AppID, name heloc.Name) ([]byte, error) {
	plain := []byte{nameVersion}
	for _, part := range []string{name.First, name.Middle, name.Last, name.Prefix, string(name.Suffix)} {
		plain = append(binary.AppendUvarint(plain, uint64(len(part))), part...)
	}
	return v.Seal(NameAAD(app), plain)
}

// UnsealName decrypts what SealName made for the same lead. The name of a lead that has none is empty.
func (v *Vault) UnsealName(app heloc.AppID, sealed []byte) (heloc.Name, error) {
	if len(sealed) == 0 {
		return heloc.Name{}, nil
	}
	plain, err := v.Unseal(NameAAD(app), sealed)
	if err != nil {
		return heloc.Name{}, err
	}
	var name heloc.Name
	rest, valid := bytes.CutPrefix(plain, []byte{nameVersion})
	for _, part := range []*string{&name.First, &name.Middle, &name.Last, &name.Prefix, (*string)(&name.Suffix)} {
		size, n := binary.Uvarint(rest)
		if valid = valid && n > 0 && size <= uint64(len(rest)-n); !valid {
			break
		}
		*part, rest = string(rest[n:n+int(size)]), rest[n+int(size):]
	}
	if !valid || len(rest) > 0 {
		return heloc.Name{}, undecodable(NameAAD(app), errors.New("not the parts of a name"))
	}
	return name, nil
}
