package e2e

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestMainJob_PlainHTTP is an originator's working day, with plain HTTP only.
func TestMainJob_PlainHTTP(t *testing.T) {
	t.Parallel()
	d := startDemo(t, t.TempDir())
	olivia := d.signIn(t, "olivia@summit.test")

	lead := olivia.startSample("Rivera")
	if !strings.HasPrefix(lead.path, "/leads/") {
		t.Fatalf("the start led to %s (%d): %s", lead.path, lead.status, excerpt(lead.Text()))
	}
	waitFor(t, 10*time.Second, "offers are on the lead's page", func() bool {
		lead = olivia.get(lead.path)
		return lead.Find(`input[name="offer.offerUuid"]`).Length() > 0
	})
	lead.checkText(t, "Elena Rivera", "Offers ready")

	offer := lead.form(`form[action$="/select-offer"]`)
	offer.values.Set("offer.offerUuid", lead.Find(`input[name="offer.offerUuid"]:not([disabled])`).First().
		AttrOr("value", ""))
	offer.values.Set("offer.selectedOfferAmount", "50,000")
	refused := olivia.send(offer)
	if refused.status != http.StatusUnprocessableEntity {
		t.Errorf("an unconfirmed selection: %d, want 422", refused.status)
	}
	offer.values.Set("confirm.offer", "true")
	chosen := olivia.send(offer)
	if chosen.path != lead.path {
		t.Fatalf("the selection led to %s (%d): %s", chosen.path, chosen.status, excerpt(chosen.Text()))
	}
	app := strings.TrimPrefix(lead.path, "/leads/")
	step := func(want string) func() bool {
		return func() bool { return d.inquiriesByLastName("Rivera")[0].NextInquiryStep == want }
	}
	waitFor(t, 10*time.Second, "the lender is waiting for the borrower", step("BORROWER_AUTH_REQUIRED"))
	d.playEvent(app, "borrower-signs-in")
	d.playEvent(app, "documents-signed")

	var papers *page
	waitFor(t, 10*time.Second, "the agreement is among the documents", func() bool {
		papers = olivia.get(lead.path + "/documents")
		return papers.Find(`a[href*="/documents/"]`).Length() >= 2
	})
	href, _ := papers.Find(`a[href*="/documents/"]`).First().Attr("href")
	pdf := olivia.get(href)
	if !bytes.HasPrefix(pdf.body, []byte("%PDF-")) {
		t.Errorf("the document is no PDF: %d, %q", pdf.status, excerpt(string(pdf.body[:min(80, len(pdf.body))])))
	}
	zip := olivia.get(lead.path + "/documents.zip")
	if !bytes.HasPrefix(zip.body, []byte("PK")) {
		t.Errorf("all documents are no zip: %d", zip.status)
	}

	olivia.get("/leads?q=rivera").checkText(t, "Elena Rivera")
	d.checkLogHasNoPII(t)
}

func TestStart_PostedFiveTimes_OneInquiry(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	olivia := d.signIn(t, "olivia@summit.test")
	f := olivia.get("/leads/new?sample=Rivera").form(`form[method="post"][action="/leads"]`)
	f.values.Set("consent.attested", "true")
	f.values.Set("consent.method", "in-person")
	paths := make([]string, 5)
	var all sync.WaitGroup
	for i := range paths {
		all.Go(func() { paths[i] = olivia.send(f).path })
	}
	all.Wait()
	for _, p := range paths {
		if p != paths[0] || !strings.HasPrefix(p, "/leads/") {
			t.Errorf("the five posts led to %v", paths)
			break
		}
	}
	if got := len(d.inquiriesByLastName("Rivera")); got != 1 {
		t.Errorf("the lender has %d inquiries, want 1", got)
	}
	f.values.Set("amountWanted", "61,000")
	f.values.Set("applicant.name.firstName", "Ellen")
	if got := olivia.send(f).status; got != http.StatusConflict {
		t.Errorf("the same form with other content: %d, want 409", got)
	}
}

func TestStart_ResponseLost_BecomesLead(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	olivia := d.signIn(t, "olivia@summit.test")
	receipt := olivia.startSample("Rivera-Lost")
	if !strings.HasPrefix(receipt.path, "/operations/") {
		t.Fatalf("a lost response led to %s (%d)", receipt.path, receipt.status)
	}
	receipt.checkText(t, "Elena")
	waitFor(t, 20*time.Second, "the lead of the lost start", func() bool {
		return strings.Contains(olivia.get("/leads?q=rivera").Text(), "Elena")
	})
	if got := len(d.inquiriesByLastName("Rivera-Lost")); got != 1 {
		t.Errorf("the lender has %d inquiries, want 1", got)
	}
}

func TestLead_BlockedTwice_ReachesOffers(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"documented", "live"} {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := startSeededDialect(t, dialect)
			olivia := d.signIn(t, "olivia@summit.test")
			lead := olivia.startSample("Rivera-Match-Liens-Payoff")
			show := func(selector string) {
				t.Helper()
				waitFor(t, 10*time.Second, selector, func() bool {
					lead = olivia.get(lead.path)
					return lead.Find(selector).Length() > 0
				})
			}
			show(`form[action$="/add-ssn"]`)
			f := lead.form(`form[action$="/add-ssn"]`)
			f.values.Set("applicant.ssn", "123-45-6789")
			olivia.send(f)
			show(`form[action$="/verify-liens"]`)
			olivia.send(lead.form(`form[action$="/verify-liens"]`))
			show(`form[action$="/asset-depletion"]`)
			f = lead.form(`form[action$="/asset-depletion"]`)
			debts := lead.Find(`input[name="liabilityPayoff.selectedAccountsToPayoff"]:not([disabled])`)
			if debts.Length() == 0 {
				t.Fatal("the page shows no debts to pay off")
			}
			f.values.Set("liabilityPayoff.selectedAccountsToPayoff", debts.First().AttrOr("value", ""))
			if sent := olivia.send(f); sent.status != http.StatusOK {
				t.Fatalf("asset-depletion: %d: %s", sent.status, excerpt(sent.Text()))
			}
			show(`input[name="offer.offerUuid"]`)
			d.checkLogHasNoPII(t)
		})
	}
}

func TestRestart_LosesNothing(t *testing.T) {
	t.Parallel()
	d := startSeeded(t, "SANDBOX_PROCESSING=1500ms")
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startSample("Rivera")
	d.stop()
	again := startDemo(t, d.dir)
	olivia = again.signIn(t, "olivia@summit.test")
	waitFor(t, 15*time.Second, "offers after the restart", func() bool {
		return olivia.get(lead.path).Find(`input[name="offer.offerUuid"]`).Length() > 0
	})
}

func TestOtherCompany_NotFound(t *testing.T) {
	t.Parallel()
	d := startSeeded(t)
	olivia, piotr := d.signIn(t, "olivia@summit.test"), d.signIn(t, "piotr@lakeside.test")
	lead := olivia.startSample("Rivera")
	for _, path := range []string{lead.path, lead.path + "/offers", lead.path + "/documents",
		lead.path + "/documents.zip"} {
		if got := piotr.get(path).status; got != http.StatusNotFound {
			t.Errorf("piotr at %s: %d, want 404", path, got)
		}
	}
	if got := piotr.send(form{action: lead.path + "/cancel",
		values: map[string][]string{"confirm.cancel": {"true"}}}).status; got != http.StatusNotFound {
		t.Errorf("piotr cancels: %d, want 404", got)
	}
	found := piotr.get("/leads?q=rivera&view=all")
	if bytes.Contains(found.body, []byte("Elena")) || bytes.Contains(found.body, []byte(lead.path)) {
		t.Error("piotr can find the lead")
	}
}

func TestLenderDown_PagesReadable(t *testing.T) {
	d := startSeeded(t)
	olivia := d.signIn(t, "olivia@summit.test")
	lead := olivia.startSample("Rivera")
	waitFor(t, 10*time.Second, "offers", func() bool {
		return olivia.get(lead.path).Find(`input[name="offer.offerUuid"]`).Length() > 0
	})
	d.setFaults(map[string]any{"latencyMs": 10_000})
	began := time.Now()
	for _, path := range []string{"/leads", lead.path, lead.path + "/offers", lead.path + "/underwriting"} {
		if got := olivia.get(path).status; got != http.StatusOK {
			t.Errorf("%s: %d", path, got)
		}
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("four pages took %s with a lender that takes ten seconds to respond: a page waits for it", took)
	}
	d.setFaults(map[string]any{"errorRate": 1})
	f := olivia.get("/leads/new?sample=Rivera-None").form(`form[method="post"][action="/leads"]`)
	f.values.Set("consent.attested", "true")
	f.values.Set("consent.method", "in-person")
	f.values.Set("applicant.ssn", "123-45-6789")
	answer := olivia.send(f)
	if answer.status < 400 && !strings.HasPrefix(answer.path, "/operations/") {
		t.Errorf("a start with the lender down: %d at %s", answer.status, answer.path)
	}
	if bytes.Contains(answer.body, []byte("123-45-6789")) || bytes.Contains(answer.body, []byte("123456789")) {
		t.Error("the response contains the SSN")
	}
}

// TestDocument_Large_FlatMemory streams the sandbox's largest document and checks the program's resident memory.
func TestDocument_Large_FlatMemory(t *testing.T) {
	t.Parallel()
	d := startSeeded(t, "GOGC=100") // as the program has it
	olivia := d.signIn(t, "olivia@summit.test")
	f := olivia.get("/leads/new?sample=Rivera").form(`form[method="post"][action="/leads"]`)
	f.values.Set("applicant.name.lastName", "Rivera-Huge")
	f.values.Set("consent.attested", "true")
	f.values.Set("consent.method", "in-person")
	lead := olivia.send(f)
	var link string
	waitFor(t, 15*time.Second, "the largest document is listed", func() bool {
		papers := olivia.get(lead.path + "/documents")
		papers.Find("tr, li, article").Each(func(_ int, s *selection) {
			if href, ok := s.Find(`a[href*="/documents/"]`).Attr("href"); ok &&
				strings.Contains(strings.ToLower(s.Text()), "appraisal") {
				link = href
			}
		})
		if link == "" {
			papers.Find(`a[href*="/documents/"]`).Each(func(_ int, s *selection) { link, _ = s.Attr("href") })
		}
		return papers.Find(`a[href*="/documents/"]`).Length() >= 2
	})
	before := residentBytes(t, d.cmd.Process.Pid)
	res, err := olivia.client.Get(d.url + link)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	read, peak := int64(0), before
	for buffer := make([]byte, 1<<20); ; {
		n, err := io.ReadFull(res.Body, buffer)
		read += int64(n)
		peak = max(peak, residentBytes(t, d.cmd.Process.Pid))
		if err != nil {
			break
		}
	}
	if read < 200<<20 {
		t.Fatalf("got only %d bytes", read)
	}
	// The portal and the sandbox run in one process here, so this limits both.
	if grown := peak - before; grown > 40<<20 {
		t.Errorf("memory grew by %d MiB over %d MiB of document", grown>>20, read>>20)
	} else {
		t.Logf("memory grew by %d MiB over %d MiB of document", grown>>20, read>>20)
	}
}
