package page

import (
	"io"
	"net/http"
	"time"
)

// DeadlineWriter gives every write its own time, so that a large document may take long as
// long as it moves.
type DeadlineWriter struct {
	W          io.Writer
	Controller *http.ResponseController
}

func (p *DeadlineWriter) Write(b []byte) (int, error) {
	_ = p.Controller.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer can; then there is none to extend
	return p.W.Write(b)
}
