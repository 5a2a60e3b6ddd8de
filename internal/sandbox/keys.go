package sandbox

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"hearthline/internal/jwe"
)

// The key files in the state directory. The public key is for partners.
const (
	privateKeyName = "sandbox-key.pem"
	publicKeyName  = "sandbox-public.pem"
)

// PublicKeyFile is where Open writes the public key for partners.
func (s *Sandbox) PublicKeyFile() string { return filepath.Join(s.cfg.Dir, publicKeyName) }

func (s *Sandbox) openKeys() error {
	private, err := s.privateKey()
	if err != nil {
		return err
	}
	defer clear(private)
	if s.opener, err = jwe.NewOpener(private); err != nil {
		return err
	}
	if s.sealer, err = jwe.NewLocalSealer(s.opener.PublicPEM()); err != nil {
		return err
	}
	if len(s.cfg.PartnerPublicKey) > 0 {
		if s.partner, err = jwe.NewLocalSealer(s.cfg.PartnerPublicKey); err != nil {
			return fmt.Errorf("the partner's key: %w", err)
		}
	}
	return writeFile(s.PublicKeyFile(), s.opener.PublicPEM(), 0o644)
}

// privateKey reads the configured key, or the one stored in Dir, which it creates once.
func (s *Sandbox) privateKey() ([]byte, error) {
	if s.cfg.PrivateKeyFile != "" {
		return os.ReadFile(s.cfg.PrivateKeyFile)
	}
	path := filepath.Join(s.cfg.Dir, privateKeyName)
	stored, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return stored, err
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return encoded, writeFile(path, encoded, 0o600)
}

// writeFile replaces a file atomically, so that a crash leaves the old or the new one.
func writeFile(path string, content []byte, mode os.FileMode) error {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }() // does nothing after the rename
	_, err = temp.Write(content)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), path)
}
