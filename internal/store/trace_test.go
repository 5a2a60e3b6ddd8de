package store_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/store/storetest"
	"hearthline/internal/trace"
	"hearthline/internal/trace/tracetest"
)

// TestStatements_NamedForTheirFunctions goes through every helper with which the package sends statements.
func TestStatements_NamedForTheirFunctions(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	address := storetest.NewDatabase(t)
	s, err := store.Open(t.Context(), address, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx, request := tracer.StartRequest(t.Context(), http.MethodPost)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.AnyLead(ctx, "11111111-2222-3333-4444-555555555555"); !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	must(s.Write(ctx, func(tx *store.Tx) error {
		return errors.Join(tx.AddMail(ctx, store.Mail{ID: "m1", Kind: store.MailMessage, Sealed: []byte{1}}),
			tx.SaveSetting(ctx, "a", "b"))
	}))
	_, err = s.UnsentMails(ctx, 1)
	must(err)
	_, err = s.Duty("lender sync", "me").Held(ctx)
	must(err)
	_, err = s.Leads(ctx, access.Scope{BrokerID: "B1"}, lead.Query{Limit: 5})
	must(err)
	request.EndRequest(trace.Request{Method: http.MethodPost, Route: "/leads", Status: 200})
	must(tracer.Flush(context.Background()))
	got := spans.Tree()
	system := "sqlite"
	if store.IsPostgres(address) {
		system = "postgresql"
	}
	// The statements of a transaction are below it, although they have the context of the caller.
	want := "POST /leads http.request.method=POST http.response.status_code=200 http.route=/leads\n"
	statement := func(indent string, names ...string) {
		for _, name := range names {
			want += indent + "store." + name + " db.system.name=" + system + "\n"
		}
	}
	transaction := func(names ...string) {
		want += "  store.Write\n    wait for the writer\n"
		statement("    ", names...)
		want += "    commit\n"
	}
	statement("  ", "AnyLead")
	transaction("AddMail", "SaveSetting")
	statement("  ", "UnsentMails", "read")
	transaction("Held")
	statement("  ", "Leads")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, span := range spans.All() {
		if span.Failed {
			t.Errorf("%s counts as failed", span.Name)
		}
	}
}

// TestStatements_Failed_SaysOnlyThat expects nothing of the statement and its arguments.
func TestStatements_Failed_SaysOnlyThat(t *testing.T) {
	t.Parallel()
	tracer, spans := tracetest.Record(t)
	s, err := store.Open(t.Context(), storetest.NewDatabase(t), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx, request := tracer.StartRequest(t.Context(), http.MethodPost)
	mail := store.Mail{ID: "canary", Kind: store.MailMessage, Sealed: []byte{1}}
	for range 2 {
		err = s.Write(ctx, func(tx *store.Tx) error { return tx.AddMail(ctx, mail) })
	}
	if err == nil {
		t.Fatal("the second row was accepted")
	}
	request.EndRequest(trace.Request{})
	if err := tracer.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	added := spans.Named("store.AddMail")
	if len(added) != 2 || added[0].Failed || !added[1].Failed || added[1].Attributes["error.type"] != "database" ||
		strings.Contains(added[1].Other, "canary") {
		t.Errorf("got %+v", added)
	}
}
