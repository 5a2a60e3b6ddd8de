package page

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"hearthline/internal/fault"
	"hearthline/internal/lead"
	"hearthline/web/form"
)

func TestApply_ByOutcome(t *testing.T) {
	invalid := fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name"})
	broken := errors.New("the database is gone")
	for _, tt := range []struct {
		what      string
		form      *form.Form
		err       error
		kinds     []fault.Kind
		redisplay bool
		want      error
	}{
		{"accepted", &form.Form{}, nil, nil, false, nil},
		{"a control is wrong", &form.Form{}, invalid, nil, true, nil},
		{"the form is wrong as a whole", &form.Form{}, fault.New(fault.Invalid, "This form asks for nothing."), nil, true, nil},
		{"it conflicts, which the form explains", &form.Form{}, fault.New(fault.Conflict, "Somebody was faster."), []fault.Kind{fault.Conflict}, true, nil},
		{"it conflicts, which the form does not explain", &form.Form{}, errConflict, nil, false, errConflict},
		{"a defect", &form.Form{}, broken, nil, false, broken},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/x", nil)
		shown := false
		got := Apply(w, r, Change{
			Form: tt.form, Run: func() error { return tt.err }, Next: "/next", Kinds: tt.kinds,
			Redisplay: func() error { shown = true; return nil },
		})
		if !errors.Is(got, tt.want) || shown != tt.redisplay {
			t.Errorf("%s: got %v, form shown again %v; want %v, %v", tt.what, got, shown, tt.want, tt.redisplay)
		}
		if accepted := tt.err == nil; accepted != (w.Header().Get("Location") == "/next") {
			t.Errorf("%s: it goes to %q", tt.what, w.Header().Get("Location"))
		}
		want := http.StatusOK
		if tt.redisplay {
			want, _ = StatusAndMessage(tt.err)
		}
		if got := FormStatus(tt.form); got != want {
			t.Errorf("%s: got status %d, want %d", tt.what, got, want)
		}
	}
}

var errConflict = fault.New(fault.Conflict, "Somebody was faster.")

func TestApply_FormHasErrors_NotRun(t *testing.T) {
	f := &form.Form{}
	f.AddError("confirm", "Check the box to confirm")
	shown := false
	err := Apply(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/x", nil), Change{
		Form: f, Run: func() error { t.Error("the change was made"); return nil }, Redisplay: func() error { shown = true; return nil },
	})
	if err != nil || !shown {
		t.Errorf("got %v, form shown again %v", err, shown)
	}
}

func TestRejected_ErrorOfForm_AboveForm(t *testing.T) {
	f := &form.Form{}
	if !Rejected(f, fault.New(fault.Invalid, "This form asks for nothing.")) || f.FormError != "This form asks for nothing." {
		t.Errorf("got %q", f.FormError)
	}
	f = &form.Form{}
	if !Rejected(f, fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name"})) || f.FormError != "" || len(f.FieldErrors) != 1 {
		t.Errorf("got %q, %v, want the error beside its control only", f.FormError, f.FieldErrors)
	}
}

// TestExplain_TitleSaysWhetherItWasSent: "not sent" is never said of a form that the lender has refused, or may have.
func TestExplain_TitleSaysWhetherItWasSent(t *testing.T) {
	for _, tt := range []struct {
		name  string
		state lead.OpState
		err   error
		want  string
	}{
		{"refused", lead.OpRejected, fault.New(fault.Upstream, "The lender refused it"), "Not accepted."},
		{"not sent", lead.OpNotSent, fault.New(fault.Unavailable, "Nothing was sent"), ""},
		{"not found at the lender", lead.OpAbsent, fault.New(fault.Conflict, "Not confirmed"), "Already sent."},
		{"given up", lead.OpAbandoned, fault.New(fault.Conflict, "Not confirmed"), "Already sent."},
		{"a changed lead", "", fault.New(fault.Conflict, "The lead changed. Nothing was sent."), ""},
	} {
		a := SubmittedForm{Form: &form.Form{}}
		if !a.Explain(lead.Operation{ID: "hl-1", State: tt.state}, tt.err) || a.Form.ErrorTitle != tt.want || a.Form.FormError == "" {
			t.Errorf("%s: got the title %q and %q, want %q", tt.name, a.Form.ErrorTitle, a.Form.FormError, tt.want)
		}
	}
}
