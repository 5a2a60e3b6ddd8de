package lead

// Nudge is a manager's request to the originator of a lead to follow up on it.
type Nudge struct {
	At int64 // in milliseconds; 0 for none
	By string
}

// NudgeOf returns the nudge that an event records, if it was about the lead's current stay at its step.
func NudgeOf(l Row, e Event) Nudge {
	if e.At == 0 || e.At < l.StepSince || e.StepBefore != l.Step {
		return Nudge{}
	}
	return Nudge{At: e.At, By: e.ActorName}
}
