package webtest

import (
	"context"
	_ "embed"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"hearthline/internal/access"
	"hearthline/internal/heloc"
	"hearthline/internal/sandbox"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/vault"
)

// harnessTemplate is what every harness starts with: a database with the directory and its users, and the keys that
// it was written with. Harnesses only read it.
type harnessTemplate struct {
	vault        *vault.Vault
	passwordHash string
	people       map[string]access.User
	database     *storetest.Template
}

var (
	sandboxTemplate = sync.OnceValues(func() (*harnessTemplate, error) {
		directory, err := sandboxDirectory()
		if err != nil {
			return nil, err
		}
		return newHarnessTemplate(directory)
	})
	otherTemplate = sync.OnceValues(func() (*harnessTemplate, error) { return newHarnessTemplate(SummitDirectory()) })
)

// startTemplate returns the template for the sandbox as the lender, or for another one.
func startTemplate(t testing.TB, withSandbox bool) *harnessTemplate {
	t.Helper()
	build := otherTemplate
	if withSandbox {
		build = sandboxTemplate
	}
	template, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return template
}

// newHarnessTemplate describes a database with the directory, four of its originators as users, and an assistant and
// an administrator, who are not in it. The password of all is "right".
func newHarnessTemplate(directory []heloc.Originator) (*harnessTemplate, error) {
	keys, err := vault.InMemory()
	if err != nil {
		return nil, err
	}
	hash, err := argon2id.CreateHash("right", &argon2id.Params{Memory: 8, Iterations: 1, Parallelism: 1, SaltLength: 16,
		KeyLength: 32})
	if err != nil {
		return nil, err
	}
	people := harnessPeople(directory)
	seed := func(s *store.Store) error {
		ctx := context.Background() // not of the test that happens to be first
		return s.Write(ctx, func(tx *store.Tx) error {
			for _, o := range directory {
				if err := tx.SaveOriginator(ctx, o, time.Now()); err != nil {
					return err
				}
			}
			for _, key := range slices.Sorted(maps.Keys(people)) {
				if err := tx.AddUser(ctx, people[key], hash); err != nil {
					return err
				}
			}
			return nil
		})
	}
	database := storetest.NewTemplate(store.Options{MAC: keys.MAC, VerifyMAC: keys.VerifyMAC}, seed)
	return &harnessTemplate{keys, hash, people, database}, nil
}

func harnessPeople(directory []heloc.Originator) map[string]access.User {
	people, summit := map[string]access.User{}, ""
	for _, o := range directory {
		first, company, _ := strings.Cut(o.Email, "@")
		role, known := map[string]access.Role{
			"olivia": access.Originator, "marcus": access.Originator, "maya": access.Manager, "piotr": access.Originator,
		}[first]
		if !known || o.Broker == nil {
			continue
		}
		if company == "summit.test" {
			summit = o.Broker.ID
		}
		people[first] = userOf(first, access.Actor{Name: o.FirstName + " " + o.LastName, Email: o.Email, Role: role,
			OriginatorUUID: string(o.ID), BrokerID: o.Broker.ID, Organization: o.Organization})
	}
	people["ada"] = userOf("ada", access.Actor{Name: "Ada Assist", Email: "ada@summit.test", Role: access.Assistant,
		BrokerID: summit, WorksFor: access.AllOriginators, Reassigns: true})
	people["admin"] = userOf("admin", access.Actor{Name: "Ann Admin", Email: "admin@hearthline.test", Role: access.Admin})
	return people
}

// userOf returns the user with this key, who has no account yet.
func userOf(key string, a access.Actor) access.User {
	a.UserID, a.TimeZone = "user-"+key, "America/Denver"
	return access.User{Actor: a}
}

// serviceKey is the lender's private key.
//
//go:embed testdata/service.pem
var serviceKey []byte

func writeServiceKey(t testing.TB, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "service.pem")
	if err := os.WriteFile(path, serviceKey, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// sandboxDirectory returns the directory of every sandbox.
func sandboxDirectory() (all []heloc.Originator, err error) {
	dir, err := os.MkdirTemp("", "hearthline-directory-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	key := filepath.Join(dir, "service.pem")
	if err := os.WriteFile(key, serviceKey, 0o600); err != nil {
		return nil, err
	}
	box, err := sandbox.Open(sandbox.Config{Dir: dir, PrivateKeyFile: key})
	if err != nil {
		return nil, err
	}
	return box.Originators(), box.Close()
}

// SummitDirectory is a directory of two companies, for lenders other than the sandbox.
func SummitDirectory() []heloc.Originator {
	return []heloc.Originator{
		{
			ID: "0f0e0d0c-0000-4000-8000-0000000000a1", Email: "olivia@summit.test", FirstName: "Olivia", LastName: "Bennett",
			NMLS: "1847220", Organization: "Evergreen", Broker: &heloc.BrokerCompany{ID: "summit", Name: "Summit Home Lending",
				NMLS: "312440"},
		},
		{
			ID: "0f0e0d0c-0000-4000-8000-0000000000a2", Email: "piotr@lakeside.test", FirstName: "Piotr", LastName: "Zielinski",
			NMLS: "2011738", Organization: "Evergreen",
			Broker: &heloc.BrokerCompany{ID: "lakeside", Name: "Lakeside Home Finance", NMLS: "298117"},
		},
	}
}
