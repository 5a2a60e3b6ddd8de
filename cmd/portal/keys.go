package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"hearthline/internal/config"
	"hearthline/internal/pii"
	"hearthline/internal/reencrypt"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

// currentKeySetting is the setting in which a portal stores the id of the key that it encrypts with. Values under
// older keys can be renewed for good only when that key is the newest one.
const currentKeySetting = "keys.present"

// useKeys records which keys the portal uses from now on.
func useKeys(ctx context.Context, db *store.Store, v *vault.Vault, keys *reencrypt.Runner) error {
	if err := keys.Begin(ctx); err != nil {
		return err
	}
	return db.Write(ctx, func(tx *store.Tx) error { return tx.SaveSetting(ctx, currentKeySetting, v.CurrentKey()) })
}

// keys runs the keys subcommands.
func (i *installation) keys(ctx context.Context, command string, inv config.Invocation) error {
	switch command {
	case "rotate":
		return i.rotateKeys(ctx)
	case "finish":
		return i.finishKeys(ctx)
	case "rewrap":
		return i.rewrapKeys(ctx, inv.OldKEK)
	default:
		return i.retireKeys(ctx, inv.Args.Keys.Retire.LetGo)
	}
}

// rotateKeys adds new keys to the keyset file.
func (i *installation) rotateKeys(ctx context.Context) error {
	err := i.writeKeys(ctx, store.ActionKeysRotate, func() error { return vault.Rotate(keyFiles(i.cfg)) })
	return i.report(err, "New keys were added to the keyset. Back it up, then restart the portal: "+
		"it uses the new keys and re-encrypts existing data in the background. "+
		"To finish now, run portal keys finish; for the progress, run portal doctor.\n")
}

// rewrapKeys wraps the keys with the key-encryption key in the settings instead of the old one.
func (i *installation) rewrapKeys(ctx context.Context, old config.KEK) error {
	err := i.writeKeys(ctx, store.ActionKeysRewrap, func() error { return vault.Rewrap(keyFiles(i.cfg), kekOf(old)) })
	return i.report(err, "The keys are wrapped with the key-encryption key in the settings. Back up the keyset: "+
		"earlier copies of it need the old key-encryption key.\n")
}

// writeKeys changes the keyset file in the transaction that audits it.
func (i *installation) writeKeys(ctx context.Context, action store.AuditAction, write func() error) error {
	return i.db.Write(ctx, func(tx *store.Tx) error {
		if err := auditKeys(ctx, tx, action, ""); err != nil {
			return err
		}
		return write()
	})
}

// finishKeys re-encrypts everything under the current keys. It may run while the portal runs, and it may be
// interrupted and run again.
func (i *installation) finishKeys(ctx context.Context) error {
	if !i.vault.HasOlderKeys() {
		return i.report(nil, "There are no older keys, so nothing needs to be re-encrypted.\n")
	}
	keys := reencrypt.New(i.db, i.vault, time.Now)
	done, err := i.reencryptIfReady(ctx, keys)
	if err != nil {
		return err
	}
	dependents, err := keys.OldKeyDependents(ctx)
	if err != nil {
		return err
	}
	err = i.db.Write(ctx, func(tx *store.Tx) error {
		return auditKeys(ctx, tx, store.ActionKeysFinish, fmt.Sprintf("values:%d leads:%d", done.SealedValues, done.Leads))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(i.out, "Re-encrypted %s and re-indexed %s. Everything that can be re-encrypted now uses the newest key.\n",
		countOf(done.SealedValues, "value"), countOf(done.Leads, "lead"))
	if done.Undecryptable > 0 {
		fmt.Fprintf(i.out, "Values that no key can decrypt, left unchanged: %d. For their locations, run portal doctor.\n",
			done.Undecryptable)
	}
	if lines := retireLosses(dependents); len(lines) > 0 {
		fmt.Fprintln(i.out, "If you retire the older keys now:")
		printList(i.out, lines)
	}
	return nil
}

// reencryptIfReady re-encrypts what is left, unless the portal still uses the previous keys.
func (i *installation) reencryptIfReady(ctx context.Context, keys *reencrypt.Runner) (store.Reencryption, error) {
	used, err := i.db.Setting(ctx, currentKeySetting)
	if err != nil {
		return store.Reencryption{}, err
	}
	if used != "" && used != i.vault.CurrentKey() {
		return store.Reencryption{}, errors.New("the portal has not been restarted with the new keys: " +
			"restart it first, or it cannot read what this command encrypts")
	}
	return keys.Finish(ctx)
}

// retireKeys deletes the older keys, once nothing in the database needs them or the operator accepts the losses.
func (i *installation) retireKeys(ctx context.Context, acceptLosses bool) error {
	if !i.vault.HasOlderKeys() {
		return i.report(nil, "There are no older keys to retire.\n")
	}
	dependents, err := i.checkRetirable(ctx, acceptLosses)
	if err == nil {
		err = i.db.Scrub(ctx) // the dropped indexes must not remain on the disk either
	}
	if err == nil {
		err = vault.Retire(keyFiles(i.cfg))
	}
	if err != nil {
		return err
	}
	fmt.Fprintln(i.out, "The older keys are deleted. Earlier backups need the keyset from their time.")
	printList(i.out, retireLosses(dependents))
	return nil
}

// checkRetirable drops the indexes that only the older keys can compare. It refuses while anything still depends on
// them, unless the operator accepts the losses.
func (i *installation) checkRetirable(ctx context.Context, acceptLosses bool) (store.OldKeyDependents, error) {
	keys := reencrypt.New(i.db, i.vault, time.Now)
	done, err := i.reencryptIfReady(ctx, keys)
	if err != nil {
		return store.OldKeyDependents{}, err
	}
	if done.SealedValues+done.Leads > 0 {
		return store.OldKeyDependents{}, fmt.Errorf("%s and %s still used an older key and were re-encrypted just now: "+
			"make sure that no running portal uses that key, then run this again", countOf(done.SealedValues, "value"),
			countOf(done.Leads, "lead"))
	}
	dependents, err := keys.OldKeyDependents(ctx)
	if err != nil {
		return dependents, err
	}
	if dependents.Permanent()+dependents.Temporary() > 0 && !acceptLosses {
		return dependents, errKeysNeeded(dependents)
	}
	return dependents, i.db.Write(ctx, func(tx *store.Tx) error {
		if err := keys.DropOldKeyIndexes(ctx, tx); err != nil {
			return err
		}
		return auditKeys(ctx, tx, store.ActionKeysRetire, fmt.Sprintf("search:%d references:%d duplicates:%d links:%d",
			dependents.Search, dependents.References, dependents.Duplicates, dependents.Links))
	})
}

// countOf returns a count with its noun.
func countOf(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// auditKeys records what the operator did to the keys.
func auditKeys(ctx context.Context, tx *store.Tx, action store.AuditAction, detail string) error {
	return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Action: action, Object: "keys", Outcome: "done",
		Detail: detail})
}

func keyFiles(cfg config.Config) vault.Files {
	return vault.Files{Keyset: cfg.Portal.KeysetFile, KEK: kekOf(cfg.Portal.KEK)}
}

func kekOf(k config.KEK) vault.KEK {
	if k.Token != "" {
		return vault.TokenKEK{Module: k.Module, Token: k.Token, Object: k.Object, PIN: pii.Wrap(k.PIN.Value())}
	}
	return vault.FileKEK(k.File)
}

// retireLosses lists the consequences of retiring the older keys, one line each.
func retireLosses(b store.OldKeyDependents) (lines []string) {
	for _, l := range []struct {
		n         int
		one, many string
	}{
		{b.Search, "1 lead can be found only by name", "%d leads can be found only by name"},
		{b.References, "1 lead or draft can no longer be found from its CRM record",
			"%d leads or drafts can no longer be found from their CRM records"},
		{b.Duplicates, "1 open inquiry is no longer detected as a duplicate of a new one",
			"%d open inquiries are no longer detected as duplicates of new ones"},
		{b.Links, "1 CRM user must connect to their account again", "%d CRM users must connect to their accounts again"},
		{b.SignInFailures, "1 count of failed sign-ins starts over (resolves within a day)",
			"%d counts of failed sign-ins start over (resolves within a day)"},
		{b.MailedLinks, "1 emailed link is not replaced by a newer one (resolves within three days)",
			"%d emailed links are not replaced by newer ones (resolves within three days)"},
		{b.Forms, "1 form is refused if it is submitted again, instead of showing its first result (resolves within a day)",
			"%d forms are refused if they are submitted again, instead of showing their first result (resolves within a day)"},
		{b.Launches, "1 record that is open in a CRM may have to be reopened (resolves within a day)",
			"%d records that are open in a CRM may have to be reopened (resolves within a day)"},
		{b.Notices, "1 notification may be sent a second time", "%d notifications may be sent a second time"},
		{b.Webhooks, "1 webhook is processed again if the lender resends it",
			"%d webhooks are processed again if the lender resends them"},
	} {
		switch {
		case l.n == 1:
			lines = append(lines, l.one)
		case l.n > 1:
			lines = append(lines, fmt.Sprintf(l.many, l.n))
		}
	}
	return lines
}

// errKeysNeeded explains why the older keys are still needed, and what the operator can do about it.
func errKeysNeeded(b store.OldKeyDependents) error {
	var why strings.Builder
	why.WriteString("the older keys are still needed, and nothing was changed. If you retire them now:\n")
	printList(&why, retireLosses(b))
	if b.Permanent() > 0 {
		why.WriteString("Search data for a lead's phone, email and references is deleted with its draft, " +
			"thirty days after the inquiry ended or was completed; a CRM connection is updated when it is next used. " +
			"You can keep the older keys as long as needed: each search then runs once per key. ")
	} else {
		why.WriteString("All of this resolves without action if you wait. ")
	}
	why.WriteString("To accept this and delete the older keys, add --let-go.")
	return errors.New(why.String())
}

func printList(to io.Writer, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(to, "  - "+l)
	}
}
