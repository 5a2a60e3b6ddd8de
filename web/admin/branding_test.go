package admin_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"hearthline/internal/store"
	"hearthline/web/webtest"
)

// upload sends the form with a file.
func upload(t *testing.T, v *webtest.Browser, values url.Values, file []byte) *webtest.Response {
	t.Helper()
	return uploadTo(t, v, "/admin/branding", values, file)
}

func uploadTo(t *testing.T, v *webtest.Browser, path string, values url.Values, file []byte) *webtest.Response {
	t.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for name := range values {
		_ = m.WriteField(name, values.Get(name))
	}
	if file != nil {
		part, err := m.CreateFormFile("logo", "logo.png")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(file)
	}
	_ = m.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.H.HTTPServer.URL+path, &body)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", m.FormDataContentType())
	return v.Do(r)
}

func logo(t *testing.T) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 120, 60))
	for x := range 120 {
		m.Set(x, 30, color.NRGBA{29, 91, 79, 255})
	}
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestBranding_OnBorrowerPage(t *testing.T) {
	t.Parallel()
	h := webtest.New(t, webtest.Options{})
	admin, olivia, piotr := h.SignInAs("admin"), h.SignInAs("olivia"), h.SignInAs("piotr")
	summit := admin.Get("/admin/branding").Find(`select[name="company"] option:contains("Summit Home Lending")`).
		AttrOr("value", "")
	if summit == "" {
		t.Fatal("the company is not listed")
	}
	for name, c := range map[string]struct {
		values url.Values
		file   []byte
		want   string
	}{
		"nothing":         {url.Values{"company": {summit}}, nil, "Choose a logo or enter a color"},
		"no company":      {url.Values{"color": {"#1d5b4f"}}, nil, "Choose a company"},
		"unknown company": {url.Values{"company": {"acme"}, "color": {"#1d5b4f"}}, nil, "Choose a company"},
		"bad color":       {url.Values{"company": {summit}, "color": {"green"}}, nil, "Enter a color as # and six digits"},
		"SVG": {url.Values{"company": {summit}},
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), "SVG files can contain scripts"},
		"too large": {url.Values{"company": {summit}}, append(logo(t), make([]byte, 600<<10)...),
			"Use an image of at most 512 KB"},
	} {
		if got := upload(t, admin, c.values, c.file); got.Status != http.StatusUnprocessableEntity ||
			!strings.Contains(got.Text(), c.want) {
			t.Errorf("%s: got %d: %s", name, got.Status, got.MainText())
		}
	}
	if got := upload(t, admin, url.Values{"company": {summit}},
		make([]byte, 3<<20)); got.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a huge file: got %d, want 413", got.Status)
	}
	saved := upload(t, admin, url.Values{"company": {summit}, "color": {"#FFCC00"}}, logo(t))
	saved.WantText("#ffcc00", "adjusted from #ffcc00 so that text in it has a contrast of 4.5:1")
	aLead := olivia.StartLead("Rivera")
	olivia.WaitFor(aLead+"/offers", `input[name="offer.offerUuid"]`)
	page := olivia.Get(aLead + "/show")
	logoURL, styleURL := page.Find("img.logo").AttrOr("src", ""), page.Find(`link[href^="/brand/"][rel="stylesheet"]`).
		AttrOr("href", "")
	for url, kind := range map[string]string{logoURL: "image", styleURL: "style"} {
		if got := h.NewBrowser().Get(url, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors",
			"Sec-Fetch-Dest", kind); got.Status != http.StatusOK {
			t.Errorf("%s loaded as %s: got %d", url, kind, got.Status)
		}
		if got := h.NewBrowser().Get(url, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors",
			"Sec-Fetch-Dest", kind); got.Status != http.StatusForbidden {
			t.Errorf("%s loaded by another site: got %d, want 403", url, got.Status)
		}
	}
	for url, want := range map[string][2]string{logoURL: {"image/png", "\x89PNG"},
		styleURL: {"text/css; charset=utf-8", ":root { --co: light-dark(#"}} {
		got := h.NewBrowser().Get(url)
		if got.Header.Get("Content-Type") != want[0] || !strings.HasPrefix(got.Body, want[1]) ||
			got.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.Header.Get("Set-Cookie") != "" ||
			got.Header.Get("Content-Security-Policy") != "default-src 'none'; frame-ancestors 'none'" ||
			got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got %d %v", url, got.Status, got.Header)
		}
	}
	if pdf := olivia.Get(aLead + "/offer-sheet"); !strings.Contains(pdf.Body, "/Subtype /Image") {
		t.Error("the PDF has no logo")
	}
	other := piotr.StartLead("Silva")
	piotr.WaitFor(other+"/offers", `input[name="offer.offerUuid"]`)
	if piotr.Get(other+"/show").Find(`img.logo, link[href^="/brand/"]`).Length() != 0 {
		t.Error("another company's page has the logo or the color")
	}
	// A color alone keeps the logo; then both are removed.
	upload(t, admin, url.Values{"company": {summit}, "color": {"#1d5b4f"}}, nil).WantText("#1d5b4f")
	if got := olivia.Get(aLead+"/show").Find("img.logo").AttrOr("src", ""); got != logoURL {
		t.Errorf("after a change of the color: got the logo %q, want %q", got, logoURL)
	}
	admin.Post("/admin/branding", url.Values{"company": {summit}, "remove.logo": {"true"}})
	admin.Post("/admin/branding", url.Values{"company": {summit}, "remove.color": {"true"}}).
		WantText("No company has a logo or a color yet.")
	if got := h.NewBrowser().Get(logoURL); got.Status != http.StatusNotFound {
		t.Errorf("a removed logo: got %d, want 404", got.Status)
	}
	if rows, err := h.Store.Audits(t.Context(), store.AuditQuery{Action: store.ActionBranding, Limit: 9}); err != nil ||
		len(rows) != 4 {
		t.Errorf("got %d audit entries, %v, want four", len(rows), err)
	}
	for _, path := range []string{"/brand/1d5b4f-000000000000.css", "/brand/x.png", "/brand/.png", "/brand/..%2fapp.css",
		"/brand/red.css"} {
		if got := h.NewBrowser().Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: got %d, want 404", path, got.Status)
		}
	}
}
