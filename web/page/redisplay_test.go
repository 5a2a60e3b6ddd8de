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
		{"the form is wrong as a whole", &form.Form{}, fault.New(fault.Invalid, "This form asks for nothing."),
			nil, true, nil},
		{"it conflicts, which the form explains", &form.Form{}, fault.New(fault.Conflict, "Somebody was faster."),
			[]fault.Kind{fault.Conflict}, true, nil},
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
		Form: f, Run: func() error { t.Error("the change was made"); return nil },
		Redisplay: func() error { shown = true; return nil },
	})
	if err != nil || !shown {
		t.Errorf("got %v, form shown again %v", err, shown)
	}
}

func TestRejected_ErrorOfForm_AboveForm(t *testing.T) {
	f := &form.Form{}
	if !Rejected(f, fault.New(fault.Invalid, "This form asks for nothing.")) ||
		f.FormError != "This form asks for nothing." {
		t.Errorf("got %q", f.FormError)
	}
	f = &form.Form{}
	if !Rejected(f, fault.InvalidFields(fault.Field{Name: "name", Message: "Enter a name"})) || f.FormError != "" ||
		len(f.FieldErrors) != 1 {
		t.Errorf("got %q, %v, want the error beside its control only", f.FormError, f.FieldErrors)
	}
}

func TestErrorTitle_ByOutcome(t *testing.T) {
	for _, tt := range []struct {
		what string
		op   lead.Operation
		err  error
		want string
	}{
		{"refused by the lender", lead.Operation{ID: "1", State: lead.OpRejected, SentAt: 1},
			fault.New(fault.Upstream, "The lender refused it."), "Not accepted."},
		{"sent before, never confirmed", lead.Operation{ID: "1", State: lead.OpAbandoned, SentAt: 1}, errConflict,
			"Already sent."},
		{"sent before with other content, and refused", lead.Operation{ID: "1", State: lead.OpRejected, SentAt: 1},
			errConflict, "Already sent."},
		{"never sent", lead.Operation{ID: "1", State: lead.OpNotSent}, fault.New(fault.Unavailable, "Try again."), ""},
		{"the lead has moved first", lead.Operation{}, errConflict, ""},
	} {
		a := SubmittedForm{Form: &form.Form{}}
		if !a.Explain(tt.op, tt.err) || a.Form.ErrorTitle != tt.want {
			t.Errorf("%s: got %q, want %q", tt.what, a.Form.ErrorTitle, tt.want)
		}
	}
}
