package sandbox

import (
	"bytes"
	"embed"
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"hearthline/internal/heloc"
)

//go:embed control.html control.css
var pages embed.FS

// controlView is the view model of the control page.
type controlView struct {
	Inquiries []controlRow // newest first, because users look for what they just created
	Events    []event
	Faults    Faults
	Modes     []WebhookMode
	Dropping  string
	Now       string
	Dialect   Dialect
	Problem   string
}

type controlRow struct {
	Inquiry
	Created string
}

func (s *Sandbox) controlPage(w http.ResponseWriter, r *http.Request) {
	s.writePage(w, http.StatusOK, "")
}

func (s *Sandbox) writePage(w http.ResponseWriter, status int, problem string) {
	view := controlView{
		Events: events(), Faults: s.faults.current(), Now: s.clock.now().Format("2006-01-02 15:04:05 MST"),
		Modes:   []WebhookMode{WebhooksOn, WebhooksOff, WebhooksLate, WebhooksDouble, WebhooksReorder},
		Dialect: s.cfg.Dialect, Problem: problem,
	}
	view.Dropping = strconv.Itoa(max(0, int(view.Faults.DropResponses)))
	if view.Faults.DropResponses == DropAll {
		view.Dropping = "all"
	}
	for _, q := range slices.Backward(s.Inquiries()) {
		view.Inquiries = append(view.Inquiries, controlRow{Inquiry: q, Created: q.CreatedAt.Format("2006-01-02 15:04")})
	}
	page, err := template.ParseFS(pages, "control.html")
	var b bytes.Buffer
	if err == nil {
		err = page.Execute(&b, view)
	}
	if err != nil {
		s.log.Error("the control page failed", "err", err)
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy",
		"default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

func controlStyle(w http.ResponseWriter, _ *http.Request) {
	sheet, _ := pages.ReadFile("control.css") // embedded, so it exists
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	_, _ = w.Write(sheet)
}

// controlForm handles the page's forms, which can neither PUT nor send JSON.
func (s *Sandbox) controlForm(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 4096)
	var err error
	if name := r.PostFormValue("event"); name != "" {
		err = s.Play(heloc.AppID(r.PostFormValue("appUuid")), name)
	} else {
		err = s.SetFaults(parseFaults(r))
	}
	if err != nil {
		problem := "That did not work."
		if rejected, ok := errors.AsType[*rejection](err); ok {
			problem = rejected.messages[0]
		}
		s.writePage(w, http.StatusConflict, problem)
		return
	}
	http.Redirect(w, r, "/_sandbox/", http.StatusSeeOther)
}

// parseFaults reads the form's fields; an invalid number counts as zero.
func parseFaults(r *http.Request) Faults {
	set := Faults{Webhooks: WebhookMode(r.PostFormValue("webhooks"))}
	set.LatencyMs, _ = strconv.ParseInt(r.PostFormValue("latencyMs"), 10, 64)
	set.ErrorRate, _ = strconv.ParseFloat(r.PostFormValue("errorRate"), 64)
	drop, err := strconv.Atoi(r.PostFormValue("dropResponses"))
	if set.DropResponses = Drop(max(0, drop)); err != nil && r.PostFormValue("dropResponses") == "all" {
		set.DropResponses = DropAll
	}
	return set
}
