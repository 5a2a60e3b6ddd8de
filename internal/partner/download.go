package partner

import (
	"context"
	"errors"
	"io"
	"mime"
	"path"
	"strings"
	"unicode"

	"hearthline/internal/fault"
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
