package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// webhookSender sends webhooks (interface-live.md section 5). Each delivery is a goroutine of
// the sandbox; a webhook that is not delivered when the sandbox closes is lost.
type webhookSender struct {
	s       *Sandbox
	client  *http.Client
	delayed chan webhook // at most one: the webhook that waits for the next one
}

// webhook is one webhook to deliver.
type webhook struct {
	app  string // for the log
	body []byte
}

const (
	webhookAttempts = 6
	webhookTimeout  = 10 * time.Second
	lateDelay       = 20 * time.Second
	maxReorderDelay = 5 * time.Second // after this a waiting webhook is sent even if no other one came
)

func newWebhookSender(s *Sandbox) *webhookSender {
	client := &http.Client{
		Transport: s.cfg.Transport, Timeout: webhookTimeout,
		// Following a redirect would deliver the webhook to an unknown host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &webhookSender{s: s, client: client, delayed: make(chan webhook, 1)}
}

// sendInquiry reports that processing has ended and a next step is ready.
func (h *webhookSender) sendInquiry(q *inquiryRecord) {
	h.send(q, object{"nextInquiryStepType": q.Step})
}

// sendApplication reports that the status of an application has changed.
func (h *webhookSender) sendApplication(q *inquiryRecord) {
	overall, status := q.status()
	h.send(q, object{"status": status, "overallStatus": overall})
}

// send starts the delivery of a webhook. The caller holds the sandbox's mu, so send must
// not block.
func (h *webhookSender) send(q *inquiryRecord, body object) {
	mode := h.s.faults.current().Webhooks
	if h.s.cfg.WebhookURL == "" || mode == WebhooksOff {
		return
	}
	body["applicationUuid"], body["productType"], body["organization"] = q.ID, "HELOC", organization
	body["loanOriginatorNmls"] = orNull(h.s.directory.byID[q.Originator].NMLS)
	body["eventTimestamp"] = h.s.clock.now().Format("2006-01-02T15:04:05.000Z")
	text, err := json.Marshal(body)
	if err != nil {
		h.s.log.Error("a webhook could not be marshaled", "err", err)
		return
	}
	one := webhook{app: q.ID, body: text}
	switch mode {
	case WebhooksLate:
		h.sendLater(lateDelay, one)
	case WebhooksDouble:
		h.sendLater(0, one)
		h.sendLater(0, one)
	case WebhooksReorder:
		h.sendReordered(one)
	default:
		h.sendLater(0, one)
	}
}

// sendReordered delays a webhook until the next one has been delivered.
func (h *webhookSender) sendReordered(one webhook) {
	select {
	case earlier := <-h.delayed:
		h.s.wg.Go(func() { h.deliver(one); h.deliver(earlier) })
	default:
		h.delayed <- one
		h.s.wg.Go(func() {
			if !h.pause(maxReorderDelay) {
				return
			}
			select {
			case last := <-h.delayed:
				h.deliver(last)
			default: // another webhook already took it
			}
		})
	}
}

func (h *webhookSender) sendLater(after time.Duration, one webhook) {
	h.s.wg.Go(func() {
		if h.pause(after) {
			h.deliver(one)
		}
	})
}

// pause waits; false when the sandbox closes first.
func (h *webhookSender) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-h.s.done:
		return false
	}
}

// deliver retries until the partner responds with 200, doubling the delay.
func (h *webhookSender) deliver(one webhook) {
	ctx, cancel := h.s.lifetimeContext()
	defer cancel()
	wait := h.s.cfg.WebhookBackoff
	for attempt := 1; ; attempt++ {
		err := h.attempt(ctx, one)
		if err == nil {
			return
		}
		if attempt == webhookAttempts {
			h.s.log.Warn("webhook delivery failed", "appUuid", one.app, "attempts", attempt)
			return
		}
		if !h.pause(wait) {
			return
		}
		wait *= 2
	}
}

var errWebhookRejected = errors.New("the partner did not answer 200")

func (h *webhookSender) attempt(ctx context.Context, one webhook) error {
	body, kind := one.body, "application/json"
	if h.s.partner != nil {
		compact, err := h.s.partner.Seal(ctx, one.body)
		if err != nil {
			return err
		}
		body, kind = []byte(compact), "application/jose"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, h.s.cfg.WebhookURL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", kind)
	response, err := h.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 4096)) // so that the connection is reused
	if response.StatusCode != http.StatusOK {
		return errWebhookRejected
	}
	return nil
}
