package account_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// TestEmailChange_OfferedByAdmin_ConfirmedByLink uses the forms only.
func TestEmailChange_OfferedByAdmin_ConfirmedByLink(t *testing.T) {
	t.Parallel()
	h, clock := webtest.NewWithSecondFactors(t)
	const next = "ada.married@summit.test"
	ada, key, _ := h.Enroll("ada", clock)
	admin, _, _ := h.Enroll("admin", clock)
	page := admin.Get("/admin/users/user-ada")
	wrong := admin.Send(page.Form(`form[action$="/email"]`).With("email", "ada at summit"))
	if wrong.Status != http.StatusUnprocessableEntity ||
		wrong.Find(`#email[aria-invalid="true"][value="ada at summit"]`).Length() != 1 {
		t.Errorf("invalid address: got %d, want the form with its values: %s",
			wrong.Status, wrong.Find("#email-panel").Text())
	}
	if got := admin.Send(wrong.Form(`form[action$="/email"]`).With("email", next)); got.Path != "/admin/users/user-ada" {
		t.Fatalf("got %d at %s", got.Status, got.Path)
	} else {
		got.WantText("Waiting for confirmation:", next)
	}
	page0, code := h.MailedCode(next)
	if page0 != "/activate" {
		t.Fatalf("the link leads to %s", page0)
	}

	other, _, _ := h.Enroll("olivia", clock) // received the mail by mistake
	seen := other.Send(other.Get("/activate").Form("form#code").With("token", code))
	if seen.Path != "/account/email" || strings.Contains(seen.Body, next) ||
		seen.Find(`form[action="/account/email"]`).Length() != 0 {
		t.Errorf("another user is at %s and sees %q", seen.Path, seen.Find("main").Text())
	}
	if got := other.Post("/account/email", nil); got.Status != http.StatusUnprocessableEntity {
		t.Errorf("address in use: got %d, want 422", got.Status)
	}

	clock.Advance(time.Minute)
	v := h.NewBrowser()
	door := v.Send(v.Get("/activate").Form("form#code").With("token", code))
	if door.Path != "/login" {
		t.Fatalf("not signed in: got %d at %s, want the sign-in page", door.Status, door.Path)
	}
	second := v.Send(door.Form("form#login").With("email", h.People["ada"].Email, "password", "right"))
	shown := v.Send(second.Form("form#second").With("proof.code", webtest.TOTPCode(t, key, clock.Now())))
	if shown.Path != "/account/email" {
		t.Fatalf("signed in: got %d at %s, want the confirmation page", shown.Status, shown.Path)
	}
	shown.WantText(h.People["ada"].Email, next)
	if got := v.Send(shown.Form(`form[action="/account/email"]`)); got.Path != "/account" ||
		!strings.Contains(got.Find(".head").Text(), next) {
		t.Errorf("got %d at %s, want the account with its new address", got.Status, got.Path)
	}
	if got := ada.Get("/leads"); got.Path != "/login" {
		t.Errorf("her other browser is at %s, want it signed out", got.Path)
	}
	if got := v.Get("/account/email"); got.Status != http.StatusOK ||
		got.Find(`form[action="/account/email"]`).Length() != 0 {
		t.Errorf("afterwards: got %d, want nothing left to accept", got.Status)
	}
	h.WantAudited("user-admin link.address user:user-ada done")
	h.WantAudited("user-ada email.change user:user-ada done")
	if strings.Contains(h.Log.String(), "ada.married") {
		t.Error("the address is in the log")
	}
	if got := admin.Get("/admin/users/user-ada"); strings.Contains(got.MainText(), "Waiting for confirmation") {
		t.Error("the change is still pending")
	}
}

// TestEmailOffer_DirectoryAddress_Accepted uses an originator whose email the lender changed.
func TestEmailOffer_DirectoryAddress_Accepted(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{NoSync: true, NoJobs: true})
	admin := h.SignInAs("admin")
	h.SignInAs("olivia")
	if got := admin.Post("/admin/users/user-olivia/email",
		url.Values{"email": {"olivia.new@summit.test"}}); got.Status != http.StatusUnprocessableEntity ||
		!strings.Contains(got.Find("#email-panel .err").Text(), "directory") {
		t.Errorf("an address that is not in the directory: got %d, %q", got.Status, got.Find("#email-panel").Text())
	}
	err := h.Store.Write(t.Context(), func(tx *store.Tx) error {
		o, err := tx.Originator(t.Context(), heloc.OriginatorID(h.People["olivia"].OriginatorUUID))
		if err != nil {
			return err
		}
		return tx.SaveOriginator(t.Context(), heloc.Originator{
			ID: o.UUID, Email: "Olivia.New@summit.test", FirstName: o.FirstName, LastName: o.LastName, NMLS: o.NMLS,
			Organization: o.Organization,
			Broker:       &heloc.BrokerCompany{ID: o.BrokerID, Name: o.BrokerName},
		}, time.Now())
	})
	if err != nil {
		t.Fatal(err)
	}
	page := admin.Get("/admin/users/user-olivia")
	page.WantText("The lender’s directory now lists olivia.new@summit.test for this originator.")
	admin.Send(page.Form(`form[action$="/email"]`)).WantText("Waiting for confirmation:", "olivia.new@summit.test")
	if _, code := h.MailedCode("olivia.new@summit.test"); code == "" {
		t.Error("no link was mailed")
	}
	for who, want := range map[string]int{"admin": http.StatusForbidden, "maya": http.StatusForbidden} {
		if got := h.SignInAs(who).Post("/admin/users/user-admin/email",
			url.Values{"email": {"root@hearthline.test"}}); got.Status != want {
			t.Errorf("an administrator's address, by %s: got %d, want %d", who, got.Status, want)
		}
	}
}
