package partner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"hearthline/internal/fault"
	"hearthline/internal/heloc"
)

// Download is a streamed document, of which at least one byte has arrived. Only its beginning is buffered.
type Download struct {
	// Body must be closed by the caller. A read fails with a *Failure when the lender sends no
	// byte for Config.Timeout or the connection is lost.
	Body io.ReadCloser
	// ContentType is the media type without parameters, as the lender sent it. It is
	// untrusted: check it and do not forward it. Empty when there is none.
	ContentType string
	// Length is in bytes, or -1 when unknown.
	Length int64
	// FileName is the lender's, without directories and control characters; it may be empty.
	FileName  string
	RequestID string

	file *downloadBody // Body
}

func newDownload(ctx context.Context, r rawResponse) *Download {
	header := r.response.Header
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	file := &downloadBody{ctx: ctx, body: r.response.Body, idle: r.idle, call: r.call, status: r.response.StatusCode}
	return &Download{
		Body: file, file: file,
		ContentType: media,
		Length:      r.response.ContentLength,
		FileName:    fileName(header.Get("Content-Disposition")),
		RequestID:   truncate(header.Get("X-Kong-Request-Id"), 64),
	}
}

// fileName returns the last path element of the lender's file name.
func fileName(disposition string) string {
	_, params, err := mime.ParseMediaType(disposition)
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(params["filename"], `\`, "/"))
	if name = path.Base(name); name == "." || name == ".." || name == "/" {
		return ""
	}
	return truncate(name, 200)
}

// downloadBody limits how long each read waits for the lender.
type downloadBody struct {
	ctx    context.Context // of this request, for the cause of its end
	body   io.ReadCloser
	idle   *idleTimeout
	call   call
	status int

	ahead    []byte // already read from body, not yet returned to the caller
	aheadErr error  // the error that body returned after ahead
}

func (b *downloadBody) Read(p []byte) (n int, err error) {
	switch {
	case len(b.ahead) > 0:
		n = copy(p, b.ahead)
		b.ahead = b.ahead[n:]
		return n, nil
	case b.aheadErr != nil:
		err = b.aheadErr
	default:
		n, err = b.receive(p)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.call.failure(Failure{Status: b.status}, fault.Unavailable, err)
	}
	return n, err
}

func (b *downloadBody) Close() error {
	defer b.idle.stop()
	return b.body.Close()
}

// fileHead is how many bytes at the beginning of a file are enough to tell its type: readers of PDF accept some bytes
// before its signature, and a page may begin with blank lines.
const fileHead = 1024

// signaturesOf returns the bytes with which files of a type begin; nil if there are none or they may come later.
func signaturesOf(media string) []string {
	switch {
	case media == "application/zip", strings.HasPrefix(media, "application/vnd.openxmlformats-"):
		return []string{"PK\x03\x04", "PK\x05\x06", "PK\x07\x08"}
	case media == "image/png":
		return []string{"\x89PNG"}
	case media == "image/jpeg":
		return []string{"\xff\xd8\xff"}
	default:
		return nil
	}
}

func isPageOrJSON(media string) bool { return media == "text/html" || media == "application/json" }

// checkType returns an error if the file contradicts the type that the lender's list of documents declares, so that
// nobody downloads a sign-in page under the name of a document. Without a declared type it compares the file with the
// type of the response. No file without one is a page or JSON.
func (d *Download) checkType(declared string) error {
	media, _, _ := strings.Cut(strings.ToLower(declared), ";")
	if media = strings.TrimSpace(media); media == "" || media == "application/octet-stream" {
		media = d.ContentType
		if isPageOrJSON(media) {
			return fmt.Errorf("the file is %q", media)
		}
	}
	if isPageOrJSON(media) {
		return nil
	}
	signatures, needed := signaturesOf(media), 1 // a slow file of another type does not wait for more
	if signatures != nil {
		needed = 4
	}
	if media == "application/pdf" {
		needed = fileHead
	}
	head, err := d.file.peek(needed)
	fits := false
	switch {
	case media == "application/pdf":
		fits = bytes.Contains(head[:min(fileHead, len(head))], []byte("%PDF-"))
	case signatures != nil:
		for _, signature := range signatures {
			fits = fits || bytes.HasPrefix(head, []byte(signature))
		}
	default:
		text := bytes.TrimLeft(head, "\ufeff \t\r\n")
		isJSON := bytes.HasPrefix(text, []byte("{")) || bytes.HasPrefix(text, []byte("["))
		fits = !isPageOrJSON(d.ContentType) && !strings.HasPrefix(http.DetectContentType(text), "text/html") &&
			(!isJSON || strings.HasPrefix(media, "text/"))
	}
	switch {
	case fits:
		return nil
	case err != nil:
		return err
	default:
		return fmt.Errorf("the body is no %q", media)
	}
}

// begin reads the first byte of a file. It returns a *Failure if the status is not 200, or if the body is empty or
// fails before its first byte.
func (d *Download) begin(status int) *Failure {
	if status != http.StatusOK {
		return d.notFile(fmt.Errorf("status %d for a whole file", status))
	}
	switch head, err := d.file.peek(1); {
	case len(head) > 0:
		return nil
	case errors.Is(err, errTimeout):
		return d.file.call.failure(Failure{Status: status}, fault.Unavailable, err)
	case err != nil:
		return d.notFile(fmt.Errorf("the file broke off before its first byte: %w", err))
	default:
		return d.notFile(errors.New("the file is empty"))
	}
}

// notFile returns the failure of a response that is not the file. It is not tried again, and does not mean that the
// lender is down.
func (d *Download) notFile(cause error) *Failure {
	f := d.file.call.failure(Failure{Status: d.file.status, RequestID: d.RequestID}, fault.Upstream, cause)
	f.permanent = true
	return f
}

// peek reads ahead until at least n bytes are there or the file ends, and returns what is there. It is read again
// with the rest.
func (b *downloadBody) peek(n int) ([]byte, error) {
	for len(b.ahead) < n && b.aheadErr == nil {
		chunk := make([]byte, fileHead)
		read, err := b.receive(chunk)
		b.ahead, b.aheadErr = append(b.ahead, chunk[:read]...), err
	}
	if errors.Is(b.aheadErr, io.EOF) {
		return b.ahead, nil
	}
	return b.ahead, b.aheadErr
}

// receive reads from the lender, and waits for it no longer than the limit.
func (b *downloadBody) receive(p []byte) (int, error) {
	b.idle.start()
	n, err := b.body.Read(p)
	b.idle.pause()
	if err != nil && !errors.Is(err, io.EOF) {
		err = causeOf(b.ctx, err)
	}
	return n, err
}

// idleTimeout cancels a download when no byte arrives for a while. Only the time spent
// waiting for the lender counts, not the time that the browser takes to read. The zero
// value does nothing.
type idleTimeout struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

// newIdleTimeout returns a context that is canceled when a wait exceeds the limit.
func newIdleTimeout(ctx context.Context, limit time.Duration) (context.Context, *idleTimeout) {
	ctx, cancel := context.WithCancelCause(ctx)
	guard := &idleTimeout{limit: limit, cancel: cancel}
	guard.timer = time.AfterFunc(limit, func() { cancel(errTimeout) })
	return ctx, guard
}

// start begins a wait for the lender, pause ends it, and stop releases the resources.
func (i *idleTimeout) start() {
	if i.timer != nil {
		i.timer.Reset(i.limit)
	}
}

func (i *idleTimeout) pause() {
	if i.timer != nil {
		i.timer.Stop()
	}
}

func (i *idleTimeout) stop() {
	if i.timer != nil {
		i.timer.Stop()
		i.cancel(nil)
	}
}

// Documents lists the documents of an application that can be downloaded. The value is nil
// when the lender sent null for the list.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/list (4.17)
func (c *Client) Documents(ctx context.Context, app heloc.AppID) (Result[[]heloc.Document], error) {
	q := callTo("document-list").of(app)
	return ask(ctx, c, q, func(got *reply) ([]heloc.Document, error) {
		keepIDs(unwrapData(got.tree), "documents[].documentUuid") // it becomes part of URLs
		list, ok := got.list("documents")
		if !ok {
			return nil, q.noResource(got)
		}
		return decode[[]heloc.Document](list), nil
	})
}

// Document streams one document of the list. A response of another type than the list declares is a failure. The
// caller closes the body.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/download/{documentUuid} (4.18)
func (c *Client) Document(ctx context.Context, app heloc.AppID, document heloc.Document) (*Download, error) {
	call := callTo("document").of(app)
	call.path = strings.Replace(call.path, "{documentUuid}", url.PathEscape(document.UUID), 1)
	if document.UUID == "" || document.UUID == "." || document.UUID == ".." {
		call.invalid = fault.New(fault.NotFound, "This document doesn’t exist.")
	}
	return c.download(ctx, call, document.ContentType)
}

// DocumentsZip streams all documents of an application as one zip file. The caller
// closes the body.
//
// heloc: GET /products/heloc/v1/document/{appUuid}/download (4.19)
func (c *Client) DocumentsZip(ctx context.Context, app heloc.AppID) (*Download, error) {
	return c.download(ctx, callTo("documents-zip").of(app), "application/zip")
}

func (c *Client) download(ctx context.Context, call call, contentType string) (*Download, error) {
	end, err := c.downloads.begin(CallerOf(ctx))
	if err != nil {
		return nil, err
	}
	got, err := c.do(ctx, call)
	if err != nil {
		end()
		return nil, err
	}
	got.download.Body = limitedBody{got.download.Body, end}
	if wrong := got.download.checkType(contentType); wrong != nil {
		_ = got.download.Body.Close()
		return nil, got.download.notFile(wrong)
	}
	return got.download, nil
}
