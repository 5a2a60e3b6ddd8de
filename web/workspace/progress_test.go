package workspace

import (
	"cmp"
	"strings"
	"testing"
	"time"

	desklead "hearthline/internal/desk/lead"
	"hearthline/internal/heloc"
	"hearthline/internal/lead"
	"hearthline/views/text"
	"hearthline/views/ui"
)

func TestNewProgress_NeverMarksFundedEarly(t *testing.T) {
	for _, key := range text.StatusKeys() {
		l := newProgress(progressFacts{StatusKey: heloc.StatusKey(key), Converted: true})
		if last := l.Application[4]; key != string(heloc.StatusFunded) && last.State == "done" {
			t.Errorf("%s: funded is %q", key, last.State)
		}
		for _, stage := range l.Application {
			if stage.Icon == "check" { // the mark of what has happened; views/ui adds it
				t.Errorf("%s: %s has a check mark before it is done", key, stage.Label)
			}
		}
	}
	if got := newProgress(progressFacts{StatusKey: heloc.StatusSigning, Converted: true}).Application[4].Sub; got != "—" {
		t.Errorf("got %q", got)
	}
}

// A complete inquiry is not an application, and what follows a past signing or rescission is not the first stage again.
func TestNewProgress_Closing_FollowsWhatHappened(t *testing.T) {
	complete := newProgress(progressFacts{StatusKey: heloc.StatusComplete, Chip: "Inquiry complete",
		WaitingForOthers: true})
	if complete.Converted || complete.Position != "" || complete.Inquiry[4].State != "done" ||
		complete.Application[0].State != "" {
		t.Errorf("a complete inquiry: got %+v", complete)
	}
	signed := progressFacts{Converted: true, WaitingForOthers: true, DisclosuresDone: true, SigningDone: true}
	for _, tt := range []struct {
		name  string
		key   heloc.StatusKey
		facts func(*progressFacts)
		want  string
	}{
		{"signed", heloc.StatusSigned, nil, "done done done wait -"},
		{"signing date passed, nothing else known", heloc.StatusSigned, func(f *progressFacts) { f.SigningDone = false },
			"done done wait - -"},
		{"rescission runs", heloc.StatusRescission, nil, "done done done wait -"},
		{"rescission over", heloc.StatusFunding, func(f *progressFacts) { f.RescissionDone = true },
			"done done done done wait"},
		{"funded without rescission", heloc.StatusFunded, nil, "done done done - done"},
		{"no date of the disclosures", heloc.StatusSigning,
			func(f *progressFacts) { f.DisclosuresDone, f.SigningDone = false, false }, "done - wait - -"},
		{"declined before the signing", heloc.StatusDeclined, func(f *progressFacts) { f.SigningDone = false },
			"done done - - -"},
		{"declined in the rescission period", heloc.StatusDeclined, nil, "done done done - -"},
	} {
		facts := signed
		facts.StatusKey = tt.key
		if tt.facts != nil {
			tt.facts(&facts)
		}
		if got := stageStates(newProgress(facts).Application); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// An inquiry that has ended, or that a user has closed, has done what is known to have happened, and nothing else.
func TestNewProgress_EndedInquiry_MarksOnlyWhatHappened(t *testing.T) {
	for _, tt := range []struct {
		name  string
		facts progressFacts
		want  string
	}{
		{"canceled at a blocked step", progressFacts{StatusKey: heloc.StatusCanceled}, "done - - - -"},
		{"canceled with offers", progressFacts{StatusKey: heloc.StatusCanceled, HasOffers: true}, "done done - - -"},
		{"canceled after a selection", progressFacts{StatusKey: heloc.StatusCanceled, HasOffers: true, HasSelection: true},
			"done done done - -"},
		{"expired after sign-in", progressFacts{StatusKey: heloc.StatusExpired, HasOffers: true, HasSelection: true,
			SignedIn: "Today"}, "done done done done -"},
		{"declined when complete", progressFacts{StatusKey: heloc.StatusDeclined, HasOffers: true, HasSelection: true,
			DocsSigned: "Today"}, "done done done done done"},
		{"closed at a blocked step", progressFacts{StatusKey: heloc.StatusNoOffers, Closed: true, Blocked: true},
			"done - - - -"},
		{"closed without offers", progressFacts{StatusKey: heloc.StatusNoOffers, Closed: true}, "done done - - -"},
	} {
		l := newProgress(tt.facts)
		if got := stageStates(l.Inquiry); got != tt.want || l.Position != "" {
			t.Errorf("%s: got %q at %q, want %q", tt.name, got, l.Position, tt.want)
		}
	}
}

// stageStates lists the states of stages, "-" for one that is neither done nor current.
func stageStates(stages []ui.Stage) string {
	all := make([]string, len(stages))
	for i, s := range stages {
		all[i] = cmp.Or(s.State, "-")
	}
	return strings.Join(all, " ")
}

// TestLeadProgress_AddedLead_StartedOnTheLendersDay: an added lead was not started on the day it was added.
func TestLeadProgress_AddedLead_StartedOnTheLendersDay(t *testing.T) {
	at := time.Date(2026, 11, 20, 21, 15, 0, 0, time.UTC)
	v := text.Viewer{Zone: time.UTC, Now: at.AddDate(0, 0, 3)}
	for _, tt := range []struct {
		name   string
		source lead.Source
		day    heloc.Date
		want   string
	}{
		{"started here", lead.SourcePortal, "2026-10-01", "Nov 20"},
		{"added", lead.SourceAdopted, "2026-10-01", "Oct 1"},
		{"added, its day unknown", lead.SourceAdopted, "", ""},
	} {
		l := desklead.Snapshot{Row: lead.Row{Source: tt.source, StartedOn: tt.day, CreatedAt: at.UnixMilli()}}
		if got := leadProgress(v, l).Started; got != tt.want {
			t.Errorf("%s: started %q, want %q", tt.name, got, tt.want)
		}
	}
}
