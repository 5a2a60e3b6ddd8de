package main

import (
	"strings"
	"testing"
	"time"

	"hearthline/internal/access"
	"hearthline/internal/approval"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// TestApprove_SecondPerson lists a request and approves it when no administrator in the portal can.
func TestApprove_SecondPerson(t *testing.T) {
	cfg := newInstallation(t)
	t.Setenv("PORTAL_KEYSET_FILE", cfg.Portal.KeysetFile)
	t.Setenv("PORTAL_KEK_FILE", cfg.Portal.KEK.File)
	var id string
	withDatabase(t, cfg, func(db *store.Store, v *vault.Vault) {
		accounts := newAccounts(db, v, cfg.Portal, time.Now)
		users := map[string]access.User{}
		for name, role := range map[string]access.Role{"ann": access.Admin, "bea": access.Admin, "max": access.Manager} {
			var err error
			users[name], err = accounts.Add(t.Context(), access.User{Actor: access.Actor{Email: name + "@summit.test",
				Name: strings.ToUpper(name[:1]) + name[1:] + " Quill", Role: role, BrokerID: "B1"}}, "kettle-lantern-orchard")
			if err != nil {
				t.Fatal(err)
			}
		}
		requests := approval.Service{Store: db, Vault: v, Accounts: accounts, Now: time.Now}
		err := requests.Create(t.Context(), access.By{Actor: users["ann"].Actor, Permission: access.ManagePeople},
			approval.Ask{Kind: access.RequestReset, Subject: users["max"], Reason: "Lost phone"})
		if err != nil {
			t.Fatal(err)
		}
		all, err := requests.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		id = all[0].ID
	})
	run := func(want int, texts ...string) {
		t.Helper()
		args := append(strings.Fields(texts[0]), "--data", cfg.Data)
		output, code := runCommand(t, args...)
		for _, text := range texts[1:] {
			if !strings.Contains(output, text) || code != want {
				t.Errorf("%s: got %d %s, want %d and %q", texts[0], code, output, want, text)
			}
		}
	}
	run(0, "approve", id, "Reset the sign-in of Max Quill (max@summit.test), a manager", "Ann Quill", "Lost phone",
		"Approved in the portal by: Bea Quill")
	run(1, "approve "+id, "Bea Quill")
	run(1, "approve nothing", "This request doesn’t exist.")
	run(0, "user disable bea@summit.test")
	run(0, "approve", "Approve it with: portal approve "+id)
	run(0, "approve "+id, "Approved.")
	run(0, "approve", "No requests are waiting.")
	withDatabase(t, cfg, func(db *store.Store, _ *vault.Vault) {
		rows, err := db.Audits(t.Context(), store.AuditQuery{Action: store.ActionLinkAccountReset, Limit: 1})
		if err != nil || len(rows) != 1 || rows[0].ActorID != "system" {
			t.Errorf("got %+v, %v, want the reset audited", rows, err)
		}
	})
}
