package embed

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"hearthline/internal/launch"
	"hearthline/internal/lead"
	"hearthline/internal/store"
	"hearthline/internal/vault"
)

const (
	// keysMaxAge is how old keys from a URL may be before a launch has them read again.
	keysMaxAge = time.Hour
	// keysPause is the minimum time between two tries, however many launches name unknown keys.
	keysPause = time.Minute
	// keysUsableFor is how long keys can be used after they were last read.
	keysUsableFor  = 24 * time.Hour
	keysTimeout    = 5 * time.Second
	maxPublishedIn = 64 << 10 // bytes of the answer
)

// AnswerNoKeys is the answer of a URL that returned no set of public keys.
const AnswerNoKeys = "no-keys"

// KeySource is the URL at which a client publishes its keys, with what became of reading them; zero for pasted keys.
type KeySource struct {
	URL       string `json:"url,omitempty"`
	ReadAt    int64  `json:"readAt,omitempty"` // the last time that worked
	TriedAt   int64  `json:"triedAt,omitempty"`
	FailingAt int64  `json:"failingAt,omitempty"` // since when every try has failed; 0 when the last one worked
	Failure   string `json:"failure,omitempty"`   // the answer to the last try, if it failed
}

// UsableUntil is when the keys can no longer be used unless they are read again.
func (k KeySource) UsableUntil() time.Time { return lead.Instant(k.ReadAt).Add(keysUsableFor) }

// mayTry reports whether the last try is long enough ago.
func (k KeySource) mayTry(now time.Time) bool {
	return k.URL != "" && !now.Before(lead.Instant(k.TriedAt).Add(keysPause))
}

// verifyToken verifies a token with the client's keys. Keys from a URL are read first if they are old, and once more
// if none of them made the signature: the CRM may have begun to sign with a new one.
func (s *Service) verifyToken(ctx context.Context, c Client, audience, raw string) (launch.Assertion, error) {
	var err error
	if from := c.KeySource; from.mayTry(s.Now()) && !s.Now().Before(lead.Instant(from.ReadAt).Add(keysMaxAge)) {
		if c, err = s.readKeys(ctx, c.Key); err != nil {
			return launch.Assertion{}, err
		}
	}
	a, err := s.verifyWithKeys(c, audience, raw)
	if cause := launch.CauseOf(err); cause != launch.CauseSignature && cause != launch.CauseKeyID ||
		!c.KeySource.mayTry(s.Now()) {
		return a, err
	}
	if c, err = s.readKeys(ctx, c.Key); err != nil {
		return launch.Assertion{}, err
	}
	return s.verifyWithKeys(c, audience, raw)
}

func (s *Service) verifyWithKeys(c Client, audience, raw string) (launch.Assertion, error) {
	return launch.VerifyToken(s.withUsableKeys(c).Client, audience, raw, s.Now())
}

// withUsableKeys returns a client without its keys if they were read too long ago.
func (s *Service) withUsableKeys(c Client) Client {
	if c.KeySource.URL != "" && !s.Now().Before(c.KeySource.UsableUntil()) {
		c.Keys = jose.JSONWebKeySet{}
	}
	return c
}

// readKeys reads a client's keys from its URL and returns the client with them, or with those that it had if the URL
// fails. Nobody is signed out: a session that a removed key opened ends within hours.
func (s *Service) readKeys(ctx context.Context, key string) (Client, error) {
	ctx = context.WithoutCancel(ctx) // a browser that leaves is no failure of the URL
	lock, _ := s.keyReads.LoadOrStore(key, new(sync.Mutex))
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	c, err := s.Client(ctx, key)
	if err != nil || !c.KeySource.mayTry(s.Now()) { // another launch has just read them
		return c, err
	}
	read := s.fetchKeys(ctx, c.KeySource.URL)
	if err := s.store.Write(ctx, func(tx *store.Tx) error {
		row, was, err := s.readForChange(ctx, tx, key)
		if err != nil || was.KeySource.URL != c.KeySource.URL { // changed in the meantime
			return err
		}
		now := was
		now.KeySource.TriedAt = read.at
		if read.failure == "" {
			now.Keys, now.KeySource.ReadAt, now.KeySource.FailingAt, now.KeySource.Failure = read.keys, read.at, 0, ""
		} else {
			now.KeySource.Failure = read.failure
			if now.KeySource.FailingAt == 0 {
				now.KeySource.FailingAt = read.at
			}
		}
		if row.Sealed, err = vault.SealJSON(s.vault, vault.SigningKeysAAD(key), now); err != nil {
			return err
		}
		if err := tx.ChangeEmbedClient(ctx, row); err != nil || !keyMissing(was.Keys, now.Keys) &&
			!keyMissing(now.Keys, was.Keys) {
			return err
		}
		return tx.Audit(ctx, store.AuditEntry{ActorID: "system", Company: row.BrokerID, Action: store.ActionEmbedKeys,
			Object: "embed:" + key, Outcome: "done"})
	}); err != nil {
		return Client{}, err
	}
	return s.Client(ctx, key)
}

// publishedKeys are the keys that a URL returned.
type publishedKeys struct {
	url     string
	keys    json.RawMessage
	at      int64
	failure string // why there are none
	problem string // the same, for the administrator who enters the URL
}

// publishedKeys reads the keys of a client that is about to be saved, if it has a URL.
func (s *Service) publishedKeys(ctx context.Context, e Setup) publishedKeys {
	if e.KeysURL == "" {
		return publishedKeys{}
	}
	if problem := s.urlProblem(e.KeysURL, ""); problem != "" {
		return publishedKeys{failure: AnswerNoKeys, problem: problem}
	}
	read := s.fetchKeys(ctx, e.KeysURL)
	switch read.failure {
	case "":
	case AnswerTimeout:
		read.problem = "The URL didn’t answer within 5 seconds"
	case AnswerPrivate:
		read.problem = "The address is on a private network. Keys are read only from public addresses"
	case AnswerUnreachable:
		read.problem = "The URL couldn’t be reached. Check its host name and certificate"
	case AnswerNoKeys:
		read.problem = "The URL must return public keys as a JSON Web Key Set: Ed25519, P-256, or RSA with at least 2048 bits"
	default:
		read.problem = "The URL returned " + read.failure + ". It must return 200 without a redirect"
	}
	return read
}

// problemFor returns what is wrong with the URL; "" if it can be saved. The URL that a client has may fail.
func (p publishedKeys) problemFor(was signingKeys) string {
	if p.url != "" && p.url == was.KeySource.URL {
		return ""
	}
	return p.problem
}

// fetchKeys makes one try to read keys from a URL.
func (s *Service) fetchKeys(ctx context.Context, from string) publishedKeys {
	read := publishedKeys{url: from, at: store.Millis(s.Now()), failure: AnswerNoKeys}
	ctx, cancel := context.WithTimeout(ctx, keysTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return read
	}
	req.Header.Set("Accept", "application/jwk-set+json, application/json")
	req.Header.Set("User-Agent", "Hearthline")
	res, err := s.CRMClient.Do(req)
	if err != nil {
		read.failure = noAnswer(err)
		return read
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		read.failure = strconv.Itoa(res.StatusCode)
		return read
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, maxPublishedIn+1))
	if err != nil {
		read.failure = noAnswer(err)
		return read
	}
	if len(body) > maxPublishedIn {
		return read
	}
	keys, err := launch.ParsePublishedKeys(body)
	if err == nil {
		read.keys, err = json.Marshal(keys)
	}
	if err == nil {
		read.failure = ""
	}
	return read
}
