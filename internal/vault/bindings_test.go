package vault

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"hearthline/internal/lead"
	"hearthline/internal/store"
)

// bindings returns every binding for a sample row, by its name in the golden file.
func bindings() map[string]AAD {
	all := map[string]AAD{
		"LeadName": NameAAD("app-1"), "Note": NoteAAD("id-1"), "Absence": AbsenceAAD("id-1"), "FollowUp": FollowUpAAD("id-1"),
		"SavedView": SavedViewAAD("id-1"), "RevealReason": RevealReasonAAD("id-1"), "Quote": QuoteAAD("id-1"),
		"QuoteRequest": QuoteRequestAAD("id-1"), "Draft": DraftAAD("id-1"),
		"StartSnapshots": StartSnapshotsAAD("id-1"), "DraftTransfers": DraftTransfersAAD("id-1"),
		"OperationMessages": OperationMessagesAAD("id-1"), "AbandonReason": AbandonReasonAAD("id-1"),
		"Choice": ChoiceAAD("id-1"), "ReassignSummary": ReassignSummaryAAD("id-1"), "Job": JobAAD("id-1"),
		"Webhook": WebhookAAD("id-1"), "Credential": CredentialAAD("id-1"), "Invitation": InvitationAAD("id-1"),
		"GrantRequest": GrantRequestAAD("id-1"),
		"Mail":         MailAAD("id-1"), "SigningKeys": SigningKeysAAD("id-1"), "CRMLogin": CRMLoginAAD("id-1"),
		"Launch": LaunchAAD("id-1"), "ShareToken": ShareTokenAAD("id-1"), "SharedQuote": SharedQuoteAAD("id-1"),
		"PushSubscription": PushSubscriptionAAD("id-1"),
	}
	for _, part := range []lead.Part{lead.PartDetails, lead.PartConditions, lead.PartFunding, lead.PartDocuments,
		lead.PartProperties, lead.PartReading, lead.PartReferences, lead.PartPayoffPlan} {
		all["LeadPart "+string(part)] = PartAAD("app-1", part)
	}
	for _, kind := range []string{"second-step", "totp", "held-form", "held-over", "sso-in", "new-account", "new-address",
		"passkey-in", "passkey-new", "passkey-proof"} {
		all["Ceremony "+kind] = CeremonyAAD("id-1", kind)
	}
	return all
}

// TestBindings_Golden checks the bytes that values of existing databases are bound to.
func TestBindings_Golden(t *testing.T) {
	golden, err := os.ReadFile("testdata/bindings.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for lines := bufio.NewScanner(bytes.NewReader(golden)); lines.Scan(); {
		want[lines.Text()] = true
	}
	for name, aad := range bindings() {
		framed, err := aad.bytes()
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %q", name, framed)
		if !want[line] {
			t.Errorf("the golden file does not list %s", line)
		}
		delete(want, line)
	}
	for line := range want {
		t.Errorf("no binding has %s", line)
	}
}

// TestStoredAAD_SameAsBindings checks that re-encryption, which binds values by the columns that the store lists, binds
// each value as the rest of the portal does. Ceremonies are left to expire.
func TestStoredAAD_SameAsBindings(t *testing.T) {
	all := slices.Collect(maps.Values(bindings()))
	listed := map[[2]string]bool{}
	for _, c := range store.SealedColumns() {
		of := func(b AAD) bool { return b.table == c.Table && (c.AADColumn != "" || b.column == c.Column) }
		if !slices.ContainsFunc(all, of) {
			t.Errorf("nothing is bound to %s", c.Name())
		}
		for _, b := range all {
			if of(b) {
				listed[[2]string{b.table, b.column}] = true
				if got := StoredAAD(c.Table, b.row, b.column); got != b {
					t.Errorf("%s: got %v, want %v", c.Name(), got, b)
				}
			}
		}
	}
	for _, b := range all {
		if b.table != "ceremonies" && !listed[[2]string{b.table, b.column}] {
			t.Errorf("re-encryption does not list %s.%s", b.table, b.column)
		}
	}
}
