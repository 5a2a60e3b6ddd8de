package webtest

import (
	"net/url"
	"strings"
	"time"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// LinkLead links a lead that was started outside the frame, with the record's number, to the record.
func (f *Frame) LinkLead(app string) {
	f.H.T.Helper()
	taken := f.Send(Form{Action: f.Base + "/record",
		Values: url.Values{"record.lead": {strings.TrimPrefix(app, "/leads/")}}})
	if !strings.HasSuffix(taken.Path, app) {
		f.H.T.Fatalf("linking led to %s (%d): %s", taken.Path, taken.Status, taken.MainText())
	}
}

// StartLeadAt starts an inquiry and waits until it reaches a step.
func (b *Browser) StartLeadAt(lastName string, step heloc.Step) (path string, app heloc.AppID) {
	b.H.T.Helper()
	path = b.StartLead(lastName)
	app = heloc.AppID(strings.TrimPrefix(path, "/leads/"))
	b.H.WaitUntil(string(step), func() bool {
		row, err := b.H.Store.AnyLead(b.H.T.Context(), app)
		return err == nil && row.Step == step && row.PendingUntil == 0
	})
	return path, app
}

// LeadRow returns a lead as it is stored.
func (h *Harness) LeadRow(app heloc.AppID) lead.Row {
	h.T.Helper()
	row, err := h.Store.AnyLead(h.T.Context(), app)
	if err != nil {
		h.T.Fatal(err)
	}
	return row
}

// Must fails the test when there is an error.
func (h *Harness) Must(err error) {
	h.T.Helper()
	if err != nil {
		h.T.Fatal(err)
	}
}

// EditLead changes a lead as it is stored.
func (h *Harness) EditLead(app heloc.AppID, change func(*lead.Row)) {
	h.T.Helper()
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error {
		l, err := tx.AnyLead(h.T.Context(), app)
		if err != nil {
			return err
		}
		change(&l)
		return tx.SaveLead(h.T.Context(), &l, time.Now(), true)
	}))
}

// EditDraftOf changes what a lead was started with, as an earlier version would have stored it.
func (h *Harness) EditDraftOf(path string, values url.Values) {
	h.T.Helper()
	row, err := h.Store.DraftOfLead(h.T.Context(), heloc.AppID(strings.TrimPrefix(path, "/leads/")))
	h.Must(err)
	row.Sealed, err = vault.SealJSON(h.vault, vault.DraftAAD(row.ID), values)
	h.Must(err)
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error { return tx.SaveDraft(h.T.Context(), row) }))
}

// PlanRepull plans a re-pull with the form on the next-step card.
func (b *Browser) PlanRepull(path string, lifted time.Time, more ...string) *Response {
	b.H.T.Helper()
	denver, _ := time.LoadLocation("America/Denver")
	values := url.Values{
		"thaw.liftedAt": {lifted.In(denver).Format("2006-01-02T15:04")}, "thaw.until": {""},
		"consent.attested": {"true"}, "consent.method": {"recorded-call"}, "consent.version": {ConsentVersion},
	}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return b.Post(path+"/follow-up", values)
}

// RepullState returns how often a re-pull was requested, and the last plan.
func (h *Harness) RepullState(app heloc.AppID) (asked int, last lead.Repull) {
	h.T.Helper()
	ops, err := h.Store.Operations(h.T.Context(), app, 20)
	if err != nil {
		h.T.Fatal(err)
	}
	for _, op := range ops {
		if op.Kind == heloc.OpRepullCredit {
			asked++
		}
	}
	plans, err := h.Store.Repulls(h.T.Context(), app, 1)
	if err != nil || len(plans) == 0 {
		h.T.Fatalf("no plan: %v", err)
	}
	return asked, plans[0]
}

// AddFrozenLead adds one of olivia's leads, which nothing refreshes.
func (h *Harness) AddFrozenLead() heloc.AppID {
	h.T.Helper()
	olivia := h.People["olivia"]
	app := heloc.AppID("0f0e0d0c-0000-4000-8000-00000000f001")
	l := lead.Row{
		App: app, Originator: heloc.OriginatorID(olivia.OriginatorUUID), Company: olivia.Company(),
		Organization: olivia.Organization, Step: heloc.StepUnfreezeCredit, StepSince: store.Millis(time.Now()),
		RefreshAt: store.Millis(time.Now().Add(time.Hour)),
	}
	h.Must(h.Store.Write(h.T.Context(), func(tx *store.Tx) error { return tx.AddLead(h.T.Context(), &l, time.Now()) }))
	return app
}

// ReassignForm returns the form that reassigns a lead to a colleague.
func (b *Browser) ReassignForm(path, first string, more ...string) Form {
	b.H.T.Helper()
	f := b.Get(path + "/reassign").Form("form#form-reassign")
	return f.With(append([]string{"newLoanOriginatorUuid", b.H.People[first].OriginatorUUID, "confirm.reassign", "true"},
		more...)...)
}
