package store

import (
	"slices"

	"hearthline/internal/heloc"
)

// Act is what a row of the audit says was done. Only listed acts are written: one that
// nobody can be told of in words would be a row that nobody reads.
type Act string

// The acts, besides one for each operation at the lender (ActOf).
const (
	ActLogIn      Act = "login"
	ActSecond     Act = "second-factor" // refused; an accepted one is a log-in
	ActStepUp     Act = "step-up"
	ActRefused    Act = "refused"
	ActEndSession Act = "session.end"
	ActEndOthers  Act = "session.end-others"
	ActCrowded    Act = "session.crowded" // ended by a sixth
	ActAlert      Act = "alert"

	ActPasswordChange  Act = "password.change"
	ActPasswordReset   Act = "password.reset" // by a mailed link
	ActPasswordRenew   Act = "password.renew" // with all second factors
	ActFactorAdd       Act = "factor.add"
	ActFactorRemove    Act = "factor.remove"
	ActFactorRename    Act = "factor.rename"
	ActRecoveryUsed    Act = "factor.recovery-used"
	ActRecoveryRenewed Act = "factor.recovery-renewed"
	ActLinkActivate    Act = "link.activate"
	ActLinkInvite      Act = "link.invite"
	ActLinkReset       Act = "link.reset"
	ActLinkRenew       Act = "link.renew"
	ActLinkAddress     Act = "link.address"
	ActLinkRevoke      Act = "link.revoke"
	ActEmailChange     Act = "email.change"
	ActUserAdd         Act = "user.add"
	ActUserRehash      Act = "user.rehash"
	ActUserOpen        Act = "user.open"
	ActUserRole        Act = "user.role"
	ActUserDisable     Act = "user.disable"
	ActUserSignOut     Act = "user.sign-out"
	ActUserShut        Act = "user.shut" // nothing opens it but the link to begin anew
	ActLicence         Act = "licence.set"
	ActAuditHeads      Act = "audit.heads"
	ActAuditCut        Act = "audit.cut" // rows that had been kept long enough were dropped
	ActKeysRotate      Act = "keys.rotate"
	ActKeysFinish      Act = "keys.finish"
	ActKeysRetire      Act = "keys.retire"
	ActLeadOpen        Act = "lead.open"
	ActReveal          Act = "borrower.reveal"
	ActContact         Act = "borrower.contact"
	ActBorrowerLink    Act = "borrower.link"
	ActDownload        Act = "document.download"
	ActSheet           Act = "lead.sheet"
	ActExport          Act = "leads.export"
	ActPayoffPlan      Act = "lead.payoff-plan"
	ActHold            Act = "lead.hold"
	ActLift            Act = "lead.lift"
	ActForget          Act = "lead.forget"
	ActAdopt           Act = "lead.adopt"
	ActClone           Act = "lead.clone"
	ActUnassign        Act = "lead.unassign"
	ActReturn          Act = "lead.return"         // a lead that had lost its originator is theirs again
	ActDirectoryHold   Act = "directory.hold"      // a read of the directory would have taken too much
	ActDirectoryClear  Act = "directory.clear"     // and a later one did not
	ActDirectoryApply  Act = "directory.apply"     // an administrator approved what waited
	ActDirectoryKeep   Act = "directory.disregard" // an administrator disregards it
	ActDirectoryUndo   Act = "directory.undo"      // an administrator undid a closure for absence
	ActDraftHand       Act = "draft.hand"
	ActDraftLink       Act = "draft.link"
	ActDraftDelete     Act = "draft.delete"
	ActSetAside        Act = "lead.set-aside"
	ActHandOverMany    Act = "leads.hand-over"
	ActRepullPlan      Act = "repull.plan"
	ActRepullDrop      Act = "repull.drop"
	ActRepullCarry     Act = "repull.carry"
	ActRepullDue       Act = "repull.due"
	ActEmbedAdd        Act = "embed.add"
	ActEmbedChange     Act = "embed.change"
	ActEmbedRotate     Act = "embed.rotate"
	ActEmbedAttest     Act = "embed.attest"
	ActEmbedUnattest   Act = "embed.unattest"
	ActEmbedClose      Act = "embed.close"
	ActEmbedOpen       Act = "embed.open"
	ActEmbedConnect    Act = "embed.connect"
	ActEmbedConfirm    Act = "embed.confirm"
	ActEmbedMismatch   Act = "embed.mismatch"
	ActEmbedPassOn     Act = "embed.pass-on"
	ActEmbedTake       Act = "embed.take-lead"
	ActEmbedTakeOff    Act = "embed.take-lead-off"
	ActEmbedDisconnect Act = "embed.disconnect"
)

// Acts lists every act, for the words and for the door of the audit.
func Acts() []Act {
	all := []Act{
		ActLogIn, ActSecond, ActStepUp, ActRefused, ActEndSession, ActEndOthers, ActCrowded, ActAlert,
		ActPasswordChange, ActPasswordReset, ActPasswordRenew, ActFactorAdd, ActFactorRemove, ActFactorRename, ActRecoveryUsed, ActRecoveryRenewed,
		ActLinkActivate, ActLinkInvite, ActLinkReset, ActLinkRenew, ActLinkAddress, ActLinkRevoke, ActEmailChange,
		ActUserAdd, ActUserRehash, ActUserOpen, ActUserRole, ActUserDisable, ActUserSignOut, ActUserShut, ActLicence, ActAuditHeads, ActAuditCut,
		ActKeysRotate, ActKeysFinish, ActKeysRetire,
		ActLeadOpen, ActReveal, ActContact, ActBorrowerLink, ActDownload, ActSheet, ActExport, ActPayoffPlan, ActHold, ActLift, ActForget, ActAdopt, ActClone, ActUnassign, ActReturn,
		ActDirectoryHold, ActDirectoryClear, ActDirectoryApply, ActDirectoryKeep, ActDirectoryUndo,
		ActDraftHand, ActDraftLink, ActDraftDelete, ActSetAside, ActHandOverMany, ActRepullPlan, ActRepullDrop, ActRepullCarry, ActRepullDue,
		ActEmbedAdd, ActEmbedChange, ActEmbedRotate, ActEmbedAttest, ActEmbedUnattest, ActEmbedClose, ActEmbedOpen, ActEmbedConnect, ActEmbedConfirm,
		ActEmbedMismatch, ActEmbedPassOn, ActEmbedTake, ActEmbedTakeOff, ActEmbedDisconnect,
	}
	for _, op := range heloc.Operations() {
		all = append(all, ActOf(op))
	}
	return all
}

// ActOf is the act of an operation at the lender.
func ActOf(op heloc.Operation) Act { return Act("operation." + string(op)) }

func (a Act) listed() bool { return slices.Contains(Acts(), a) }
