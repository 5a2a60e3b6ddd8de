package sandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"hearthline/internal/filelock"
)

// stateFileName is the state file: one JSON record per line; the last line of an id wins.
const stateFileName = "sandbox-state.jsonl"

// stateFile stores the records. A change is one synced line, so its cost does not grow
// with the number of inquiries; stale lines are dropped when the file is closed or has grown
// to several times the live records. The sandbox's mutex guards it.
type stateFile struct {
	path        string
	lock        *filelock.Held // two processes would overwrite each other's lines
	file        *os.File
	lines       int
	liveRecords int
}

// staleLines is how many lines in addition to four per record trigger a rewrite.
const staleLines = 2000

func openStateFile(dir string, add func(*inquiryRecord)) (*stateFile, error) {
	j := &stateFile{path: filepath.Join(dir, stateFileName)}
	var err error
	if j.lock, err = filelock.Acquire(j.path, "the sandbox"); err != nil {
		if held, ok := errors.AsType[*filelock.HeldError](err); ok {
			return nil, fmt.Errorf("%s: %w: stop it, or use another folder", j.path, held)
		}
		return nil, err
	}
	if err := j.open(add); err != nil {
		return nil, errors.Join(err, j.lock.Release())
	}
	return j, nil
}

// open reads the file and opens it for appending.
func (j *stateFile) open(add func(*inquiryRecord)) error {
	end, err := j.load(add)
	if err != nil {
		return err
	}
	j.file, err = os.OpenFile(j.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	// A line that a crash truncated was never acknowledged: overwrite it.
	if err := errors.Join(j.file.Truncate(end), seekEnd(j.file)); err != nil {
		return errors.Join(err, j.file.Close())
	}
	return nil
}

func seekEnd(f *os.File) error {
	_, err := f.Seek(0, io.SeekEnd)
	return err
}

// load calls add with the last version of each record in order of creation, and returns the
// offset of the end of the last complete line.
func (j *stateFile) load(add func(*inquiryRecord)) (int64, error) {
	content, err := os.ReadFile(j.path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var order []string
	last := map[string][]byte{}
	var end int64
	for line := range bytes.Lines(content) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			break
		}
		id, body, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		if !ok {
			return 0, fmt.Errorf("%s: line %d is not a record", stateFileName, j.lines+1)
		}
		if _, known := last[string(id)]; !known {
			order = append(order, string(id))
		}
		last[string(id)] = body
		j.lines++
		end += int64(len(line))
	}
	for _, id := range order {
		var q inquiryRecord
		if err := json.Unmarshal(last[id], &q); err != nil {
			return 0, fmt.Errorf("%s: record %s: %w", stateFileName, id, err)
		}
		add(&q)
	}
	j.liveRecords = len(order)
	return end, nil
}

// appendRecord appends the record and syncs, so that acknowledged changes survive a crash.
func (j *stateFile) appendRecord(q *inquiryRecord) error {
	line, err := stateLine(q)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	j.lines++
	return j.file.Sync()
}

func (j *stateFile) needsRewrite() bool { return j.lines > 4*j.liveRecords+staleLines }

// rewrite replaces the file with one line per record.
func (j *stateFile) rewrite(records []*inquiryRecord) error {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	for _, q := range records {
		line, err := stateLine(q)
		if err != nil {
			return err
		}
		_, _ = w.Write(line) // a bytes.Buffer does not fail
	}
	_ = w.Flush()
	if err := writeFile(j.path, b.Bytes(), 0o600); err != nil {
		return err
	}
	newFile, err := os.OpenFile(j.path, os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	old := j.file
	j.file, j.lines, j.liveRecords = newFile, len(records), len(records)
	return errors.Join(seekEnd(newFile), old.Close())
}

// close leaves a file without stale lines, which is the fastest to load.
func (j *stateFile) close(snapshot func() []*inquiryRecord) error {
	records := snapshot()
	var err error
	if j.lines > len(records) {
		err = j.rewrite(records)
	}
	return errors.Join(err, j.file.Close(), j.lock.Release())
}

func stateLine(q *inquiryRecord) ([]byte, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	line := make([]byte, 0, len(q.ID)+len(body)+2)
	line = append(append(append(line, q.ID...), ' '), body...)
	return append(line, '\n'), nil
}
