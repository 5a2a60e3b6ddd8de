// Package vaulttest provides a PKCS#11 token for tests: SoftHSM 2, which stores its tokens in files.
package vaulttest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/miekg/pkcs11"
)

// Module is the library of SoftHSM.
const Module = "/usr/lib/softhsm/libsofthsm2.so"

// PIN is the PIN of the tokens of SoftHSM.
const PIN = "1234"

// SoftHSM creates a token with a label and, for each other label, an AES-256 key in it that cannot be read, and returns
// the folder of the token. It skips the test without SoftHSM, or fails it when PORTAL_TEST_REQUIRE says so. Only one
// test of a process can use it at a time, because a module has one configuration.
func SoftHSM(t *testing.T, token string, keys ...string) (dir string) {
	t.Helper()
	if _, err := exec.LookPath("softhsm2-util"); err != nil {
		if slices.Contains(strings.Split(os.Getenv("PORTAL_TEST_REQUIRE"), ","), "softhsm") {
			t.Fatal("PORTAL_TEST_REQUIRE includes softhsm, but SoftHSM is not installed")
		}
		t.Skip("SoftHSM is not installed")
	}
	dir = filepath.Join(t.TempDir(), "tokens")
	configuration := filepath.Join(t.TempDir(), "softhsm2.conf")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(configuration, fmt.Appendf(nil, "directories.tokendir = %s\nlog.level = ERROR\n", dir),
		0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SOFTHSM2_CONF", configuration)
	//nolint:gosec // the label is the test's
	if out, err := exec.CommandContext(t.Context(), "softhsm2-util", "--init-token", "--free", "--label", token,
		"--so-pin", "5678", "--pin", PIN).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, label := range keys {
		AddKey(t, token, label, false)
	}
	return dir
}

// AddKey generates an AES-256 key in a token. An extractable one can be read.
func AddKey(t *testing.T, token, label string, extractable bool) {
	t.Helper()
	c := pkcs11.New(Module)
	if c == nil {
		t.Fatalf("%s cannot be loaded", Module)
	}
	defer c.Destroy()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.Initialize())
	defer func() { must(c.Finalize()) }()
	slots, err := c.GetSlotList(true)
	must(err)
	slot := slices.IndexFunc(slots, func(slot uint) bool {
		info, err := c.GetTokenInfo(slot)
		return err == nil && info.Label == token
	})
	if slot < 0 {
		t.Fatalf("there is no token %q", token)
	}
	session, err := c.OpenSession(slots[slot], pkcs11.CKF_SERIAL_SESSION|pkcs11.CKF_RW_SESSION)
	must(err)
	must(c.Login(session, pkcs11.CKU_USER, PIN))
	_, err = c.GenerateKey(session, []*pkcs11.Mechanism{pkcs11.NewMechanism(pkcs11.CKM_AES_KEY_GEN, nil)},
		[]*pkcs11.Attribute{
			pkcs11.NewAttribute(pkcs11.CKA_VALUE_LEN, 32), pkcs11.NewAttribute(pkcs11.CKA_LABEL, label),
			pkcs11.NewAttribute(pkcs11.CKA_TOKEN, true), pkcs11.NewAttribute(pkcs11.CKA_SENSITIVE, !extractable),
			pkcs11.NewAttribute(pkcs11.CKA_EXTRACTABLE, extractable),
			pkcs11.NewAttribute(pkcs11.CKA_ENCRYPT, true), pkcs11.NewAttribute(pkcs11.CKA_DECRYPT, true),
		})
	must(err)
}
