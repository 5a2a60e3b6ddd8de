package journal_test

import (
	"testing"

	"hearthline/internal/heloc"
	"hearthline/internal/journal"
	"hearthline/internal/lead"
)

// TestVerdictOf_EveryResult lists what each result of a call means for its operation.
func TestVerdictOf_EveryResult(t *testing.T) {
	t.Parallel()
	failed := []heloc.Message{{Level: "ERROR", Message: "No such lien."}}
	warned := []heloc.Message{{Level: "WARN", Message: "Check the lien."}}
	answer := func(status int, effect heloc.Effect, messages []heloc.Message) heloc.CallResult {
		return heloc.CallResult{Reach: heloc.ReachAnswer, Status: status, Effect: effect, Messages: messages}
	}
	status := func(status int) heloc.CallResult { return answer(status, heloc.EffectUnstated, nil) }
	for _, tt := range []struct {
		name string
		got  heloc.CallResult
		want lead.OpState
	}{
		{"nothing on the wire", heloc.CallResult{Reach: heloc.ReachNothing}, lead.OpNotSent},
		{"nothing known", heloc.CallResult{}, lead.OpUnknown},
		{"timeout, or reset after the header", heloc.CallResult{Reach: heloc.ReachSent}, lead.OpUnknown},
		{"2xx that broke off, is unreadable or too long", heloc.CallResult{Reach: heloc.ReachSent, Status: 200},
			lead.OpUnknown},
		{"unreadable 2xx with error-level messages", heloc.CallResult{Reach: heloc.ReachSent, Status: 200, Messages: failed},
			lead.OpUnknown},

		{"readable 200", status(200), lead.OpSucceeded},
		{"readable 204", status(204), lead.OpSucceeded},
		{"readable 2xx with a warning", answer(200, heloc.EffectUnstated, warned), lead.OpSucceeded},
		{"2xx with error-level messages", answer(200, heloc.EffectUnstated, failed), lead.OpRejected},
		{"start with an appUuid", answer(200, heloc.EffectStated, nil), lead.OpSucceeded},
		{"start with an appUuid and error-level messages", answer(200, heloc.EffectStated, failed), lead.OpSucceeded},
		{"start without an appUuid", answer(200, heloc.EffectMissing, nil), lead.OpUnknown},
		{"start without an appUuid, with a warning", answer(200, heloc.EffectMissing, warned), lead.OpUnknown},
		{"start without an appUuid, with error-level messages", answer(200, heloc.EffectMissing, failed), lead.OpRejected},

		{"301", status(301), lead.OpRejected},
		{"302", status(302), lead.OpRejected},
		{"399", status(399), lead.OpRejected},
		{"400", status(400), lead.OpRejected},
		{"401", status(401), lead.OpRejected},
		{"403", status(403), lead.OpRejected},
		{"404", status(404), lead.OpRejected},
		{"408", status(408), lead.OpUnknown},
		{"408 with error-level messages", answer(408, heloc.EffectUnstated, failed), lead.OpUnknown},
		{"409", status(409), lead.OpRejected},
		{"422", status(422), lead.OpRejected},
		{"429", status(429), lead.OpRejected},
		{"499", status(499), lead.OpRejected},
		{"500", status(500), lead.OpUnknown},
		{"500 with error-level messages", answer(500, heloc.EffectUnstated, failed), lead.OpUnknown},
		{"501", status(501), lead.OpUnknown},
		{"503", status(503), lead.OpUnknown},
		{"599", status(599), lead.OpUnknown},
		{"101", status(101), lead.OpUnknown},
		{"no status", status(0), lead.OpUnknown},
	} {
		if got := journal.VerdictOf(tt.got); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
