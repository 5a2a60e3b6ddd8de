package account

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"strconv"
	"strings"

	"hearthline/internal/access"
	"hearthline/internal/fault"
	"hearthline/internal/store"
)

// recoveryCodes is how many codes a user gets. The first digit numbers them, so that a code is checked
// against one hash and not against ten.
const recoveryCodes = 10

// recoveryBytes is the random part of each code. It is written in letters and digits that are hard to
// confuse.
const recoveryBytes = 10

var recoveryAlphabet = base32.NewEncoding("ABCDEFGHJKLMNPQRSTUVWXYZ23456789").WithPadding(base32.NoPadding)

// recoveryCost is the lowest recommended cost for argon2id: the codes are random, and ten are hashed at once.
func recoveryCost(c Cost) Cost {
	return Cost{MemoryKiB: min(c.MemoryKiB, 19*1024), Iterations: c.Iterations, Lanes: c.Lanes}
}

// recoverySets is how many sets of codes a user can create within an hour: each costs ten hashes.
const recoverySets = 10

// newRecoveryCodes returns codes to display once, and their hashes. It counts the use before hashing, so that one
// user's parallel requests don't fill the queue.
func (s *Service) newRecoveryCodes(ctx context.Context, userID string) (codes, hashes []string, err error) {
	set := store.Usage{Subject: "user:" + userID, Kind: "recovery codes"}
	err = s.store.Write(ctx, func(tx *store.Tx) error {
		until, err := tx.UsedUpUntil(ctx, set, recoverySets, s.Now())
		if err != nil {
			return err
		}
		if until.After(s.Now()) {
			return fault.New(fault.Unavailable, "You created recovery codes "+strconv.Itoa(recoverySets)+
				" times within an hour, the most allowed. Your latest codes still work. Try again in an hour.")
		}
		return tx.AddUse(ctx, set, s.Now())
	})
	if err != nil {
		return nil, nil, err
	}
	for n := range recoveryCodes {
		var raw [recoveryBytes]byte
		_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
		text := recoveryAlphabet.EncodeToString(raw[:])
		code := string(rune('0'+n)) + text
		hash, err := s.hasher.hashAt(ctx, code, recoveryCost(s.Cost))
		if err != nil {
			return nil, nil, err
		}
		hashes = append(hashes, hash)
		codes = append(codes, code[:1]+"-"+text[:4]+"-"+text[4:8]+"-"+text[8:12]+"-"+text[12:])
	}
	return codes, hashes, nil
}

// foldCode removes the separators that users type between the characters of a code.
func foldCode(code string) string {
	drop := strings.NewReplacer(" ", "", "-", "", "\t", "", "\u00a0", "")
	return strings.ToUpper(drop.Replace(strings.TrimSpace(code)))
}

// consumeRecoveryCode accepts a code once. A malformed code costs as much work as a real one.
func (s *Service) consumeRecoveryCode(ctx context.Context, user access.User, code string) (bool, error) {
	hash := ""
	if len(code) == 1+recoveryBytes*8/5 && code[0] >= '0' && code[0] <= '9' {
		var err error
		if hash, err = s.store.RecoveryHash(ctx, user.UserID, int(code[0]-'0')); err != nil {
			return false, err
		}
	}
	match, err := s.hasher.check(ctx, known, code, hash)
	if err != nil || !match {
		return false, err
	}
	first := false
	err = s.unlessChanged(ctx, user, func(tx *store.Tx) error {
		if first, err = tx.ConsumeRecoveryCode(ctx, user.UserID, hash, store.Millis(s.Now())); err != nil || !first {
			return err
		}
		return s.record(ctx, tx, user, change{"A recovery code was used to sign in", store.ActionRecoveryUsed, ""})
	})
	return first && err == nil, err
}
