package store

import (
	"slices"

	"hearthline/internal/heloc"
)

// AuditAction is what a row of the audit says was done. Only listed acts are written: one that
// nobody can be told of in words would be a row that nobody reads.
type AuditAction string

// The acts, besides one for each operation at the lender (ActionOf).
const (
	ActionSignIn          AuditAction = "login"
	ActionSecondFactor    AuditAction = "second-factor" // refused; an accepted one is a log-in
	ActionStepUp          AuditAction = "step-up"
	ActionDenied          AuditAction = "refused"
	ActionEndSession      AuditAction = "session.end"
	ActionEndOthers       AuditAction = "session.end-others"
	ActionTooManySessions AuditAction = "session.crowded" // ended by a sixth
	ActionAlert           AuditAction = "alert"

	ActionPasswordChange         AuditAction = "password.change"
	ActionPasswordReset          AuditAction = "password.reset" // by a mailed link
	ActionAccountReset           AuditAction = "password.renew" // with all second factors
	ActionFactorAdd              AuditAction = "factor.add"
	ActionFactorRemove           AuditAction = "factor.remove"
	ActionFactorRename           AuditAction = "factor.rename"
	ActionRecoveryUsed           AuditAction = "factor.recovery-used"
	ActionRecoveryRenewed        AuditAction = "factor.recovery-renewed"
	ActionLinkActivate           AuditAction = "link.activate"
	ActionLinkInvite             AuditAction = "link.invite"
	ActionLinkReset              AuditAction = "link.reset"
	ActionLinkAccountReset       AuditAction = "link.renew"
	ActionLinkNewEmail           AuditAction = "link.address"
	ActionLinkRevoke             AuditAction = "link.revoke"
	ActionEmailChange            AuditAction = "email.change"
	ActionUserAdd                AuditAction = "user.add"
	ActionUserRehash             AuditAction = "user.rehash"
	ActionUserReopen             AuditAction = "user.open"
	ActionUserRole               AuditAction = "user.role"
	ActionUserDisable            AuditAction = "user.disable"
	ActionUserSignOut            AuditAction = "user.sign-out"
	ActionUserLock               AuditAction = "user.shut" // nothing opens it but the link to begin anew
	ActionLicense                AuditAction = "licence.set"
	ActionAuditHeads             AuditAction = "audit.heads"
	ActionAuditTrim              AuditAction = "audit.cut" // rows that had been kept long enough were dropped
	ActionKeysRotate             AuditAction = "keys.rotate"
	ActionKeysFinish             AuditAction = "keys.finish"
	ActionKeysRetire             AuditAction = "keys.retire"
	ActionLeadOpen               AuditAction = "lead.open"
	ActionReveal                 AuditAction = "borrower.reveal"
	ActionContact                AuditAction = "borrower.contact"
	ActionBorrowerLink           AuditAction = "borrower.link"
	ActionDownload               AuditAction = "document.download"
	ActionOfferSheet             AuditAction = "lead.sheet"
	ActionExport                 AuditAction = "leads.export"
	ActionPayoffPlan             AuditAction = "lead.payoff-plan"
	ActionLegalHold              AuditAction = "lead.hold"
	ActionLegalHoldLift          AuditAction = "lead.lift"
	ActionLeadDelete             AuditAction = "lead.forget"
	ActionAdopt                  AuditAction = "lead.adopt"
	ActionClone                  AuditAction = "lead.clone"
	ActionUnassign               AuditAction = "lead.unassign"
	ActReturn                    AuditAction = "lead.return"         // a lead that had lost its originator is theirs again
	ActDirectoryHold             AuditAction = "directory.hold"      // a read of the directory would have taken too much
	ActDirectoryClear            AuditAction = "directory.clear"     // and a later one did not
	ActDirectoryApply            AuditAction = "directory.apply"     // an administrator approved what waited
	ActDirectoryKeep             AuditAction = "directory.disregard" // an administrator disregards it
	ActDirectoryUndo             AuditAction = "directory.undo"      // an administrator undid a closure for absence
	ActionDraftTransfer          AuditAction = "draft.hand"
	ActionDraftLink              AuditAction = "draft.link"
	ActionDraftDelete            AuditAction = "draft.delete"
	ActionSetAside               AuditAction = "lead.set-aside"
	ActionBulkReassign           AuditAction = "leads.hand-over"
	ActionRepullPlan             AuditAction = "repull.plan"
	ActionRepullCancel           AuditAction = "repull.drop"
	ActionRepullReassign         AuditAction = "repull.carry"
	ActionRepullDue              AuditAction = "repull.due"
	ActionEmbedAdd               AuditAction = "embed.add"
	ActionEmbedChange            AuditAction = "embed.change"
	ActionEmbedRotate            AuditAction = "embed.rotate"
	ActionEmbedAttest            AuditAction = "embed.attest"
	ActionEmbedRevokeAttestation AuditAction = "embed.unattest"
	ActionEmbedDisable           AuditAction = "embed.close"
	ActionEmbedEnable            AuditAction = "embed.open"
	ActionEmbedConnect           AuditAction = "embed.connect"
	ActionEmbedConfirm           AuditAction = "embed.confirm"
	ActionEmbedMismatch          AuditAction = "embed.mismatch"
	ActionEmbedRelease           AuditAction = "embed.pass-on"
	ActionEmbedLinkRecord        AuditAction = "embed.take-lead"
	ActionEmbedUnlinkRecord      AuditAction = "embed.take-lead-off"
	ActionEmbedDisconnect        AuditAction = "embed.disconnect"
)

// Actions lists every act, for the words and for the door of the audit.
func Actions() []AuditAction {
	all := []AuditAction{
		ActionSignIn, ActionSecondFactor, ActionStepUp, ActionDenied, ActionEndSession, ActionEndOthers, ActionTooManySessions, ActionAlert,
		ActionPasswordChange, ActionPasswordReset, ActionAccountReset, ActionFactorAdd, ActionFactorRemove, ActionFactorRename, ActionRecoveryUsed, ActionRecoveryRenewed,
		ActionLinkActivate, ActionLinkInvite, ActionLinkReset, ActionLinkAccountReset, ActionLinkNewEmail, ActionLinkRevoke, ActionEmailChange,
		ActionUserAdd, ActionUserRehash, ActionUserReopen, ActionUserRole, ActionUserDisable, ActionUserSignOut, ActionUserLock, ActionLicense, ActionAuditHeads, ActionAuditTrim,
		ActionKeysRotate, ActionKeysFinish, ActionKeysRetire,
		ActionLeadOpen, ActionReveal, ActionContact, ActionBorrowerLink, ActionDownload, ActionOfferSheet, ActionExport, ActionPayoffPlan, ActionLegalHold, ActionLegalHoldLift, ActionLeadDelete, ActionAdopt, ActionClone, ActionUnassign, ActReturn,
		ActDirectoryHold, ActDirectoryClear, ActDirectoryApply, ActDirectoryKeep, ActDirectoryUndo,
		ActionDraftTransfer, ActionDraftLink, ActionDraftDelete, ActionSetAside, ActionBulkReassign, ActionRepullPlan, ActionRepullCancel, ActionRepullReassign, ActionRepullDue,
		ActionEmbedAdd, ActionEmbedChange, ActionEmbedRotate, ActionEmbedAttest, ActionEmbedRevokeAttestation, ActionEmbedDisable, ActionEmbedEnable, ActionEmbedConnect, ActionEmbedConfirm,
		ActionEmbedMismatch, ActionEmbedRelease, ActionEmbedLinkRecord, ActionEmbedUnlinkRecord, ActionEmbedDisconnect,
	}
	for _, op := range heloc.Operations() {
		all = append(all, ActionOf(op))
	}
	return all
}

// ActionOf is the act of an operation at the lender.
func ActionOf(op heloc.Operation) AuditAction { return AuditAction("operation." + string(op)) }

func (a AuditAction) listed() bool { return slices.Contains(Actions(), a) }
