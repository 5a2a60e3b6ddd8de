package sandbox

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
)

// documentNames lists the documents of an application.
func (g *harness) documentNames(id string) (names []string, ids []string) {
	g.t.Helper()
	_, answer := g.call("GET", "/products/heloc/v1/document/"+id+"/list", nil)
	for _, d := range answer["documents"].([]any) {
		names = append(names, d.(object)["docType"].(string))
		ids = append(ids, d.(object)["documentUuid"].(string))
	}
	return names, ids
}

// TestDocuments_GrowWithStep: a summary once there are offers, the agreement after the
// selection, the signed set once the documents are signed.
func TestDocuments_GrowWithStep(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	blocked := g.start(g.payload("Rivera-Match"))
	if names, _ := g.documentNames(blocked); len(names) != 0 {
		t.Errorf("before offers: got %v, want none", names)
	}
	id := g.start(g.payload("Rivera"))
	want := "OFFER_SUMMARY"
	check := func(when string) {
		t.Helper()
		if names, _ := g.documentNames(id); strings.Join(names, " ") != want {
			t.Errorf("%s: got %v, want %s", when, names, want)
		}
	}
	check("with offers")
	g.submitAnswer(id, "offer")
	want += " BROKER_AGREEMENT"
	check("after the selection")
	g.playEvent(id, "borrower-signs-in")
	check("after the sign-in")
	g.playEvent(id, "documents-signed")
	want += " BROKER_AGREEMENT_SIGNED CREDIT_AUTHORIZATION_SIGNED ELECTRONIC_CONSENT_SIGNED"
	check("after the signatures")
}

// TestDocuments_Deterministic: each document is a PDF whose bytes are the same in every
// download and in the zip.
func TestDocuments_Deterministic(t *testing.T) {
	t.Parallel()
	g := newHarness(t, Config{})
	id := g.completeApplication()
	_, ids := g.documentNames(id)
	zipped := g.rawCall("GET", "/products/heloc/v1/document/"+id+"/download", nil, nil)
	if got := zipped.Header().Get("Content-Type"); zipped.Code != 200 || got != "application/zip" {
		t.Fatalf("zip: got %d %s, want 200 application/zip", zipped.Code, got)
	}
	archive, err := zip.NewReader(bytes.NewReader(zipped.Body.Bytes()), int64(zipped.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.File) != len(ids) {
		t.Fatalf("zip: got %d files, want %d", len(archive.File), len(ids))
	}
	for i, document := range ids {
		path := "/products/heloc/v1/document/" + id + "/download/" + document
		first, second := g.rawCall("GET", path, nil, nil), g.rawCall("GET", path, nil, nil)
		if !bytes.Equal(first.Body.Bytes(), second.Body.Bytes()) || !bytes.HasPrefix(first.Body.Bytes(), []byte("%PDF-")) {
			t.Errorf("document %d: two downloads differ, or it is not a PDF", i)
		}
		if first.Header().Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(first.Header().Get("Content-Disposition"), "attachment; filename=") {
			t.Errorf("document %d: got headers %v", i, first.Header())
		}
		entry, err := archive.File[i].Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(entry)
		if err != nil || !bytes.Equal(content, first.Body.Bytes()) {
			t.Errorf("document %d: the bytes in the zip differ (%v)", i, err)
		}
	}
	if repeated := g.rawCall("GET", "/products/heloc/v1/document/"+id+"/download", nil,
		nil); !bytes.Equal(repeated.Body.Bytes(), zipped.Body.Bytes()) {
		t.Error("two zips differ")
	}
}

// TestHugeDocument_ExactSize: the document has the stated size, ends like a PDF, and is streamed.
func TestHugeDocument_ExactSize(t *testing.T) {
	// Not in parallel: it measures memory.
	for _, size := range []int64{1 << 12, 100_003, 1 << 20} {
		var b bytes.Buffer
		if err := writeHuge(&b, size); err != nil {
			t.Fatal(err)
		}
		if int64(b.Len()) != size || !strings.HasSuffix(b.String(), "%%EOF\n") {
			t.Errorf("size %d: got %d bytes", size, b.Len())
		}
		for line := range strings.Lines(b.String()[:strings.LastIndex(b.String(), "1 0 obj")]) {
			if line != "\n" && line[0] != '%' {
				t.Fatalf("size %d: a line of padding is not a comment: %.20q", size, line)
			}
		}
		var start int
		table := b.String()[strings.LastIndex(b.String(), "startxref"):]
		if _, err := fmt.Sscanf(table, "startxref\n%d", &start); err != nil ||
			!strings.HasPrefix(b.String()[start:], "xref\n0 4") {
			t.Errorf("size %d: startxref %d is not the offset of the table (%v)", size, start, err)
		}
	}
	const size = 64 << 20
	g := newHarness(t, Config{BigDocument: size})
	id := g.start(g.payload("Rivera-Huge"))
	_, ids := g.documentNames(id)
	server := httptest.NewServer(g.s.Handler())
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		server.URL+"/products/heloc/v1/document/"+id+"/download/"+ids[len(ids)-1], nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("apikey", g.s.cfg.APIKey)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	n, err := io.Copy(io.Discard, response.Body)
	runtime.ReadMemStats(&after)
	if err != nil || n != size || response.ContentLength != size {
		t.Errorf("got %d bytes of %d, %v", n, response.ContentLength, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > size/4 {
		t.Errorf("a download of %d bytes allocated %d", size, grown)
	}
}
