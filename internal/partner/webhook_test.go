package partner

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/jwe"
)

func TestWebhookAppID(t *testing.T) {
	t.Parallel()
	opener := testOpener(t)
	local, err := jwe.NewLocalSealer(opener.PublicPEM())
	if err != nil {
		t.Fatal(err)
	}
	plain := `{"applicationUuid":"` + strings.ToUpper(string(appID)) +
		`","loanOriginatorNmls":"1","nextInquiryStepType":"OFFERS_AVAILABLE"}`
	compact, err := local.Seal(context.Background(), []byte(plain))
	if err != nil {
		t.Fatal(err)
	}
	quoted, _ := json.Marshal(compact)
	other := `"99999999-9999-4999-8999-999999999999"`
	id := `"` + string(appID) + `"`
	with, without := testClient(t, Config{Opener: opener}), testClient(t, Config{})
	for _, c := range []struct {
		name, body    string
		with, without bool
	}{
		{"plain", plain, true, true},
		{"bare", compact, true, false},
		{"quoted", string(quoted), true, false},
		{"wrapped", `{"encrypted":` + string(quoted) + `}`, true, false},
		{"appUuid", `{"appUuid":` + id + `}`, true, true},
		{"snake", `{"application_uuid":` + id + `}`, true, true},
		{"nested", `{"event":{"data":[{"x":1},{"AppUUID":` + id + `}]}}`, true, true},
		{"list", `[{"appUuid":` + id + `}]`, true, true},
		{"shallower wins", `{"a":{"applicationUuid":` + other + `},"appUuid":` + id + `}`, true, true},
		{"applicationUuid wins", `{"appUuid":` + other + `,"applicationUuid":` + id + `}`, true, true},
		{"other member is no id", `{"applicationId":7,"appUuid":` + id + `}`, true, true},
		{"no id", `{"x":` + id + `}`, false, false},
		{"no UUID", `{"appUuid":"1-26015-070"}`, false, false},
		{"empty", ``, false, false},
		{"null", `null`, false, false},
		{"text", `"` + string(appID) + `"`, false, false},
		{"garbage", `{"appUuid":` + id, false, false},
		{"other key", strings.Replace(compact, ".", ".A", 1), false, false},
	} {
		for client, want := range map[*Client]bool{with: c.with, without: c.without} {
			got, err := client.WebhookAppID([]byte(c.body))
			if want && (err != nil || got != appID) {
				t.Errorf("%s: got %q, %v", c.name, got, err)
			}
			if !want && (err == nil || got != "" || !fault.Is(err, fault.Invalid)) {
				t.Errorf("%s: got %q, %v, want invalid", c.name, got, err)
			}
		}
	}
}

func FuzzWebhookAppID(f *testing.F) {
	f.Add([]byte(`{"applicationUuid":"0b8f6c1e-5d2a-4f39-9a77-3c1d20e4b001"}`))
	f.Add([]byte(`[[{"a":{"app_id":"x"}}]]`))
	f.Add([]byte(`"a.b.c.d.e"`))
	c := testClient(f, Config{Opener: testOpener(f)})
	f.Fuzz(func(t *testing.T, body []byte) {
		id, err := c.WebhookAppID(body)
		if (err == nil) != (len(id) == 36) {
			t.Errorf("got %q, %v", id, err)
		}
	})
}

func TestDetails_EncryptedResponse_Decrypted(t *testing.T) {
	t.Parallel()
	opener := testOpener(t)
	local, err := jwe.NewLocalSealer(opener.PublicPEM())
	if err != nil {
		t.Fatal(err)
	}
	compact, err := local.Seal(context.Background(),
		[]byte(`{"data":{"appUuid":"`+string(appID)+`","appShortId":"1-26015-070","appData":{"isInquiry":true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string]string{"bare": compact, "quoted": `"` + compact + `"`,
		"wrapped": `{"encrypted":"` + compact + `"}`} {
		var encryptHeader string
		server, _ := startServer(t, func(w http.ResponseWriter, r *http.Request) {
			encryptHeader = r.Header.Get("X-Encrypt-Response")
			_, _ = w.Write([]byte(body))
		})
		got, err := testClient(t, Config{BaseURL: server.URL, Opener: opener}).Details(context.Background(), appID)
		if err != nil || got.Value.AppShortID != "1-26015-070" || encryptHeader != "true" {
			t.Errorf("%s: got %q, %v, X-Encrypt-Response %q", name, got.Value.AppShortID, err, encryptHeader)
		}
		if _, err := testClient(t, Config{BaseURL: server.URL}).
			Details(context.Background(), appID); !fault.Is(err, fault.Upstream) || encryptHeader != "" {
			t.Errorf("%s: without a key: %v, X-Encrypt-Response %q", name, err, encryptHeader)
		}
	}
}
