package vault

import (
	"encoding/hex"
	"slices"
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/lead"
)

// TestBlindIndexes_Golden checks what the indexes of existing databases were made from.
func TestBlindIndexes_Golden(t *testing.T) {
	v, err := InMemory()
	if err != nil {
		t.Fatal(err)
	}
	inquiry := heloc.Inquiry{}
	inquiry.Applicant.Name, inquiry.Applicant.DateOfBirth = heloc.Name{First: "Elena", Last: "Núñez"}, "1980-02-03"
	inquiry.Property.Address = heloc.Address{Street1: "2216 Larkspur Ave", ZIP: "98103"}
	duplicate := lead.DuplicateKeyOf("summit", inquiry)
	for _, tt := range []struct {
		name string
		got  []string
		want []string
	}{
		{"duplicate", v.DuplicateIndexes(duplicate), v.Digests("duplicate", "summit", heloc.FoldForSearch("Elena Núñez"),
			"1980-02-03", heloc.FoldForSearch("2216 Larkspur Ave 98103"))},
		{"stored duplicate", []string{v.DuplicateIndex(duplicate)}, []string{v.Digest("duplicate", duplicate...)}},
		{"no duplicate", v.DuplicateIndexes(nil), nil},
		{"record", v.RecordIndexes("summit", CRMRecord{Client: "acme", ID: " 51 "}),
			v.Digests("record", "summit", "acme", "51")},
		{"typed record", v.RecordIndexes("summit", CRMRecord{Client: "acme", Type: "deal", ID: " 51 "}),
			v.Digests("record", "summit", "acme", "deal", "51")},
		{"reference", v.ReferenceIndexes("summit", " 51 "), v.Digests("reference", "summit", "51")},
		{"notice", v.NoticeDedupKeys("draft", "1"), []string{v.Digest("notice", "draft", "1")[:32]}},
		{"CRM user", v.CRMUserIndexes("acme", "crm-olivia"), v.Digests("embed subject", "acme", "crm-olivia")},
		{"invitation", v.InvitationIndexes("a@b.test"), v.Digests("invitation", "a@b.test")},
		{"webhook", v.WebhookDigests([]byte("{}")), v.Digests("webhook", "{}")},
	} {
		if !slices.Equal(tt.got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, tt.got, tt.want)
		}
	}
	terms := []heloc.Term{{Field: "word", Text: "elena"}}
	if got := v.SearchTokens("summit", terms); len(got) != 1 ||
		!slices.Equal(got[0], v.Tokens("summit", "word", "elena")) {
		t.Errorf("search tokens: got %v", got)
	}
}

func TestDigest_FramedBytes_Golden(t *testing.T) {
	v, err := InMemory()
	if err != nil {
		t.Fatal(err)
	}
	framed := []byte("\x00\x00\x00\tdigest/v1\x00\x00\x00\x09reference\x00\x00\x00\x06summit\x00\x00\x00\x0251")
	want := hex.EncodeToString(mustCompute(v.digests.keys[0], framed, digestBytes))
	if got := v.Digest(IndexReference, "summit", "51"); got != want ||
		v.Digests(IndexReference, "summit", "51")[0] != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestIndexKinds_Golden lists the words that stored digests and MACs were made with.
func TestIndexKinds_Golden(t *testing.T) {
	for kind, want := range map[IndexKind]string{
		IndexOperation: "operation", IndexDuplicate: "duplicate", IndexReference: "reference", IndexCRMRecord: "record",
		IndexNoRecord: "embed no record", IndexCRMUser: "embed subject", IndexNotice: "notice", IndexWebhook: "webhook",
		IndexInvitation: "invitation", IndexAddress: "address", IndexRateLimit: "bucket",
		IndexSignIn: "log-in", IndexSignInAddress: "log-in from", IndexSignInNetwork: "log-in network",
		IndexSignInDevice: "log-in device", IndexSignInTurn: "log-in turn",
		IndexLinkRequest: "ask from", IndexLinkTo: "link to", IndexPresentPassword: "present password",
		IndexStepUp: "step-up", IndexSecondFactor: "second factor", IndexSecondFactorDevice: "second factor device",
		MACOperationID: "ticket", MACDevice: "device", MACFrameCookie: "embed cookie", MACSecret: "embed secret",
	} {
		if string(kind) != want {
			t.Errorf("got %q, want %q", kind, want)
		}
	}
}
