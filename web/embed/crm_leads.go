package embed

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"hearthline/internal/embed"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/to"
)

// crmLeads is one page of leads for a CRM: codes and times, never a name or an amount. Its documentation is generated
// from the types and their tags.
type crmLeads struct {
	Leads     []crmLead `json:"leads" doc:"At most 500 leads."`
	Cursor    string    `json:"cursor,omitempty" doc:"Send it unchanged as changed_since to get what changes next."`
	More      bool      `json:"more" doc:"Whether another page is available now."`
	Connected *bool     `json:"connected,omitempty" doc:"False if the CRM user who asks isn’t connected to an account."`
}

// crmLead is the status of one lead.
type crmLead struct {
	Lead        string      `json:"lead" doc:"The lead’s short ID, as shown in Hearthline."`
	Application string      `json:"application" format:"uuid" doc:"The application ID, which never changes."`
	Records     []crmRecord `json:"records" doc:"Your CRM’s records that the lead is linked to."`
	Step        lead.Code   `json:"step" enum:"step" doc:"Where the lead is."`
	Lane        lead.Code   `json:"lane" enum:"lane" doc:"The list in which Hearthline shows the lead."`
	Move        lead.Code   `json:"move" enum:"move" doc:"Who has to act next."`
	Outcome     lead.Code   `json:"outcome" enum:"outcome" doc:"Whether the lead is open, or how it ended."`
	Due         string      `json:"due,omitempty" format:"date-time" doc:"When the next action is due, if it has a time."`
	Changed     string      `json:"changed" format:"date-time" doc:"When the lead last changed."`
	URL         string      `json:"url" format:"uri" doc:"The lead in Hearthline, for a user who may open it."`
}

// crmRecord is one record of the CRM.
type crmRecord struct {
	Type string `json:"type,omitempty" doc:"The record’s type, if your launches name one."`
	ID   string `json:"id,omitempty" doc:"The record’s ID, if the lender returns it with the lead."`
}

// ListCRMLeads returns the status of the leads of one record, or of all that have changed since a cursor.
func (h *Handlers) ListCRMLeads(w http.ResponseWriter, r *http.Request) error {
	ask, by, err := h.verifyCaller(w, r)
	if err != nil {
		return err
	}
	found, err := h.Embeds.Leads(r.Context(), by, ask)
	if err != nil {
		return err
	}
	model := crmLeads{Leads: []crmLead{}, Cursor: found.Cursor, More: found.More}
	if by.NotConnected {
		model.Connected = new(bool)
	}
	for _, l := range found.Leads {
		model.Leads = append(model.Leads, h.presentCRMLead(l))
	}
	body, err := json.Marshal(model)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(body)
	tag := `"` + base64.RawURLEncoding.EncodeToString(digest[:16]) + `"`
	header := w.Header()
	header.Set("ETag", tag)
	header.Set("Cache-Control", "private, no-cache")
	if matchesTag(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Type", "application/json")
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}

// matchesTag reports whether a list of tags contains one. Proxies that compress the response make a tag weak.
func matchesTag(tags, tag string) bool {
	return slices.ContainsFunc(strings.Split(tags, ","), func(t string) bool {
		t = strings.TrimPrefix(strings.TrimSpace(t), "W/")
		return t == tag || t == "*"
	})
}

func (h *Handlers) presentCRMLead(l embed.LeadStatus) crmLead {
	row := l.Lead
	m := crmLead{
		Lead: text.ShortID(&row), Application: string(row.App), Records: []crmRecord{},
		Step:    lead.CodeOf(lead.CodeStep, string(row.StatusKey)),
		Lane:    lead.CodeOf(lead.CodeLane, string(row.Lane)),
		Move:    lead.MoveCode(row.Lane, row.WhoseMove),
		Outcome: lead.CodeOf(lead.CodeOutcome, string(row.Outcome())),
		Changed: text.IsoTime(text.TimeOfMillis(row.ChangedAt)), URL: h.Origin + to.Full.Lead(string(row.App)),
	}
	if at := row.DueAt(); at != 0 {
		m.Due = text.IsoTime(text.TimeOfMillis(at))
	}
	for _, r := range l.Records {
		m.Records = append(m.Records, crmRecord{Type: r.Type, ID: r.ID})
	}
	return m
}
