package page

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"hearthline/internal/launch"
	"hearthline/views/ui"
)

const (
	// minGzipSize is the size in bytes below which compression costs more than it saves.
	minGzipSize = 1 << 10
	// maxPooledBuffer is the largest buffer, in bytes, that goes back to the pool, so that one huge
	// page does not occupy memory forever.
	maxPooledBuffer = 1 << 20
)

// Render renders a component and writes it. It renders completely before it writes the first byte,
// so that a failing template can still become an error page.
func (rs *Responder) Render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	page := rs.getBuffer()
	defer rs.putBuffer(page)
	ctx := r.Context()
	if isSendingPaused(r) {
		ctx = ui.WithSendingPaused(ctx)
	}
	if err := c.Render(ctx, page); err != nil {
		return fmt.Errorf("web: render: %w", err)
	}
	if isJustSaved(r) {
		setSavedCookie(w, -1)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Add("Vary", "Accept-Encoding, HX-Request, HX-Request-Type")
	body := page
	if page.Len() >= minGzipSize && acceptsGzip(r) {
		packed := rs.getBuffer()
		defer rs.putBuffer(packed)
		if err := rs.compress(packed, page.Bytes()); err != nil {
			return fmt.Errorf("web: compress: %w", err)
		}
		h.Set("Content-Encoding", "gzip")
		body = packed
	}
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // an error means that the client has disconnected
	return nil
}

// IsFragment reports whether htmx requests a part of a page.
func IsFragment(r *http.Request) bool {
	return r.Header.Get("HX-Request") == "true" && r.Header.Get("HX-Request-Type") != "full" &&
		r.Header.Get("HX-History-Restore-Request") != "true"
}

// PartOrWhole returns the part of a page if htmx requests it, otherwise the whole page.
func PartOrWhole(r *http.Request, part, whole templ.Component) templ.Component {
	if IsFragment(r) {
		return part
	}
	return whole
}

func (rs *Responder) getBuffer() *bytes.Buffer {
	if b, ok := rs.buffers.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b
	}
	return new(bytes.Buffer)
}

func (rs *Responder) putBuffer(b *bytes.Buffer) {
	if b.Cap() <= maxPooledBuffer {
		rs.buffers.Put(b)
	}
}

// gzipLevel saves a tenth more than the fastest level, at a cost of 0.1 ms for a 30 KB page.
const gzipLevel = 4

func (rs *Responder) compress(to *bytes.Buffer, data []byte) error {
	z, ok := rs.gzipWriters.Get().(*gzip.Writer)
	if !ok {
		z, _ = gzip.NewWriterLevel(to, gzipLevel) // fails for unknown levels only
	}
	z.Reset(to)
	defer rs.gzipWriters.Put(z)
	if _, err := z.Write(data); err != nil {
		return err
	}
	return z.Close()
}

// acceptsGzip parses Accept-Encoding; gzip with weight zero does not count.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			q := strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			value, err := strconv.ParseFloat(q, 64)
			return q == "" || (err == nil && value > 0)
		}
	}
	return false
}

// WriteText writes a plain text response.
func WriteText(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, text) //nolint:gosec // plain text of our own
	return nil
}

// WriteJSON writes a JSON response for an API client.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}

// jsonError is an error for an API client: the public message, and the reference under which the
// log has the cause.
type jsonError struct {
	Error     string `json:"error"`
	Reference string `json:"reference"`
}

// isMachinePath reports whether only API clients use a URL, so that its errors are JSON: CRM cards,
// and the endpoint from which HubSpot requests a one-time URL.
func isMachinePath(path string) bool {
	client, call := strings.CutPrefix(path, "/launch/"+string(launch.KindCall)+"/")
	return strings.HasPrefix(path, "/api/") || call && !strings.Contains(client, "/")
}

// WriteRawJSON writes a body that is already encoded as JSON. It returns err if encoding the body failed.
func WriteRawJSON(w http.ResponseWriter, body []byte, err error) error {
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // an error means that the client has disconnected
	return nil
}

// writeTimeout is how long one write may take before the client counts as gone.
const writeTimeout = 10 * time.Second

// DeadlineWriter gives each write its own deadline, so that a large document may take as long as it
// needs while the client keeps reading.
type DeadlineWriter struct {
	W          io.Writer
	Controller *http.ResponseController
}

// Write extends the deadline and writes b.
func (d *DeadlineWriter) Write(b []byte) (int, error) {
	_ = d.Controller.SetWriteDeadline(time.Now().Add(writeTimeout)) // some test writers have no deadline to extend
	return d.W.Write(b)
}
