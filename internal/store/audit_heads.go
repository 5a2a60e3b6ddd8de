package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// SignedAuditHead returns the current end of the chain, and a line with it to store outside the portal: row,
// time, MAC, and a MAC of the row and its MAC, which only this installation can make.
func (q queries) SignedAuditHead(ctx context.Context) (AuditHead, string, error) {
	head, err := q.AuditHead(ctx)
	return head, fmt.Sprintf("%d %s %s %s\n", head.Seq, Instant(head.At).UTC().Format(time.RFC3339Nano), head.MAC,
		q.mac(head.signedParts()...)), err
}

func (h AuditHead) signedParts() []string {
	return []string{"audit head sent", strconv.FormatInt(h.Seq, 10), h.MAC}
}

// IsOwnHead reports whether this installation signed a head.
func (q queries) IsOwnHead(head AuditHead, signature string) bool {
	return q.verifyMAC(signature, head.signedParts()...)
}

// HeadDelivery is the status of sending heads, with times in milliseconds. The zero value means that none was sent.
type HeadDelivery struct {
	Seq         int64 // the row of the head that was sent last
	SentAt      int64
	FailedSince int64 // 0 if the last attempt succeeded
}

// headDelivery is the setting that holds the HeadDelivery.
const headDelivery = "audit.heads"

// HeadDelivery reads the status of sending heads.
func (q queries) HeadDelivery(ctx context.Context) (d HeadDelivery, err error) {
	saved, err := q.Setting(ctx, headDelivery)
	if err != nil || saved == "" {
		return d, err
	}
	return d, json.Unmarshal([]byte(saved), &d)
}

// ForgetHeadDelivery deletes the status of earlier deliveries, because heads are no longer sent.
func (s *Store) ForgetHeadDelivery(ctx context.Context) error {
	if d, err := s.HeadDelivery(ctx); err != nil || d == (HeadDelivery{}) {
		return err
	}
	return s.Write(ctx, func(tx *Tx) error { return tx.SaveSetting(ctx, headDelivery, "") })
}

// SaveHeadDelivery records that a head was sent, or could not be.
func (s *Store) SaveHeadDelivery(ctx context.Context, head AuditHead, sent bool) error {
	return s.Write(ctx, func(tx *Tx) error {
		d, err := tx.HeadDelivery(ctx)
		if err != nil {
			return err
		}
		now := Millis(tx.now())
		switch {
		case sent:
			d = HeadDelivery{Seq: head.Seq, SentAt: now}
		case d.FailedSince == 0:
			d.FailedSince = now
		}
		saved, err := json.Marshal(d)
		if err != nil {
			return err
		}
		return tx.SaveSetting(ctx, headDelivery, string(saved))
	})
}
